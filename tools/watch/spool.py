"""Position of the watch in the chain and its queued deliveries: one file, one transaction.

Input: the alarms of some messages. Output: queued deliveries. Position and deliveries are stored in
one transaction, so that no alarm is lost when the watch is interrupted; it may be sent twice. The
queue is bounded: when it is full the watch pauses, and continues from the log later.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError
from ledger.storage.durable import make_folder
from ledger.storage.writer_lock import WriterLock
from tools.data.spool_file import SpoolFile
from tools.sanitize import json_line

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tools.watch.watcher import AlarmBatch

__all__ = ["SPOOL_MAX", "Delivery", "Spool"]

SPOOL_MAX = 100_000
"""Deliveries that may wait."""
TABLES = """
CREATE TABLE IF NOT EXISTS place (chain TEXT PRIMARY KEY, position INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS deliveries (
    number INTEGER PRIMARY KEY,
    destination TEXT NOT NULL,
    id TEXT NOT NULL,
    body TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE IF NOT EXISTS beats (
    chain TEXT PRIMARY KEY,
    since INTEGER NOT NULL,
    open TEXT
) STRICT;
CREATE INDEX IF NOT EXISTS next ON deliveries (destination, number);
"""


class Delivery(NamedTuple):
    """An alarm queued for a destination; ``attempts`` is the number of failed attempts so far."""

    number: int
    id: str
    body: bytes
    attempts: int


class Spool:
    """The spool of one watch, for its loop and for the sender threads."""

    def __init__(self, folder: Path, *, most: int = SPOOL_MAX) -> None:
        """Open the file.

        Raises:
            InputError: the file is not a spool.
            AvailabilityError: another watch has the file open, or the disk can't be used.

        """
        self._most = most
        try:
            make_folder(folder)
            self._lock = WriterLock(folder / "watch.lock")
        except OSError as error:
            raise AvailabilityError(f"the spool in {folder} can't be used: {error}") from error
        self._file = SpoolFile(folder / "watch.sqlite", TABLES)

    def close(self) -> None:
        """Close the file."""
        self._file.close()
        self._lock.release()

    def position(self, chain: str) -> int | None:
        """Return the position up to which a chain was examined; None if it never was."""
        found = self._file.rows("SELECT position FROM place WHERE chain = ?", chain)
        return int(found[0][0]) if found else None

    def begin(self, chain: str, position: int) -> None:
        """Record where the watch of a chain begins."""
        with self._file.transaction() as file:
            file.execute("INSERT INTO place VALUES (?, ?)", (chain, position))
            file.execute("INSERT INTO beats VALUES (?, ?, NULL)", (chain, position))

    def last_reconciliation(self, chain: str) -> tuple[int, frozenset[str] | None]:
        """Return where the watch of a chain began, and the alarms of its last reconciliation."""
        ((since, text),) = self._file.rows("SELECT since, open FROM beats WHERE chain = ?", chain)
        return since, None if text is None else frozenset(text.split())

    @property
    def waiting(self) -> int:
        """Number of queued deliveries."""
        return int(self._file.rows("SELECT count(*) FROM deliveries")[0][0])

    def waiting_for(self, destination: str) -> int:
        """Return the number of deliveries queued for a destination."""
        sql = "SELECT count(*) FROM deliveries WHERE destination = ?"
        return int(self._file.rows(sql, destination)[0][0])

    def is_full(self, destinations: Iterable[str]) -> bool:
        """Return whether the queues of these destinations together have reached the limit."""
        return sum(map(self.waiting_for, destinations)) >= self._most

    def destinations(self) -> list[str]:
        """Return the destinations that have queued deliveries."""
        return [name for (name,) in self._file.rows("SELECT DISTINCT destination FROM deliveries")]

    def keep(self, chain: str, seen: AlarmBatch) -> None:
        """Store the position of the watch and queue the deliveries, in one transaction."""
        rows = [
            (destination, alarm.id, json_line(alarm))
            for alarm, destinations in seen.alarms
            for destination in destinations
        ]
        with self._file.transaction() as file:
            file.execute("INSERT OR REPLACE INTO place VALUES (?, ?)", (chain, seen.position))
            if seen.open is not None:
                names = " ".join(sorted(seen.open))
                file.execute("UPDATE beats SET open = ? WHERE chain = ?", (names, chain))
            file.executemany(
                "INSERT INTO deliveries (destination, id, body) VALUES (?, ?, ?)", rows
            )

    def next_of(self, destination: str) -> Delivery | None:
        """Return the oldest delivery queued for a destination, if any."""
        sql = (
            "SELECT number, id, body, attempts FROM deliveries WHERE destination = ? "
            "ORDER BY number LIMIT 1"
        )
        for number, name, body, attempts in self._file.rows(sql, destination):
            return Delivery(number, name, body.encode(), attempts)
        return None

    def delivered(self, number: int) -> None:
        """Remove a delivery that its destination accepted."""
        with self._file.transaction() as file:
            file.execute("DELETE FROM deliveries WHERE number = ?", (number,))

    def failed(self, number: int) -> None:
        """Count a failed attempt."""
        with self._file.transaction() as file:
            file.execute(
                "UPDATE deliveries SET attempts = attempts + 1 WHERE number = ?", (number,)
            )
