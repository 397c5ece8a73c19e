"""Which command was recorded twice: an exact answer in memory that hardly grows.

What comes in: the identifier of each decision, in the order of the chain. What goes out: nothing,
or the first decision whose identifier an earlier one bears. Equal identifiers come into the same
of 256 heaps, which wait in a temporary file of 24 bytes a decision and are compared one by one at
the end: 20 MB of memory up to 25 million decisions, a 256th of all of them beyond.
"""

from __future__ import annotations

from array import array
from tempfile import TemporaryFile
from typing import IO

from ledger.core.errors import AvailabilityError, IntegrityError

__all__ = ["IDENTIFIER_BYTES", "Repeats"]

IDENTIFIER_BYTES = 16
"""Length of a command identifier."""

_HEAPS = 256
_WAITING_MAX = 100_000
_RECORD_BYTES = 24


class Repeats:
    """Collects the identifiers of one chain."""

    def __init__(self) -> None:
        """Begin without any."""
        self._heaps: list[list[bytes]] = [[] for _ in range(_HEAPS)]
        self._stored = [array("Q") for _ in range(_HEAPS)]
        self._waiting = 0
        self._file: IO[bytes] | None = None

    def add(self, identifier: bytes, position: int) -> None:
        """Take note of the decision that begins at a position.

        Raises:
            AvailabilityError: the temporary file can't be written.

        """
        heap = self._heaps[hash(identifier) % _HEAPS]
        heap.append(identifier + position.to_bytes(8, "big"))
        self._waiting += 1
        if self._waiting == _WAITING_MAX:
            try:
                self._store()
            except OSError as error:
                raise _unusable(error) from error

    def require_none(self) -> None:
        """Compare all identifiers.

        Raises:
            IntegrityError: a command was recorded twice; the position is that of the repeat.
            AvailabilityError: the temporary file can't be read.

        """
        try:
            found = [repeat for heap in range(_HEAPS) if (repeat := self._first_repeat(heap))]
        except OSError as error:
            raise _unusable(error) from error
        if found:
            again, first, identifier = min(found)
            raise IntegrityError(
                f"message {again} decides command {identifier.hex()} again, which message {first} "
                "had decided: what it booked may be booked twice; keep the log, correct the money",
                position=again,
            )

    def close(self) -> None:
        """Delete the temporary file; closing twice is allowed."""
        if self._file is not None:
            self._file.close()

    def _store(self) -> None:
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - closed by close()
        for heap, stored in zip(self._heaps, self._stored, strict=True):
            content = b"".join(heap)
            stored.extend((self._file.tell(), len(content)))
            self._file.write(content)
            heap.clear()
        self._waiting = 0

    def _first_repeat(self, number: int) -> tuple[int, int, bytes] | None:
        """Find the first repeat in a heap: its position, that of the first, the identifier."""
        stored = iter(self._stored[number])
        parts = [self._part(*place) for place in zip(stored, stored, strict=True)]
        content = b"".join([*parts, *self._heaps[number]])
        starts = range(0, len(content), _RECORD_BYTES)
        if len({content[at : at + IDENTIFIER_BYTES] for at in starts}) == len(starts):
            return None
        seen: dict[bytes, int] = {}
        for at in starts:
            identifier = content[at : at + IDENTIFIER_BYTES]
            position = int.from_bytes(content[at + IDENTIFIER_BYTES : at + _RECORD_BYTES])
            if seen.setdefault(identifier, position) != position:
                return position, seen[identifier], identifier
        return None

    def _part(self, start: int, length: int) -> bytes:
        if self._file is None:
            return b""
        self._file.seek(start)
        return self._file.read(length)


def _unusable(error: OSError) -> AvailabilityError:
    return AvailabilityError(
        f"the temporary file of the verification can't be used ({error.strerror}): free some room, "
        "or name another folder in TMPDIR, and repeat"
    )
