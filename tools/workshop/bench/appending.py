"""Measure appending to the log alone, and to raw SQLite with the same bytes.

A chain of real events is created once in memory; its messages are appended in transactions of
several sizes that end with decisions.
"""

from __future__ import annotations

import sqlite3
import statistics
import time
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING

from ledger.log.memory import MemoryLog
from ledger.log.sqlite import SqliteLog
from tools.workshop.bench.load import begin, lengthen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ledger.core.message import Head, Message

__all__ = ["appends", "batches", "messages_made"]

RUNS = 3
APPENDED = {1: 2_000, 100: 40_000, 1_000: 100_000}
"""Messages of one run, about, by messages of a transaction."""


def messages_made(events: int, folder: Path) -> list[Message]:
    """Make a chain in memory, of real events with a set-up that was decided."""
    log = _RecordingLog()
    begin(folder / "made", log=log).close()
    lengthen(log, events)
    return log.kept


class _RecordingLog(MemoryLog):
    """A log that records what is appended, and stays open when its ledger is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.kept: list[Message] = []

    def append(self, messages: Sequence[Message]) -> Head:
        self.kept += messages
        return super().append(messages)

    def close(self) -> None:
        """Stay open."""


def batches(messages: list[Message], size: int) -> Iterator[list[Message]]:
    """Cut where decisions end, so that every batch has at least that many messages."""
    batch: list[Message] = []
    for message, following in zip(messages, [*messages[1:], None], strict=True):
        batch.append(message)
        is_end = following is None or following.command_id is not None
        if is_end and len(batch) >= size:
            yield batch
            batch = []


def appends(folder: Path) -> dict[int, dict[str, float]]:
    """Append to the log and to raw SQLite by turns; messages a second, by size of transaction."""
    messages = messages_made(max(APPENDED.values()), folder)
    found: dict[int, dict[str, float]] = {}
    for size, count in APPENDED.items():
        cut = list(islice(batches(messages, size), count // size))
        rates: dict[str, list[float]] = {"ours": [], "raw": []}
        for run in range(RUNS):
            rates["raw"].append(_raw(cut, folder / f"raw-{size}-{run}.sqlite"))
            rates["ours"].append(_ours(cut, folder / f"ours-{size}-{run}"))
        found[size] = {whose: statistics.median(values) for whose, values in rates.items()}
    return found


def _ours(cut: list[list[Message]], folder: Path) -> float:
    """Append with index and tree; what the index's process has left at the end is waited for."""
    log = SqliteLog(folder, writable=True)
    started = time.perf_counter()
    for batch in cut:
        log.append(batch)
    log.close()
    return sum(map(len, cut)) / (time.perf_counter() - started)


def _raw(cut: list[list[Message]], path: Path) -> float:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.execute("PRAGMA synchronous = FULL")
        file.execute("CREATE TABLE message (position INTEGER PRIMARY KEY, body BLOB NOT NULL)")
        started = time.perf_counter()
        for batch in cut:
            file.execute("BEGIN IMMEDIATE")
            file.executemany(
                "INSERT INTO message VALUES (?, ?)", [(one.position, one.body) for one in batch]
            )
            file.execute("COMMIT")
        return sum(map(len, cut)) / (time.perf_counter() - started)
