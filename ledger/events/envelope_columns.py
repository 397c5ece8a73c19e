"""The envelopes of many messages at once, as columns of numbers.

What comes in: messages. What goes out: their positions and decision fields as columns, so that
adjacent messages are compared column by column instead of one by one.
``ledger.events.canonical_form`` checks whether the numbers are encoded as the format requires.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec import Struct

from ledger.core.message import BODY_OFFSET
from ledger.events.avro_long import LENGTH_MAX
from ledger.events.encoding import COMMAND, FINGERPRINT, NUMBERS, PREVIOUS_HASH

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["DecisionFields", "EnvelopeColumns"]

_WORD_BYTES = 8
_ONE = np.uint64(1)
_MARKS = np.uint64(0x8080808080808080)
"""The bit of each byte of a number that says that another byte follows."""

_FOLDS = [
    (np.uint64(1), np.uint64(0x007F007F007F007F)),
    (np.uint64(2), np.uint64(0x00003FFF00003FFF)),
    (np.uint64(4), np.uint64(0x000000000FFFFFFF)),
]
"""Shifts of the halves of words: the number of bits, and the mask of the lower halves."""

_END = NUMBERS + 4 * LENGTH_MAX
"""The offset after the four numbers at their maximum length."""

_LONG = 1024
"""Average message size in bytes from which messages are not copied as a whole."""


class DecisionFields(Struct, frozen=True):
    """The decision fields of the first or last message of a segment.

    They are compared where two segments meet.
    """

    index: int
    size: int
    command: bytes
    recorded_at: int

    @property
    def missing(self) -> int:
        """Number of messages that must follow to complete the decision."""
        return self.size - self.index - 1

    def may_precede(self, other: DecisionFields) -> bool:
        """Return whether a message with the fields ``other`` may follow this one."""
        if other.recorded_at < self.recorded_at:
            return False
        if self.missing:
            following = (self.index + 1, self.size, self.command)
            return (other.index, other.size, other.command) == following
        return other.index == 0


class EnvelopeColumns(NamedTuple):
    """Columns of envelope fields; row ``n`` of each column is message ``n``."""

    lengths: NDArray[np.intp]
    headers: NDArray[np.uint8]
    previous: NDArray[np.uint8]
    commands: NDArray[np.uint8]
    positions: NDArray[np.int64]
    indexes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    recorded: NDArray[np.int64]

    @classmethod
    def read(cls, messages: Sequence[bytes]) -> EnvelopeColumns | None:
        """Read the envelopes of messages.

        Returns:
            The columns; None if an envelope is cut off or a number is not in its shortest form.

        """
        parts, lengths = messages, np.fromiter(map(len, messages), np.intp, len(messages))
        used_lengths = lengths
        if lengths.sum() > _LONG * len(messages):
            parts, used_lengths = (
                [message[:_END] for message in messages],
                np.minimum(lengths, _END),
            )
        every = np.frombuffer(b"".join([*parts, bytes(_END + 2 * _WORD_BYTES)]), np.uint8)
        ends = np.cumsum(used_lengths)
        starts = ends - used_lengths
        words = np.ndarray(len(every) - _WORD_BYTES + 1, "<u8", every, strides=(1,))
        columns, at = [], starts + NUMBERS
        for _ in range(4):
            read = _numbers(words, at)
            if read is None:
                return None
            column, at = read
            columns.append(column)
        if (at > ends).any():
            return None
        shape = (len(every) - NUMBERS + 1, NUMBERS)
        rows = np.ndarray(shape, np.uint8, every, strides=(1, 1))[starts]
        head = rows[:, :BODY_OFFSET], rows[:, PREVIOUS_HASH], rows[:, COMMAND]
        return cls(lengths, *head, *columns)

    def rows_by_schema(self) -> dict[bytes, list[int]]:
        """Return the rows by the header that identifies their schema."""
        names = _columns(self.headers[:, FINGERPRINT], "<u8")
        marks = _columns(self.headers[:, : FINGERPRINT.start], "<u2")
        rows_of, left = {}, np.arange(len(names))
        while len(left):
            first = left[0]
            is_same = (names[left] == names[first]) & (marks[left] == marks[first])
            rows_of[self.headers[first].tobytes()] = left[is_same].tolist()
            left = left[~is_same]
        return rows_of

    @property
    def decision_starts(self) -> NDArray[np.intp]:
        """Rows of the first messages of decisions."""
        return np.flatnonzero(self.indexes == 0)

    def is_contiguous(self, first: int) -> bool:
        """Return whether positions ascend from ``first`` and each message may follow the last."""
        indexes, sizes, recorded = self.indexes, self.sizes, self.recorded
        goes_on = indexes[1:] > 0
        is_next = (indexes[1:] == indexes[:-1] + 1) & (sizes[1:] == sizes[:-1])
        is_next &= (self.commands[1:] == self.commands[:-1]).all(axis=1)
        is_whole = indexes[:-1] + 1 == sizes[:-1]
        return bool(
            (self.positions == np.arange(first, first + len(indexes))).all()
            and ((indexes >= 0) & (indexes < sizes)).all()
            and np.where(goes_on, is_next, is_whole).all()
            and (recorded[1:] >= recorded[:-1]).all()
        )

    def decision_fields(self, row: int) -> DecisionFields:
        """Return the decision fields of the message of a row."""
        return DecisionFields(
            int(self.indexes[row]),
            int(self.sizes[row]),
            self.commands[row].tobytes(),
            int(self.recorded[row]),
        )


def _columns(rows: NDArray[np.uint8], kind: str) -> NDArray[Any]:
    """Return each row as one number."""
    return np.ascontiguousarray(rows).view(kind).ravel()


def _numbers(
    words: Words, at: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.intp]] | None:
    """Read a number at each of some offsets; return the numbers and the offsets after them.

    ``words`` are the eight bytes at every offset, the lowest first.
    """
    value, length, last = _join_low_bits(words[at])
    is_open = length == 0
    if is_open.any():
        rest, more, last[is_open] = _join_low_bits(words[at[is_open] + _WORD_BYTES])
        if ((more == 0) | (more > LENGTH_MAX - _WORD_BYTES)).any():
            return None
        if (rest >> np.uint64(64 - 7 * _WORD_BYTES)).any():
            return None  # more than 64 bits
        value[is_open] |= rest << np.uint64(7 * _WORD_BYTES)
        length[is_open] = more + _WORD_BYTES
    if ((last == 0) & (length > 1)).any():
        return None  # a number that ends in a byte of zero could be shorter
    half = (value >> _ONE).astype(np.int64)
    return half ^ -(value & _ONE).astype(np.int64), at + length


def _join_low_bits(words: Words) -> tuple[Words, NDArray[np.intp], Words]:
    """Join the seven low bits of each byte, up to the first byte without a continuation bit.

    Returns:
        The joined bits, the number of bytes they were in (0 if every byte has a continuation bit),
        and the bits of the last byte.

    """
    ends = ~words & _MARKS
    end = ends & (~ends + _ONE)
    bits = words & ((end << _ONE) - _ONE) & ~_MARKS
    last = bits & (end - (end >> np.uint64(7)))
    for shift, low in _FOLDS:
        bits = (bits & low) | ((bits & ~low) >> shift)
    length = (np.bitwise_count(end - _ONE).astype(np.intp) + 1) >> 3
    length[end == 0] = 0
    return bits, length, last
