"""Where the watch is in the chain, and what it has still to deliver: one file, one transaction.

What comes in: what was seen of some messages. What goes out: deliveries that wait. Position and
deliveries are recorded together, so that whatever stops the watch, no alarm is lost, and at most
told once more. There is a bound to what waits: a full spool takes nothing, the watch then stands,
and the log itself keeps what is to come.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError
from ledger.log.standby import WriterLock
from tools.plain import json_line

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.watch.watcher import Seen

__all__ = ["SPOOL_MAX", "Delivery", "Spool"]

SPOOL_MAX = 100_000
"""Deliveries that may wait."""
TABLES = """
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
CREATE TABLE IF NOT EXISTS place (chain TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS deliveries (
    number INTEGER PRIMARY KEY,
    destination TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX IF NOT EXISTS next ON deliveries (destination, number);
"""


class Delivery(NamedTuple):
    """An alarm on its way to a destination; ``attempts`` failed so far."""

    number: int
    id: str
    body: bytes
    attempts: int


class Spool:
    """The spool of one watch, for its loop and for the threads that deliver."""

    def __init__(self, folder: Path, *, most: int = SPOOL_MAX) -> None:
        """Open it.

        Raises:
            AvailabilityError: another watch has it, or the disk can't be used.

        """
        self._most, self._using = most, Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = WriterLock(folder / "watch.lock")
            self._file = sqlite3.connect(folder / "watch.sqlite", check_same_thread=False)
            self._file.executescript(TABLES)
        except (OSError, sqlite3.Error) as error:
            raise AvailabilityError(f"the spool in {folder} can't be used: {error}") from error

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
        self._lock.release()

    def position(self, chain: str) -> int | None:
        """Return up to where a chain was looked at; None where it never was."""
        with self._asking("SELECT position FROM place WHERE chain = ?", chain) as found:
            row = found.fetchone()
        return None if row is None else int(row[0])

    @property
    def waiting(self) -> int:
        """How many deliveries wait."""
        with self._asking("SELECT count(*) FROM deliveries") as found:
            return int(found.fetchone()[0])

    def waiting_for(self, destination: str) -> int:
        """How many deliveries to a destination wait."""
        sql = "SELECT count(*) FROM deliveries WHERE destination = ?"
        with self._asking(sql, destination) as found:
            return int(found.fetchone()[0])

    @property
    def is_full(self) -> bool:
        """Is there no room?"""
        return self.waiting >= self._most

    def keep(self, chain: str, seen: Seen) -> None:
        """Record where the watch is, and what is to be delivered."""
        rows = [
            (destination, alarm.id, json_line(alarm))
            for alarm, destinations in seen.alarms
            for destination in destinations
        ]
        with self._using, _told(), self._file:
            self._file.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (chain, seen.position))
            self._file.executemany(
                "INSERT INTO deliveries (destination, id, body) VALUES (?, ?, ?)", rows
            )

    def next_of(self, destination: str) -> Delivery | None:
        """Return what waits longest for a destination."""
        sql = (
            "SELECT number, id, body, attempts FROM deliveries WHERE destination = ? "
            "ORDER BY number LIMIT 1"
        )
        with self._asking(sql, destination) as found:
            row = found.fetchone()
        return None if row is None else Delivery(row[0], row[1], row[2].encode(), row[3])

    def delivered(self, number: int) -> None:
        """Forget a delivery that was taken."""
        with self._using, _told(), self._file:
            self._file.execute("DELETE FROM deliveries WHERE number = ?", (number,))

    def failed(self, number: int) -> None:
        """Count a failure."""
        with self._using, _told(), self._file:
            self._file.execute(
                "UPDATE deliveries SET attempts = attempts + 1 WHERE number = ?", (number,)
            )

    @contextmanager
    def _asking(self, sql: str, *values: str) -> Iterator[sqlite3.Cursor]:
        with self._using, _told(), closing(self._file.execute(sql, values)) as found:
            yield found


@contextmanager
def _told() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise AvailabilityError(f"the spool of the watch can't be used: {error}") from error
