"""Number and seal what a feed sends (ADR 0057).

What comes in: commands before they are sent, each entered once by its identifier, so that a command
which is sent again after a crash keeps its number. What goes out: seals, which wait in the spool
while no writer answers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import NAMESPACE_OID, uuid5

from msgspec.structs import replace

from ledger.decisions.operator.sources import SealSource
from ledger.tlog.source_seals import COMMANDS_MAX, SealStatement
from tools.data.spool_file import SpoolFile

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from ledger.core.clock import Clock
    from ledger.events.command import Command
    from ledger.tlog.source_seals import SourceKey
    from tools.service.client import AnyLedger

__all__ = ["FeedSealer"]

SCHEMA = """
CREATE TABLE IF NOT EXISTS sent (number INTEGER PRIMARY KEY, command_id BLOB NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS seals
(
    seal INTEGER PRIMARY KEY,
    first INTEGER NOT NULL,
    end INTEGER NOT NULL,
    until INTEGER NOT NULL,
    is_last INTEGER NOT NULL,
    is_recorded INTEGER NOT NULL DEFAULT 0
);
"""


class FeedSealer:
    """Numbers and seals the commands of one feed.

    Args:
        spool: file of the feed's spool.
        key: of the source, with its certificate.
        chain: name of the chain.
        system: name under which it is registered.
        clock: of this machine.
        interval: time between two seals, in microseconds.

    """

    def __init__(
        self, spool: Path, key: SourceKey, *, chain: str, system: str, clock: Clock, interval: int
    ) -> None:
        """Open a connection to the spool."""
        self._file = SpoolFile(spool, SCHEMA)
        self._key, self._chain, self._system = key, chain, system
        self._clock, self._interval = clock, interval
        self._not_before = 0

    def close(self) -> None:
        """Close the connection."""
        self._file.close()

    def enter(self, commands: Iterable[Command]) -> None:
        """Number commands before they are sent; one that was entered keeps its number."""
        identifiers = [one.command_id.bytes for one in commands if one.command_id is not None]
        with self._file.transaction() as file:
            for identifier in identifiers:
                file.execute(
                    "INSERT OR IGNORE INTO sent SELECT coalesce(max(number), 0) + 1, ? FROM sent",
                    (identifier,),
                )

    def postpone(self) -> None:
        """Seal no earlier than after an interval, because the ledger rejects the seals."""
        self._not_before = self._clock.now() + self._interval

    def seal(self, ledger: AnyLedger, *, is_last: bool = False) -> None:
        """Seal what was entered, if it is time or nothing more comes; send the seals that wait.

        Raises:
            AvailabilityError: the ledger or the disk is unavailable; the seals wait.
            LedgerError: the ledger rejects a seal.

        """
        if self._clock.now() < self._not_before:
            return
        self._make(is_last=is_last)
        rows = self._file.rows(
            "SELECT seal, first, end, until, is_last FROM seals WHERE NOT is_recorded ORDER BY seal"
        )
        for seal, first, end, until, last in rows:
            commands = self._file.rows(
                "SELECT command_id FROM sent WHERE number >= ? AND number < ? ORDER BY number",
                first,
                end,
            )
            statement = SealStatement.over(
                [one for (one,) in commands],
                chain=self._chain,
                system=self._system,
                first=first,
                until=until,
                is_last=bool(last),
            )
            command = SealSource.of(statement, self._key, source=self._system)
            name = f"{self._chain}|{self._system}|{first}|{end}|{until}"
            ledger.execute(replace(command, command_id=uuid5(NAMESPACE_OID, name)))
            with self._file.transaction() as file:
                file.execute("UPDATE seals SET is_recorded = 1 WHERE seal = ?", (seal,))

    def _make(self, *, is_last: bool) -> None:
        """Store the next seals; the first interval without a command ends with a last seal."""
        now = self._clock.now()
        with self._file.transaction() as file:
            last = file.execute(
                "SELECT end, until, is_last FROM seals ORDER BY seal DESC LIMIT 1"
            ).fetchone()
            first, sealed_at, is_paused = last or (1, 0, 1)
            (end,) = file.execute("SELECT coalesce(max(number), 0) + 1 FROM sent").fetchone()
            if (first == end and is_paused) or not (is_last or now >= sealed_at + self._interval):
                return
            is_last |= first == end
            while True:
                part = min(end, first + COMMANDS_MAX)
                file.execute(
                    "INSERT INTO seals (first, end, until, is_last) VALUES (?, ?, ?, ?)",
                    (first, part, now, is_last and part == end),
                )
                first = part
                if part == end:
                    return
