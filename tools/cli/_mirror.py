"""``mirror``: hold the logs of operators, verified, and sign what is held."""

from __future__ import annotations

from collections import Counter, defaultdict
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ledger.core.clock import SECOND, SystemClock
from ledger.core.errors import LedgerError
from ledger.log.port import envelope_at
from ledger.log.sqlite import SqliteLog
from ledger.tlog.signing import PublicKey
from tools.cli._answering import answers, emits
from tools.cli._help import Commands
from tools.cli._options import HealthPort, Json, settings_of
from tools.cli._output import (
    ProgressMessage,
    counted,
    echo,
    echo_progress,
    facts,
    moment,
    money,
    number,
    table,
)
from tools.cli._stop import stop_on_signals
from tools.cli._witness import CosigningAlgorithm, OfKey, port_tls, show_policy_line, show_proofs
from tools.data import DataDirectory
from tools.data.locations import LOCAL
from tools.mirror.folder import MirrorFolder
from tools.service.address import Address, listening
from tools.signals import wait_for
from tools.web.hosts import allowed_hosts
from tools.witness.proofs import stored_proofs

if TYPE_CHECKING:
    from ledger.tlog.cosigning import CosignerKey
    from ledger.tlog.notes import Note

__all__ = [
    "CopyStatus",
    "GameTotal",
    "MirrorStatus",
    "MirrorTotals",
    "MirroredLog",
    "MissingCopy",
    "NewMirror",
    "app",
    "copies_of",
]

app = Commands("A mirror: holds the logs of operators, verified, and signs what it holds.")

Folder = Annotated[Path, typer.Argument(metavar="DIR", help="Folder of the mirror.")]


@dataclass(frozen=True, slots=True)
class NewMirror:
    """A mirror that was made."""

    folder: str
    key: str


@dataclass(frozen=True, slots=True)
class MirroredLog:
    """A log that is mirrored, the keys that may sign for it, and where it is fetched."""

    log: str
    keys: list[str]
    source: str
    data: str


@dataclass(frozen=True, slots=True)
class CopyStatus:
    """A copy: how many messages are announced, held and signed; when the last was recorded."""

    log: str
    announced: int
    held: int
    signed_at: int | None
    recorded_at: int | None
    source: str
    data: str


@dataclass(frozen=True, slots=True)
class MirrorStatus:
    """The copies of a mirror, and files of proof that a log signed two histories."""

    key: str
    keys: list[str]
    logs: list[CopyStatus]
    misconduct: list[str]


@dataclass(frozen=True, slots=True)
class GameTotal:
    """Play of a game at one operator, in haléř: stakes less what was returned, winnings, result."""

    log: str
    game: str
    stakes: int
    winnings: int
    result: int


@dataclass(frozen=True, slots=True)
class MissingCopy:
    """A log that could not be asked, and why."""

    log: str
    reason: str


@dataclass(frozen=True, slots=True)
class MirrorTotals:
    """Play of a period by operator and game; logs that could not be asked are missing in it."""

    period: str
    games: list[GameTotal]
    missing: list[MissingCopy]


def _show_mirror(made: NewMirror, *, name: str) -> None:
    show_policy_line("mirror", made.folder, name, made.key)


@app.command()
@answers(_show_mirror)
def init(
    folder: Folder,
    *,
    name: Annotated[
        str,
        typer.Option(help="Your name: an address without its scheme, authority.example/mirror."),
    ],
    algorithm: OfKey = CosigningAlgorithm.ED25519,
) -> NewMirror:
    """Make a mirror: its key, and a memory that knows no log yet; or add a key of an algorithm.

    The key signs what is held, and nothing else: a witness has another key and another name.

    Example: `gameledger mirror init held --name authority.example/mirror`
    """
    key = MirrorFolder(folder).create(name, algorithm.algorithm)
    return NewMirror(str(folder), key.public.text)


def _show_added(log: MirroredLog) -> None:
    echo(f"The mirror holds {log.log} from now on; keys that may sign for it: {len(log.keys)}.")
    facts([("from", log.source or "its operator, which sends it"), ("copy", log.data)])


@app.command()
@answers(_show_added)
def add(
    folder: Folder,
    key: Annotated[str, typer.Argument(metavar="KEY", help="Public key of the log, one line.")],
    *,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            metavar="PLACE",
            help="Fetch it: folder or URL of its tiles, or URL of its topic.",
        ),
    ] = "",
) -> MirroredLog:
    """Hold a log from now on, or let one more key sign for it, or fetch it from another place.

    The key comes from the operator by a way that you trust: `gameledger log checkpoint` prints it.
    Without `--from` the operator sends the log, as C2SP tlog-mirror has it. A running mirror takes
    a new place when it is started again.

    Example: `gameledger mirror add held casino.example/live+e86c2460+AepKbGPinFIK… --from https://log.casino.example`
    """
    found, public = MirrorFolder(folder), PublicKey.parse(key)
    found.own_keys()
    with found.turn() as turn:
        memory = turn.add_key(public)
    if source:
        found.set_source(memory.origin, source)
    return MirroredLog(
        memory.origin,
        [one.text for one in memory.keys],
        found.source_of(memory.origin),
        str(found.data_of(memory.origin)),
    )


def _show_status(status: MirrorStatus) -> None:
    facts([("key", key) for key in status.keys])
    rows = [
        (
            one.log,
            number(one.announced),
            number(one.held),
            *("" if at is None else moment(at) for at in (one.signed_at, one.recorded_at)),
            one.data,
        )
        for one in status.logs
    ]
    columns = ("log", "announced", "held", "signed (Prague)", "last record (Prague)", "copy")
    table(columns, rows, nothing="No log is held yet: `gameledger mirror add`.")
    show_proofs(status.misconduct)


@app.command()
@answers(_show_status, end=lambda status: int(bool(status.misconduct)))
def status(folder: Folder) -> MirrorStatus:
    """Show what is held of each log, and proofs of misconduct; exit code 1 if there are any.

    Ask a copy like any other chain: `gameledger --data COPY round list`.

    Example: `gameledger mirror status held`
    """
    found = MirrorFolder(folder)
    proofs = [str(path) for path in stored_proofs(found.misconduct)]
    keys = [key.public.text for key in found.own_keys()]
    return MirrorStatus(keys[0], keys, copies_of(found), proofs)


def copies_of(folder: MirrorFolder) -> list[CopyStatus]:
    """Return how far the copies of a mirror are.

    Raises:
        IntegrityError: the state of the mirror, or a copy, is damaged.

    """
    key = folder.own_keys()[0].public
    copies = []
    for memory in folder.remembered():
        signed = folder.signed(memory.origin)
        copies.append(
            CopyStatus(
                log=memory.origin,
                announced=memory.size,
                held=signed.head.size if signed else 0,
                signed_at=_signed_at(signed, key) if signed else None,
                recorded_at=_recorded_at(folder, memory.origin, signed) if signed else None,
                source=folder.source_of(memory.origin),
                data=str(folder.data_of(memory.origin)),
            )
        )
    return copies


def _signed_at(note: Note, key: CosignerKey) -> int | None:
    lines = [line.signature for line in note.signatures if line.key_id == key.key_id]
    return key.parse_cosignature(lines[-1]).seconds * SECOND if lines else None


def _recorded_at(folder: MirrorFolder, origin: str, signed: Note) -> int:
    with closing(SqliteLog(folder.data_of(origin), writable=False)) as log:
        return envelope_at(log, signed.head.size - 1).recorded_at


@app.command()
@emits(ProgressMessage, is_line=True)
def run(
    ctx: typer.Context,
    folder: Folder,
    *,
    listen: Annotated[
        str,
        typer.Option(
            envvar="GAMELEDGER_MIRROR_LISTEN", metavar="HOST:PORT", help="Where logs come."
        ),
    ] = "127.0.0.1:7413",
    health: HealthPort = None,
    as_json: Json = False,
) -> None:
    """Take and fetch logs, verify, store and sign them, and serve the copies, until SIGTERM.

    Requests are those of C2SP tlog-mirror; HTTPS with `--tls-cert` and `--tls-key` (before
    `mirror`). A message is stored after it was verified, and a checkpoint signed after everything
    that it covers is on disk. A log with a fault is named and held up to it; others go on.

    Example: `gameledger mirror run held --listen 0.0.0.0:7413`
    """
    from tools.mirror.metrics import measure_copies
    from tools.mirror.mirror import Mirror
    from tools.mirror.pulling import Puller
    from tools.mirror.server import serving
    from tools.service.health import ProcessHealth, health_port
    from tools.web.metrics import ChainRegistry

    notify = partial(echo_progress, as_json=as_json)
    environment = settings_of(ctx).environment
    found, hosts = MirrorFolder(folder), allowed_hosts(environment)
    registry = ChainRegistry()
    with ExitStack() as stack:
        mirror = stack.enter_context(closing(Mirror(found, SystemClock(), notify)))
        origins = [memory.origin for memory in found.remembered()]
        measure_copies(registry, origins, mirror.announced, mirror.signed)
        watched = ProcessHealth("mirror", registry, folder)
        stack.enter_context(health_port(health, watched, hosts))
        tls, listener = port_tls(environment), listening(listen)
        stop = stop_on_signals()
        stack.enter_context(serving(mirror, listener, notify, tls=tls, hosts=hosts))
        for origin in origins:
            if place := found.source_of(origin):
                puller = Puller(mirror, origin, place, notify)
                stack.callback(puller.stop)
        watched.enter("holding", ready=True)
        scheme = "https" if tls else "http"
        notify(f"mirror {mirror.keys[0].name} answers at {scheme}://{Address.of(listener)}")
        wait_for(stop)
    notify("stopped")


def _show_totals(totals: MirrorTotals) -> None:
    rows = [
        (one.log, one.game, money(one.stakes), money(one.winnings), money(one.result, sign=True))
        for one in totals.games
    ]
    operators: dict[str, list[GameTotal]] = defaultdict(list)
    for one in totals.games:
        operators[one.game].append(one)
    rows += [
        (
            counted(len(found), "log"),
            game,
            money(sum(one.stakes for one in found)),
            money(sum(one.winnings for one in found)),
            money(sum(one.result for one in found), sign=True),
        )
        for game, found in operators.items()
        if len(found) > 1
    ]
    columns = ("log", "game", "staked CZK", "won CZK", "house result CZK")
    table(columns, rows, nothing=f"Nothing was played in {totals.period}.")
    for copy in totals.missing:
        echo(f"NOT ASKED: {copy.log}: {copy.reason}", style="bold red")


@app.command()
@answers(_show_totals, end=lambda totals: int(bool(totals.missing)))
def totals(
    folder: Folder,
    period: Annotated[str, typer.Argument(metavar="PERIOD", help="Day or month, as 2026-11.")],
) -> MirrorTotals:
    """Sum up play by game over all logs that are held, each from tables of its own copy.

    A copy that can't be asked is named, with exit code 1, and holds no other up.

    Example: `gameledger mirror totals held 2026-11`
    """
    from projections.books.closing import close
    from projections.books.period import read_period
    from tools.cli._project import up_to_date

    asked, found = read_period(period), MirrorFolder(folder)
    found.own_keys()
    lines, missing = [], []
    for memory in found.remembered():
        copy = DataDirectory(found.data_of(memory.origin), LOCAL)
        try:
            with up_to_date(copy) as (store, _):
                closing_of_log = close(store, asked)
        except LedgerError as error:
            missing.append(MissingCopy(memory.origin, str(error)))
            continue
        by_game: dict[str, Counter[str]] = defaultdict(Counter)
        for line in closing_of_log.games:
            sums = by_game[line.game]
            sums["stakes"] += line.stakes - line.returned
            sums["winnings"] += line.winnings
            sums["result"] += line.result
        lines += [
            GameTotal(memory.origin, game, sums["stakes"], sums["winnings"], sums["result"])
            for game, sums in sorted(by_game.items())
            if game
        ]
    return MirrorTotals(period, lines, missing)
