"""Does the index hold exactly what the messages give? Answered beside a reading of the whole log.

What comes in: what a verification scanned of each message. What goes out: the size up to which
the index was compared. Kept are two numbers, a count and a sum of hashes under a key of this
process, so memory stays flat; a difference is certain, agreement is but for a chance of 1 in 2^64.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError, LedgerError
from ledger.core.sqlite_errors import explain, is_damage
from ledger.log.index.entries import DamagedEntriesError
from ledger.log.index.search import keys_held, keys_of
from ledger.log.index.tag_index import open_to_read

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.log.port import ReadableLog

__all__ = ["IndexCheck"]

_MODULUS = 1 << 64


class IndexCheck:
    """The comparison of one index with its log, up to where the index goes at the start."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Look how far the index goes; nothing is compared if there is none of this version."""
        self._path = path
        self._log = log
        self._size = self._due = self._sum = 0
        self._fault: LedgerError | None = None
        try:
            self._size, _, _ = self._held(0)
        except LedgerError as error:
            self._fault = error

    def note(
        self,
        position: int,
        event_type: str,
        tags: Sequence[bytes],
        command_id: bytes | None,
        size: int,
    ) -> None:
        """Take note of what the index has to hold of the next message; see ``verify``."""
        if position >= self._size or self._fault is not None:
            return
        if not event_type:
            cause = f"message {position} is of a schema that its maker did not know"
            self._fault = self._differs(cause)
            return
        keys = keys_of(position, event_type, tags, command_id, size)
        self._due += len(keys)
        self._sum += sum(map(hash, keys))

    def finish(self) -> int:
        """Compare, once all messages were noted, and give the size that was compared.

        Raises:
            IntegrityError: the index is damaged, or does not hold what the messages give.
            AvailabilityError: it can't be read now.

        """
        if self._fault is not None:
            raise self._fault
        size, held, found = self._held(self._size)
        if size < self._size:
            return 0  # it was begun anew meanwhile
        if (held, found) != (self._due, self._sum % _MODULUS):
            raise self._differs(f"it holds {held} entries of them, and {self._due} are due")
        return self._size

    def _held(self, before: int) -> tuple[int, int, int]:
        """Return the size of the index, and number and sum of what it holds before a position."""
        held = found = 0
        try:
            opened = open_to_read(self._path, self._log)
            if opened is None:
                return 0, 0, 0
            connection, watermark = opened
            with closing(connection):
                for key in keys_held(connection, before) if before else ():
                    held += 1
                    found += hash(key)
        except DamagedEntriesError as error:
            raise self._differs("its entries contradict themselves") from error
        except sqlite3.Error as error:
            if is_damage(error):
                raise self._differs("its file is damaged") from error
            raise explain(error, self._path) from error
        return watermark.size, held, found % _MODULUS

    def _differs(self, cause: str) -> IntegrityError:
        return IntegrityError(
            f"{self._path} does not hold what the messages give: {cause}. It decides "
            "which commands are known: stop the writer and delete it, it is built anew at the start"
        )
