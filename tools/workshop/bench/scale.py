"""What an event costs as a log grows.

One log is made longer in steps. At each of them it is verified with a process for each core and
rebuilt; then a round, an account and the package of a period are asked for, the first ones and the
last. What is flat costs the same at every size. Each step runs in a process of its own, so that its
memory is its own. In a folder where such a log is, it goes on from there.
"""

from __future__ import annotations

import json
import math
import resource
import shutil
import statistics
import sys
import time
from contextlib import closing
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rich.table import Table

from ledger.events.encoding import decode_envelope
from ledger.log.port import Query, events_at
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.state.ledger_state import LedgerState
from tools.garbage import collect_seldom
from tools.workshop.bench.load import (
    ACCOUNTS,
    OPERATOR,
    ROUND_MICROSECONDS,
    SEED,
    START,
    begin,
    lengthen,
    states_of,
)
from tools.workshop.bench.machine import machine, show
from tools.workshop.bench.steps import measure, peak_mb

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence

    from ledger.core.message import Head, Message

__all__ = ["grow", "run"]

ASKED = 20
"""Rounds and accounts that are asked for; the median is reported."""


class _TimedLog(SqliteLog):
    """Count what is appended, and the processor time it takes."""

    seconds, added = 0.0, 0

    def append(self, messages: Sequence[Message]) -> Head:
        """Append, and count."""
        began = time.process_time()
        head = super().append(messages)
        self.seconds += time.process_time() - began
        self.added += len(messages)
        return head

    def close(self) -> None:
        """Close, and count what the process used that wrote the index."""
        began = _of_children()
        super().close()
        self.seconds += _of_children() - began


def grow(sizes: Sequence[int], folder: Path) -> list[dict[str, float]]:
    """Return the figures of each size; each is printed on standard error as soon as it is there."""
    if not (folder / "log.sqlite").exists():
        begin(folder).close()
    states, rows = states_of(folder), []
    for aim in sizes:
        with closing(_TimedLog(folder, writable=True)) as timed:
            moment = _moment(timed)
            rounds = (moment - START) // ROUND_MICROSECONDS
            lengthen(timed, aim, start=moment, states=states, first_round=rounds)
            size, moment = timed.head().size, _moment(timed)
        verified, rebuilt = measure("verify", folder), measure("rebuild", folder)
        for left in folder.glob("gameledger-bench-*"):
            shutil.rmtree(left)
        rounds = (moment - START) // ROUND_MICROSECONDS
        asked = _measured("questions", folder, rounds)
        packaged = _measured("package", folder, rounds)
        rows.append(
            {
                "events": size,
                "append, µs of processor an event": timed.seconds / timed.added * 1e6
                if timed.added
                else math.nan,
                "verify, µs an event": verified["seconds"] / size * 1e6,
                "verify, MB": verified["peak_mb"],
                "rebuild, µs an event": rebuilt["seconds"] / size * 1e6,
                "rebuild, MB": rebuilt["peak_mb"],
                **asked,
                **packaged,
                "log, bytes an event": _bytes(folder, "log.sqlite*") / size,
                "index and tree, bytes an event": _bytes(folder, "[it][nr]*.sqlite*") / size,
            }
        )
        print(json.dumps(rows[-1], ensure_ascii=False), file=sys.stderr, flush=True)
    return rows


def _moment(log: SqliteLog) -> int:
    """Return when the last message was recorded."""
    return next(decode_envelope(body).recorded_at for _, body in log.read(log.head().size - 1))


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _bytes(folder: Path, pattern: str) -> int:
    return sum(file.stat().st_size for file in folder.glob(pattern))


def _keys(folder: Path) -> KeyStore:
    return KeyStore(folder / "keys")


def _measured(step: str, folder: Path, rounds: int) -> dict[str, float]:
    """Run a step in a process of its own."""
    found = measure(step, folder, str(rounds), module="scale")
    return {name: value for name, value in found.items() if name != "peak_mb"}


def _questions(folder: Path, rounds: str) -> dict[str, float]:
    """Read rounds from all over the log, and accounts that are not in memory."""
    with closing(SqliteLog(folder, writable=False)) as log, closing(_keys(folder)) as keys:
        ledger_state = LedgerState(log, keys)
        names = [f"b{int(rounds) * at // ASKED}" for at in range(ASKED)]
        found = {
            "one round, ms of processor": _median(
                [_timed(partial(_round, log, name)) for name in names]
            ),
            "one account, ms of processor": _median(
                [_timed(partial(ledger_state.account, name)) for name in ACCOUNTS[:ASKED]]
            ),
        }
    return {**found, "reader, MB": peak_mb()}


def _round(log: SqliteLog, name: str) -> int:
    return sum(1 for _ in events_at(log, log.find(Query(tags=(f"round:{name}",)))))


def _timed(ask: Callable[[], object]) -> float:
    began = time.process_time()
    ask()
    return (time.process_time() - began) * 1000


def _median(found: list[float]) -> float:
    return statistics.median(found)


def _package(folder: Path, _: str) -> dict[str, float]:
    """Build the package of the first period; the tables are made before and not counted."""
    from projections.packages.cz.build import build, cut_of
    from projections.packages.cz.periods import period_of
    from projections.packages.cz.settings import Settings
    from projections.store.rebuild import rebuild
    from projections.store.tables import Store

    opened = partial(SqliteLog, folder, writable=False)
    with (
        closing(opened()) as log,
        TemporaryDirectory(dir=folder) as place,
        Store.open(Path(place) / "tables") as store,
    ):
        rebuild(log, store, opened=opened)
        name = period_of(OPERATOR, START)
        began = time.perf_counter()
        build(store, cut_of(store, name, Settings()), Path(place) / "packages")
        seconds = time.perf_counter() - began
        tables = sum(file.stat().st_size for file in Path(place).rglob("*") if file.is_file())
        return {"one package, s": seconds, "tables, bytes an event": tables / log.head().size}


STEPS = {"questions": _questions, "package": _package}


def run(asked: argparse.Namespace) -> None:
    """Make the log so long, one size after the other, and print what an event costs."""
    collect_seldom()
    with TemporaryDirectory() as place:
        rows = grow([int(size) for size in asked.sizes.split(",")], Path(asked.folder or place))
    table = Table(title="scale", title_justify="left")
    table.add_column("what")
    for row in rows:
        table.add_column(f"{row['events']:,} events", justify="right")
    for what in [name for name in rows[0] if name != "events"]:
        table.add_row(what, *(f"{row[what]:,.1f}" for row in rows))
    show(table, machine("chdb", "msgspec", seed=str(SEED)))
