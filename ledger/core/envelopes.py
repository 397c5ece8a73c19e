"""The envelopes of many messages at once, as columns of numbers.

What comes in: messages. What goes out: what each of them says of its place, so that neighbours are
compared by the column and not one by one. Whether the numbers are written as the format has them
is judged by ``ledger.core.exact``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from ledger.core.avro_long import LENGTH_MAX
from ledger.core.encoding import BODY_OFFSET, COMMAND, NUMBERS, PREVIOUS_HASH
from ledger.core.message import IDENTIFIER_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["Edge", "Envelopes"]

_SEVEN_BITS = 0x7F

_END = NUMBERS + 4 * LENGTH_MAX
"""Behind the four numbers, however long they are."""


class Edge(Struct, frozen=True):
    """What a message says of its decision: where messages of two stretches meet."""

    index: int
    size: int
    command: bytes
    recorded_at: int

    @property
    def missing(self) -> int:
        """How many messages of the decision are to come."""
        return self.size - self.index - 1

    def goes_on_to(self, other: Edge) -> bool:
        """Return whether a message may follow this one."""
        if other.recorded_at < self.recorded_at:
            return False
        if self.missing:
            following = (self.index + 1, self.size, self.command)
            return (other.index, other.size, other.command) == following
        return other.index == 0


class Envelopes(NamedTuple):
    """Columns; row ``n`` of each is message ``n``."""

    previous: NDArray[np.uint8]
    commands: NDArray[np.uint8]
    positions: NDArray[np.int64]
    indexes: NDArray[np.int64]
    sizes: NDArray[np.int64]
    recorded: NDArray[np.int64]

    @classmethod
    def read(cls, messages: Sequence[bytes]) -> Envelopes | None:
        """Read them; nothing, if a number does not end or is longer than it need be."""
        width = _END - BODY_OFFSET
        parts = [message[BODY_OFFSET:_END] for message in messages]
        if min(map(len, parts)) < width:
            parts = [part.ljust(width, b"\0") for part in parts]
        rows = np.frombuffer(b"".join(parts), np.uint8).reshape(len(parts), width)
        numbers = rows[:, NUMBERS - BODY_OFFSET :]
        columns, at = [], np.zeros(len(parts), np.intp)
        for _ in range(4):
            read = _numbers(numbers, at)
            if read is None:
                return None
            column, at = read
            columns.append(column)
        return cls(
            rows[:, PREVIOUS_HASH.start - BODY_OFFSET : PREVIOUS_HASH.stop - BODY_OFFSET],
            rows[:, COMMAND.start - BODY_OFFSET : COMMAND.stop - BODY_OFFSET],
            *columns,
        )

    @property
    def begun(self) -> NDArray[np.intp]:
        """Rows of the messages with which decisions begin."""
        return np.flatnonzero(self.indexes == 0)

    def go_on(self, first: int) -> bool:
        """Return whether each says its position, from ``first`` on, and follows the one before."""
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

    def edge(self, row: int) -> Edge:
        """Return what the message of a row says of its decision."""
        return Edge(
            int(self.indexes[row]),
            int(self.sizes[row]),
            self.commands[row].tobytes(),
            int(self.recorded[row]),
        )

    def identifiers(self, rows: NDArray[np.intp]) -> NDArray[np.uint8]:
        """Return the identifiers of the commands of some rows."""
        return self.commands[rows, :IDENTIFIER_BYTES]


def _numbers(
    bodies: NDArray[np.uint8], at: NDArray[np.intp]
) -> tuple[NDArray[np.int64], NDArray[np.intp]] | None:
    """Read a number of each row at its offset; return them and the offsets behind."""
    rows = np.arange(len(bodies))
    value = np.zeros(len(bodies), np.uint64)
    open_rows, behind = rows, at.copy()
    for place in range(LENGTH_MAX):
        found = bodies[open_rows, behind[open_rows]]
        behind[open_rows] += 1
        value[open_rows] |= (found & _SEVEN_BITS).astype(np.uint64) << np.uint64(7 * place)
        if place and not found.all():
            return None  # a number that ends in a byte of zero could be shorter
        open_rows = open_rows[found > _SEVEN_BITS]
        if not len(open_rows):
            half = (value >> np.uint64(1)).astype(np.int64)
            return half ^ -(value & np.uint64(1)).astype(np.int64), behind
    return None
