"""One measured step in a separate process, so that its peak memory is its own.

A module of the benchmarks has a table ``STEPS`` of functions that take a folder and return a
dictionary; ``python -m tools.workshop.bench --step MODULE NAME FOLDER`` prints it as JSON.
"""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from ledger.core.message import BODY_OFFSET

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas import Schema

__all__ = [
    "STEP",
    "StepMeasurement",
    "command_of",
    "decode_bare",
    "decode_rows",
    "measure",
    "memory_mb",
    "peak_mb",
    "plain",
    "rebuild",
    "resettle",
    "verify",
]


STEP = "--step"


class StepMeasurement(NamedTuple):
    """What a step processed, and how long that took, without opening log and tables."""

    events: int
    seconds: float


def command_of(module: str, name: str, folder: Path, *more: str) -> list[str]:
    """Return the command that runs a step."""
    return [sys.executable, "-m", "tools.workshop.bench", STEP, module, name, str(folder), *more]


def measure(name: str, folder: Path, *more: str, module: str = "steps") -> dict[str, Any]:
    """Run a step in a process of its own and return what it measured, and its peak memory in MB."""
    command = command_of(module, name, folder, *more)
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603 - our own module
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def plain(folder: Path) -> StepMeasurement:
    """Read every message from SQLite and take its SHA-256, the least that a verification does."""
    with closing(sqlite3.connect(folder / "log.sqlite")) as file:
        started = time.perf_counter()
        rows = file.execute("SELECT body FROM message ORDER BY position")
        size = sum(1 for (body,) in rows if sha256(body).digest())
        return StepMeasurement(size, time.perf_counter() - started)


def verify(folder: Path, *, index: str = "none", reads_facts: bool = True) -> StepMeasurement:
    """Verify the whole chain by the reference.

    Args:
        folder: of the log.
        index: name of the one to compare, if there is a file of that name.
        reads_facts: or only links, envelopes, tree and signatures.

    """
    from ledger.log.index.check import verify_log
    from ledger.log.sqlite import SqliteLog

    with closing(SqliteLog(folder, writable=False)) as log:
        started = time.perf_counter()
        found, _ = verify_log(log, folder / index, reads_facts=reads_facts)
        return StepMeasurement(found.head.size, time.perf_counter() - started)


def rebuild(folder: Path, *, has_views: bool = True) -> StepMeasurement:
    """Rebuild all tables of a store.

    Args:
        folder: of the log.
        has_views: or the baseline: the same blocks into the same tables, and no view over them.

    """
    from ledger.log.sqlite import SqliteLog
    from projections.store.definitions import needed
    from projections.store.rebuild import rebuild as rebuild_all
    from projections.store.tables import Store

    class Bare(Store):
        """Tables alone."""

        def provide(self, *names: str) -> None:
            for name in names:
                self.command(needed(frozenset({name}))[name])

    opened = partial(SqliteLog, folder, writable=False)
    tables = Store if has_views else Bare
    with closing(opened()) as log, tables.open(_left(folder)) as store:
        started = time.perf_counter()
        size = rebuild_all(log, store, opened=opened).head.size
        return StepMeasurement(size, time.perf_counter() - started)


def _left(folder: Path) -> str:
    """Make a folder for tables, which are left there.

    For some minutes ext4 looks longer for the place of a new file where many were deleted: 0.3 s of
    a thousand tables and views that are made, as much as 1.5 after several runs.
    """
    return tempfile.mkdtemp(prefix="gameledger-bench-", dir=folder)


def decode_rows(folder: Path) -> StepMeasurement:
    """Baseline of the rebuild: rows decoded by the ledger's own decoder, inserted as columns."""
    from msgspec.structs import asdict

    from ledger.events.encoding import decode

    def rows(_: Schema, messages: list[bytes]) -> list[dict[str, Any]]:
        return [{**asdict(read.envelope), **asdict(read.event)} for read in map(decode, messages)]

    return _insert_columns(folder, rows)


def decode_bare(folder: Path) -> StepMeasurement:
    """Baseline of the rebuild: rows decoded by bare fastavro, inserted as columns."""
    from io import BytesIO

    from fastavro import schemaless_reader

    def rows(schema: Schema, messages: list[bytes]) -> list[Any]:
        bodies = (BytesIO(message[BODY_OFFSET:]) for message in messages)
        return [schemaless_reader(body, schema.parsed, None) for body in bodies]

    return _insert_columns(folder, rows)


def _insert_columns(
    folder: Path, rows_of: Callable[[Schema, list[bytes]], list[Any]]
) -> StepMeasurement:
    """Rebuild as one would write it first, in one thread: the same checks and tables.

    Check the links, decode each body, turn the rows into columns, insert them.
    """
    import schemas
    from ledger.core.message import EMPTY
    from ledger.log.sqlite import SqliteLog
    from projections.store.blocks import blocks
    from projections.store.projector import MESSAGES_MAX
    from projections.store.tables import Store

    catalogue = schemas.catalogue()
    log = SqliteLog(folder, writable=False)
    head = EMPTY
    with Store.open(_left(folder)) as store:
        started = time.perf_counter()
        with store.new_generation() as fresh:
            client: Any = fresh._client  # noqa: SLF001 - the baseline goes past insert_avro
            for block in blocks(log.read(), head, catalogue, messages_max=MESSAGES_MAX):
                for fingerprint, messages in block.groups.items():
                    schema = catalogue[fingerprint]
                    fresh.provide(schema.name)
                    names = [field["name"] for field in schema.raw["fields"]]
                    rows = rows_of(schema, messages)
                    columns = [[row[name] for row in rows] for name in names]
                    client.insert(schema.name, columns, column_names=names, column_oriented=True)
                head, recorded_at = block.head, block.recorded_at
                fresh.set_head(head, recorded_at)
            fresh.activate()
        seconds = time.perf_counter() - started
    log.close()
    return StepMeasurement(head.size, seconds)


def resettle(folder: Path) -> StepMeasurement:
    """Settle the bets of a recorded evening of all studio games again, in processor time.

    Facts are read and limits looked up before; a first pass loads what is loaded once.
    """
    from ledger.log.sqlite import SqliteLog
    from projections.checks.rounds import check_round
    from projections.resettlement.limits import LimitsBook
    from projections.resettlement.round_history import replay_rounds
    from projections.store.projector import Projector
    from projections.store.tables import Store
    from tools import simulator

    with simulator.create(SqliteLog(folder, writable=True), folder / "keys") as ledger:
        simulator.run(ledger)
    log = SqliteLog(folder, writable=False)
    with Store.open(_left(folder)) as store:
        size = Projector(log, store).catch_up().head.size
        limits = LimitsBook(store, size)
        evening = [(history, limits.at_opening(history)) for history in replay_rounds(store, size)]
    log.close()
    bets, seconds = 0, 0.0
    for _ in range(2):
        started = time.process_time()
        bets = sum(check_round(history, limit, {}).bets for history, limit in evening)
        seconds = time.process_time() - started
    return StepMeasurement(bets, seconds)


_MEASURED: dict[str, Callable[[Path], StepMeasurement]] = {
    "plain": plain,
    "verify": verify,
    "verify_index": partial(verify, index="index.sqlite"),
    "links": partial(verify, reads_facts=False),
    "rebuild": rebuild,
    "without_views": partial(rebuild, has_views=False),
    "decode_rows": decode_rows,
    "decode_bare": decode_bare,
    "resettle": resettle,
}


def _as_fields(step: Callable[[Path], StepMeasurement], folder: Path) -> dict[str, Any]:
    return step(folder)._asdict()


STEPS = {name: partial(_as_fields, step) for name, step in _MEASURED.items()}


def peak_mb() -> float:
    """Return the most memory that this process had; getrusage may tell its parent's."""
    return memory_mb("VmHWM")


def memory_mb(what: Literal["VmHWM", "VmRSS"], of: int | str = "self") -> float:
    """Return how much memory a process had at most (VmHWM), or has resident (VmRSS)."""
    lines = Path(f"/proc/{of}/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith(f"{what}:"))
