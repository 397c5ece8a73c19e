"""Detect commands that were recorded twice, exactly and in nearly constant memory.

What comes in: the identifier of each decision, in the order of the chain. What goes out: nothing,
or the first decision that repeats an earlier identifier. Identifiers are partitioned into 256
heaps in a temporary file (24 bytes per decision); at the end each heap is searched for duplicates.
Memory: 20 MB up to 25 million decisions, beyond that one 256th of the file.
"""

from __future__ import annotations

from secrets import randbits
from tempfile import TemporaryFile
from typing import IO, TYPE_CHECKING

import numpy as np

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.message import IDENTIFIER_BYTES
from ledger.core.phrases import Phrase

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["RECORD_BYTES", "DuplicateCommandCheck"]

RECORD_BYTES = IDENTIFIER_BYTES + 8
"""Identifier of a command and position of its decision."""

_HEAP_BITS = 8
_WAITING_MAX = 100_000
_RECORD = np.dtype([("low", "<u8"), ("high", "<u8"), ("position", ">u8")])


class DuplicateCommandCheck:
    """Collects the identifiers of one chain."""

    def __init__(self) -> None:
        """Start empty."""
        self._factors = [np.uint64(randbits(64) | 1) for _ in range(2)]
        self._stored: list[NDArray[np.intp]] = []
        self._waiting: list[bytes] = []
        self._many = 0
        self._file: IO[bytes] | None = None

    def add(self, records: bytes) -> None:
        """Add decisions.

        Args:
            records: identifier of the command and position (8 bytes, big-endian) of each.

        Raises:
            AvailabilityError: the temporary file can't be written.

        """
        self._waiting.append(records)
        self._many += len(records) // RECORD_BYTES
        if self._many >= _WAITING_MAX:
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
        heaps = range(1 << _HEAP_BITS) if self._stored else [None]
        try:
            if self._stored:
                self._store()
            repeats = [repeat for heap in heaps if (repeat := _first_repeat(self._heap(heap)))]
        except OSError as error:
            raise _unusable(error) from error
        if repeats:
            again, first, identifier = min(repeats)
            raise IntegrityError(
                Phrase("COMMAND_TWICE", at=again, command=identifier.hex(), other=first),
                position=again,
            )

    def close(self) -> None:
        """Delete the temporary file; closing twice is allowed."""
        if self._file is not None:
            self._file.close()

    def _store(self) -> None:
        """Write pending records to the file, sorted by heap; store where each heap begins."""
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - closed by close()
        records = np.frombuffer(b"".join(self._waiting), _RECORD)
        low, high = self._factors
        heaps = _words(records, "low") * low + _words(records, "high") * high
        heaps = (heaps >> np.uint64(64 - _HEAP_BITS)).astype(np.uint8)
        order = np.argsort(heaps, kind="stable")
        starts = np.searchsorted(heaps[order], np.arange((1 << _HEAP_BITS) + 1))
        self._stored.append(self._file.seek(0, 2) + starts * RECORD_BYTES)
        self._file.write(records[order].tobytes())
        self._waiting, self._many = [], 0

    def _heap(self, number: int | None) -> NDArray[np.void]:
        """Return the records of a heap in the order of the chain, or those in memory."""
        if number is None or self._file is None:
            return np.frombuffer(b"".join(self._waiting), _RECORD)
        parts = []
        for starts in self._stored:
            self._file.seek(starts[number])
            parts.append(self._file.read(starts[number + 1] - starts[number]))
        return np.frombuffer(b"".join(parts), _RECORD)


def _words(records: NDArray[np.void], name: str) -> NDArray[np.uint64]:
    return records[name].astype(np.uint64)


def _first_repeat(records: NDArray[np.void]) -> tuple[int, int, bytes] | None:
    """Find the first repeat; return its position, that of the original, and the identifier."""
    sorted_lows = np.sort(records["low"])
    if not (sorted_lows[1:] == sorted_lows[:-1]).any():
        return None
    order = np.lexsort((records["high"], records["low"]))
    low, high = records["low"][order], records["high"][order]
    is_repeat = np.zeros(len(order), np.bool_)
    is_repeat[1:] = (low[1:] == low[:-1]) & (high[1:] == high[:-1])
    if not is_repeat.any():
        return None
    again = min(order[is_repeat].tolist())
    is_same = (records["low"] == records["low"][again]) & (
        records["high"] == records["high"][again]
    )
    first, position = records["position"][[is_same.argmax(), again]].tolist()
    return position, first, records[again].tobytes()[:IDENTIFIER_BYTES]


def _unusable(error: OSError) -> AvailabilityError:
    return AvailabilityError(
        f"the temporary file of the verification can't be used ({error.strerror}): free some room, "
        "or name another folder in TMPDIR, and repeat"
    )
