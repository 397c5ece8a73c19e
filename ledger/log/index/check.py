"""Check during a verification that the index holds exactly the entries of the messages.

What comes in: the entries that each verified segment requires. What goes out: the size up to which
the index was compared. Only a count and a sum are stored (``ledger.log.index.sums``), so memory
stays constant.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from secrets import token_bytes
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError, LedgerError
from ledger.log.index.entries import DamagedEntriesError
from ledger.log.index.sums import Keys, KeySums
from ledger.log.index.tag_index import open_to_read
from ledger.storage.sqlite_errors import explain, is_damage

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import ReadableLog
    from ledger.verification.segments import IndexableSegment

__all__ = ["IndexCheck", "read_index_sums"]

_SECRET_BYTES = 32


class IndexCheck:
    """Comparison of one index with its log, up to the size of the index at the start."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Read the size of the index; without an index of this version nothing is compared."""
        self._path = path
        self._log = log
        self._expected = KeySums()
        self._fault: LedgerError | None = None
        size = 0
        try:
            size, _ = read_index_sums(path, log, None)
        except LedgerError as error:
            self._fault = error
        self.keys = Keys(token_bytes(_SECRET_BYTES), size)

    def expected(self, segment: IndexableSegment) -> KeySums:
        """Return the sums that the index must hold for a segment of a chain."""
        return self.keys.expected_sums(segment)

    def add(self, due: KeySums) -> None:
        """Add the sums of the next segment."""
        self._expected += due

    def finish(self, index_sums: tuple[int, KeySums] | None = None) -> int:
        """Compare after all segments were added; return the size that was compared.

        Args:
            index_sums: the result of :func:`read_index_sums`, if it is known already.

        Raises:
            IntegrityError: the index is damaged, or does not match the messages.
            AvailabilityError: it cannot be read now.

        """
        if self._fault is not None:
            raise self._fault
        if self._expected.foreign is not None:
            cause = f"message {self._expected.foreign} is of a schema that its maker did not know"
            raise _differs(self._path, cause)
        size, sums = index_sums or read_index_sums(self._path, self._log, self.keys)
        if size < self.keys.size:
            return 0  # it was rebuilt meanwhile
        if sums != self._expected:
            cause = f"it holds {sums.number} entries of them, and {self._expected.number} are due"
            raise _differs(self._path, cause)
        return self.keys.size


def read_index_sums(path: Path, log: ReadableLog, keys: Keys | None) -> tuple[int, KeySums]:
    """Return the size of an index, 0 if there is none, and the sums of some of its keys.

    Raises:
        IntegrityError: it is damaged.
        AvailabilityError: it can't be read now.

    """
    try:
        opened = open_to_read(path, log)
        if opened is None:
            return 0, KeySums()
        connection, watermark = opened
        with closing(connection):
            sums = keys.stored_sums(connection) if keys is not None and keys.size else KeySums()
            return watermark.size, sums
    except DamagedEntriesError as error:
        raise _differs(path, "its watermark or entries contradict them") from error
    except sqlite3.Error as error:
        if is_damage(error):
            raise _differs(path, "its file is damaged") from error
        raise explain(error, path) from error


def _differs(path: Path, cause: str) -> IntegrityError:
    return IntegrityError(
        f"{path} does not hold what the messages give: {cause}. It decides "
        "which commands are known: stop the writer and delete it, it is rebuilt at the next start"
    )
