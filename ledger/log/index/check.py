"""Check during a verification that the index holds exactly the entries of the messages.

What comes in: each verified message. What goes out: the size up to which the index was compared.
Only a count and a sum are stored (``ledger.log.index.sums``), so memory stays constant.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from secrets import token_bytes
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError, LedgerError
from ledger.core.message import BLOCK
from ledger.log.index.entries import DamagedEntriesError
from ledger.log.index.search import TYPES
from ledger.log.index.sums import IndexedMessage, Keys, KeySums
from ledger.log.index.tag_index import open_to_read
from ledger.storage.sqlite_errors import explain, is_damage
from ledger.verification.verify import verify

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from ledger.tlog.signing import Checkpoint
    from ledger.verification.verify import VerificationResult

__all__ = ["IndexCheck", "read_index_sums", "verify_log"]

_SECRET_BYTES = 32


def verify_log(
    log: ReadableLog,
    index: Path,
    *,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    reads_facts: bool = True,
    progress: Callable[[int], None] | None = None,
) -> tuple[VerificationResult, int]:
    """Verify a log from its first message to its last, and its index.

    Args:
        log: the log.
        index: path of the index file.
        keys: see ``ledger.verification.verify.verify``.
        since: likewise.
        reads_facts: likewise; if False, the index is not compared.
        progress: likewise.

    Returns:
        The result, and the size up to which the index was compared.

    Raises:
        IntegrityError: the first fault, with its position.
        AvailabilityError: the log can't be read, or a temporary file can't be used.

    """
    check = IndexCheck(index, log) if reads_facts else None
    found = verify(
        log.read(0, log.head().size),
        keys=keys,
        since=since,
        progress=progress,
        index=check,
        reads_facts=reads_facts,
    )
    return found, check.finish() if check else 0


class IndexCheck:
    """Comparison of one index with its log, up to the size of the index at the start."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Read the size of the index; without an index of this version nothing is compared."""
        self._path = path
        self._log = log
        self._expected = KeySums()
        self._waiting: list[IndexedMessage] = []
        self._foreign: int | None = None
        self._fault: LedgerError | None = None
        size = 0
        try:
            size, _ = read_index_sums(path, log, None)
        except LedgerError as error:
            self._fault = error
        self.keys = Keys(token_bytes(_SECRET_BYTES), size)

    def add(
        self, position: int, event_type: str, tags: Sequence[bytes], command: bytes, size: int
    ) -> None:
        """Add the next message; see ``ledger.verification.chain_verifier.IndexChecker``."""
        if position >= self.keys.size:
            return
        number = TYPES.get(event_type)
        if number is None:
            self._foreign = position if self._foreign is None else self._foreign
            return
        self._waiting.append(IndexedMessage(position, number, tags, command, size))
        if len(self._waiting) >= BLOCK:
            self._sum()

    def expect(self, sums: KeySums, foreign: int | None) -> None:
        """Take the sums of all messages from another verifier, instead of the messages.

        Args:
            sums: those of the first ``keys.size`` messages.
            foreign: first message of a type that it does not know.

        """
        self._expected, self._foreign = sums, foreign

    def finish(self) -> int:
        """Compare after all messages were added; return the size that was compared.

        Raises:
            IntegrityError: the index is damaged, or does not match the messages.
            AvailabilityError: it cannot be read now.

        """
        if self._fault is not None:
            raise self._fault
        if self._foreign is not None:
            cause = f"message {self._foreign} is of a schema that its maker did not know"
            raise _differs(self._path, cause)
        self._sum()
        size, sums = read_index_sums(self._path, self._log, self.keys)
        if size < self.keys.size:
            return 0  # it was rebuilt meanwhile
        if sums != self._expected:
            cause = f"it holds {sums.number} entries of them, and {self._expected.number} are due"
            raise _differs(self._path, cause)
        return self.keys.size

    def _sum(self) -> None:
        self._expected += self.keys.expected_sums(self._waiting)
        self._waiting.clear()


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
