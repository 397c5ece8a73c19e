"""The events of a stretch of a chain by their tags, as the tag map takes them in.

What comes in: which message bears which tags. What goes out: for each tag that the map holds, the
positions of its events and the leaves of its tree, ready to be added. A stretch can be cut in two
at any position, because a checkpoint may cover a part of it. Pure: nothing is read or written.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from ledger.core.encoding import BODY_OFFSET
from ledger.core.merkle import HASH_BYTES
from ledger.core.tag_map import is_mapped

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

__all__ = ["ScanAll", "TagEntries", "TagTable", "Tagged", "rows_by_schema", "tagged_in"]

_NONE = -1
"""In the place of a tag, where a message has an empty text."""

_ENTRY_BYTES = 1 + 8 + HASH_BYTES


class TagTable:
    """Collects which rows of a stretch bear which tags."""

    def __init__(self) -> None:
        """Begin without any."""
        self._tags: list[bytes] = []
        self._number_of: dict[bytes, int] = {}
        self._texts: dict[bytes, _Texts] = {}
        self._numbers: list[Numbers] = []
        self._rows: list[Numbers] = []

    def add_texts(self, mark: bytes, found: Sequence[bytes], rows: Sequence[int]) -> None:
        """Add one tag for each of some rows.

        Args:
            mark: how the tags begin.
            found: their other part, as Avro has short texts: a byte of length, and the text.
            rows: those of the messages.

        """
        texts = self._texts.get(mark)
        if texts is None:
            texts = self._texts[mark] = _Texts(mark, self)
        self._numbers.append(np.fromiter(map(texts.__getitem__, found), np.int64, len(found)))
        self._rows.append(np.array(rows, np.int64))

    def add(self, row: int, tags: Sequence[bytes]) -> None:
        """Add the tags of one row."""
        numbers = np.array([self.number_of(tag) for tag in tags], np.int64)
        self._numbers.append(numbers)
        self._rows.append(np.full(len(numbers), row, np.int64))

    def number_of(self, tag: bytes) -> int:
        """Return the number of a tag; a new one gets the next."""
        number = self._number_of.setdefault(tag, len(self._tags))
        if number == len(self._tags):
            self._tags.append(tag)
        return number

    def tagged(self, rows: int) -> Tagged:
        """Return what was collected of a stretch of so many rows."""
        nothing = np.zeros(0, np.int64)
        numbers = np.concatenate([nothing, *self._numbers])
        pairs = numbers * rows + np.concatenate([nothing, *self._rows])
        pairs = np.sort(pairs[numbers != _NONE])
        is_first = np.diff(pairs, prepend=-1) > 0
        return Tagged(tuple(self._tags), *np.divmod(pairs[is_first], rows))


ScanAll = Callable[[Sequence[bytes], Sequence[int], TagTable], bool]
"""Adds the tags of messages of one schema at some rows; false where one of them is unusual."""


class _Texts(dict[bytes, int]):
    """The numbers of tags that begin alike, by the text behind as it stands in a message."""

    def __init__(self, mark: bytes, table: TagTable) -> None:
        super().__init__()
        self._mark, self._number_of = mark, table.number_of

    def __missing__(self, found: bytes) -> int:
        number = self._number_of(self._mark + found[1:]) if len(found) > 1 else _NONE
        self[found] = number
        return number


class Tagged(NamedTuple):
    """Which rows of a stretch bear which of its tags: each pair once, by tag, then by row."""

    tags: tuple[bytes, ...]
    numbers: Numbers
    rows: Numbers

    def entries(self, first: int, hashes: bytes) -> TagEntries:
        """Return what the map takes in of it.

        Args:
            first: position of the first row.
            hashes: of the messages, one behind the other.

        """
        count = len(hashes) // HASH_BYTES
        is_held = np.fromiter(map(is_mapped, self.tags), np.bool_, len(self.tags))[self.numbers]
        numbers, rows = self.numbers[is_held], self.rows[is_held]
        held, counts = np.unique(numbers, return_counts=True)
        leaves = _leaves(first, np.frombuffer(hashes, np.uint8).reshape(count, HASH_BYTES))
        return TagEntries(
            end=first + count,
            tags=tuple(self.tags[number] for number in held.tolist()),
            counts=counts.astype(np.int64),
            positions=first + rows,
            leaves=leaves[rows].tobytes(),
        )


class TagEntries(NamedTuple):
    """What the map takes in of the messages before ``end``, tag by tag.

    Attributes:
        end: position behind the last message.
        tags: each once.
        counts: how many events each of them has here.
        positions: of these events, tag by tag, ascending for each.
        leaves: of their trees, in the same order, one behind the other.

    """

    end: int
    tags: tuple[bytes, ...]
    counts: Numbers
    positions: Numbers
    leaves: bytes

    def each(self) -> Iterator[tuple[bytes, int, list[bytes]]]:
        """Yield each tag with the position of its last event and its leaves."""
        leaves, at = self.leaves, 0
        ends = np.cumsum(self.counts)
        lasts = self.positions[ends - 1].tolist()
        for tag, last, end in zip(self.tags, lasts, (ends * HASH_BYTES).tolist(), strict=True):
            yield tag, last, [leaves[one : one + HASH_BYTES] for one in range(at, end, HASH_BYTES)]
            at = end

    def split(self, size: int) -> tuple[Self, Self]:
        """Cut in two: what is before a position, and the rest."""
        owners = np.repeat(np.arange(len(self.tags)), self.counts)
        is_before = self.positions < size
        part = partial(self._part, owners)
        return part(is_before, size), part(~is_before, self.end)

    def _part(self, owners: Numbers, kept: NDArray[np.bool_], end: int) -> Self:
        held, counts = np.unique(owners[kept], return_counts=True)
        leaves = np.frombuffer(self.leaves, np.uint8).reshape(-1, HASH_BYTES)
        return type(self)(
            end=end,
            tags=tuple(self.tags[number] for number in held.tolist()),
            counts=counts.astype(np.int64),
            positions=self.positions[kept],
            leaves=leaves[kept].tobytes(),
        )


def rows_by_schema(messages: Sequence[bytes]) -> dict[bytes, list[int]]:
    """Return the rows of neighbouring messages by the header that names their schema."""
    found: dict[bytes, list[int]] = {}
    for row, message in enumerate(messages):
        found.setdefault(message[:BODY_OFFSET], []).append(row)
    return found


def tagged_in(
    messages: Sequence[bytes],
    rows_of: Mapping[bytes, list[int]],
    scan_of: Callable[[bytes], ScanAll | None],
) -> Tagged | None:
    """Compare messages with their schemas; return their tags, if all are right.

    Args:
        messages: neighbours.
        rows_of: their rows by header.
        scan_of: gives what scans messages of a header, see ``ledger.core.exact``; nothing, if its
            schema is not known.

    """
    table = TagTable()
    for header, rows in rows_of.items():
        scan = scan_of(header)
        if scan is None or not scan([messages[row] for row in rows], rows, table):
            return None
    return table.tagged(len(messages))


def _leaves(first: int, hashes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Hash messages as leaves of the trees of their tags; see ``tag_map.entry_hash``."""
    count = len(hashes)
    written = np.zeros((count, _ENTRY_BYTES), np.uint8)
    positions = np.arange(first, first + count, dtype=">u8")
    written[:, 1:9] = positions.view(np.uint8).reshape(count, 8)
    written[:, 9:] = hashes
    joined = written.tobytes()
    made = [
        sha256(joined[at : at + _ENTRY_BYTES]).digest()
        for at in range(0, len(joined), _ENTRY_BYTES)
    ]
    return np.frombuffer(b"".join(made), np.uint8).reshape(count, HASH_BYTES)
