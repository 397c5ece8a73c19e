"""A realistic chain for benchmarks: simulated evenings, continued day by day.

Every evening has all games, a casino on land, deposits, complaints and everything that goes wrong
in a simulation, with other players than the evening before. Bank and payment provider send their
statements after some evenings, and packages of the first periods are recorded. A long chain goes on
with copies of these evenings (:mod:`tools.workshop.bench.copies`). The same size gives the same
evenings.
"""

from __future__ import annotations

from contextlib import closing
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from ledger.core.clock import HOUR, PRAGUE, StoppedClock, from_datetime, in_prague
from ledger.decisions.operator.keys import RecordCheckpoint
from ledger.events.encoding import decode_envelope
from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.tlog.signing import SigningKey
from ledger.writer import Ledger
from projections.packages.country import CZ, country_of
from projections.store.rebuild import rebuild
from projections.store.tables import Store
from tools.garbage import collect_seldom
from tools.simulator import ALL, CARD_ROOM, create, issue, run, write
from tools.statements.importing import import_file, recorded_statements
from tools.statements.issuer import read_issuer
from tools.statements.reading import ReadRequest
from tools.workshop.bench.copies import COPIES_MAX, append_copy, originals

__all__ = ["lengthened"]

SEED = 5
PLAYERS = 100
START = from_datetime(datetime(2026, 1, 9, 19, tzinfo=PRAGUE))
"""So long ago that a writer of today can go on with a chain of millions of events."""
PLAYED = 240_000
"""Events from which on evenings are copied."""
PACKAGES = 4
MONEY = Query(types=("DepositCredited", "DepositReturned", "WithdrawalPaid"))
FORMS = {"cards": "csv", "bank": "camt.053"}


def lengthened(folder: Path, events: int) -> Path:
    """Return a data directory whose chain has about so many events; make it if it is not there.

    Some 240 s of processor time a million events that are played, and 60 s that are copied.

    Raises:
        ValueError: so many copies cannot be told apart.

    """
    if (folder / "log.sqlite").exists():
        return folder
    collect_seldom()
    folder.mkdir(parents=True, exist_ok=True)
    _play(folder, min(events, PLAYED))
    with closing(_reading(folder)) as log:
        size = log.head().size
        evenings = list(originals(log.read())) if events > PLAYED else []
    began, ended = START, _moment(folder)
    _import_statements(folder, began, ended, 0)
    _record_packages(folder)
    days = (in_prague(ended).date() - in_prague(began).date()).days + 1
    copies = -(-(events - size) // len(evenings)) if evenings else 0
    if copies > COPIES_MAX:
        raise ValueError(f"{events} events are {copies} copies, {COPIES_MAX} at most")
    for number in range(copies):
        with closing(SqliteLog(folder, writable=True)) as log:
            first = log.head().size
            append_copy(log, evenings, number, (number + 1) * days)
        later = timedelta(days=(number + 1) * days)
        begun = from_datetime(in_prague(began) + later)
        _import_statements(folder, begun, _moment(folder), first)
        _sign(folder)
    return folder


def _play(folder: Path, events: int) -> None:
    with (
        closing(SqliteLog(folder, writable=True)) as log,
        create(log, folder / "keys", seed=SEED, start=START) as ledger,
    ):
        run(
            ledger,
            seed=SEED,
            players=PLAYERS,
            events_max=events,
            start=START,
            dealt=ALL,
            card_room=tuple(CARD_ROOM),
            casino=True,
            other_players=True,
        )


def _sign(folder: Path) -> None:
    """Sign a checkpoint with the key of the simulation, two hours after the evenings."""
    secret = Random(f"gameledger|signing|{SEED}").randbytes(32)
    with _writing(folder, _moment(folder) + HOUR) as ledger:
        key = SigningKey(ledger.chain, secret)
        ledger.execute(RecordCheckpoint.of(ledger.checkpoint(), key))


def _reading(folder: Path) -> SqliteLog:
    return SqliteLog(folder, writable=False)


def _writing(folder: Path, moment: int) -> Ledger:
    log, keys = SqliteLog(folder, writable=True), KeyStore(folder / "keys")
    return Ledger(log, keys, clock=StoppedClock(moment))


def _moment(folder: Path) -> int:
    """Return when the last message was recorded."""
    with closing(_reading(folder)) as log:
        return next(decode_envelope(one).recorded_at for _, one in log.read(log.head().size - 1))


def _import_statements(folder: Path, began: int, ended: int, first: int) -> None:
    """Import the statements of bank and payment provider about evenings, an hour after them."""
    period = in_prague(began).date(), in_prague(ended).date()
    opened = partial(_writing, folder, ended + HOUR)
    with closing(_reading(folder)) as log, TemporaryDirectory() as place:
        found = log.find(MONEY, after=first - 1) if first else log.find(MONEY)
        messages = (message for at in found for message in log.read(at, at + 1))
        issued, _ = issue(messages, period, random=Random(began), mistakes=0)
        for one in issued:
            path = write(one, FORMS[one.name], Path(place))
            issuer = read_issuer(Path(place), one.name)
            first_day, last_day = period
            asked = ReadRequest(path, one.name, issuer, first_day=first_day, last_day=last_day)
            import_file(asked, recorded_statements(log), opened)


def _record_packages(folder: Path) -> None:
    """Build the packages of the first periods, and record them, two hours after the evenings."""
    country = country_of(CZ)
    moment = _moment(folder) + 2 * HOUR
    with (
        closing(_reading(folder)) as log,
        TemporaryDirectory(dir=folder) as place,
        Store.open(Path(place) / "tables") as store,
    ):
        rebuild(log, store, opened=partial(_reading, folder))
        jobs = list(country.pending_jobs(store, country.read_settings(None), moment))
        built = [country.run(store, job, Path(place) / "packages") for job in jobs[:PACKAGES]]
    with _writing(folder, moment) as ledger:
        for one in built:
            if one.command is not None:
                ledger.execute(one.command)
