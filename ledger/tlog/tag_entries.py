"""The events of a segment grouped by tag, in the form that the tag map adds.

What comes in: the tags of each message. What goes out: for each tag that the map holds, the
positions of its events and the leaves of its tree. A segment can be split at any position,
because a checkpoint may cover only a part of it. Pure: nothing is read or written.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from ledger.core.message import BODY_OFFSET
from ledger.tlog.hashed_rows import extend_trees, leaf_rows, rows_in
from ledger.tlog.merkle import HASH_BYTES, CompactRange
from ledger.tlog.tag_map import is_mapped

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from ledger.tlog.tag_map import TagTree

    Numbers = NDArray[np.int64]

__all__ = ["ScanAll", "TagEntries", "TagRows", "TagTable", "rows_by_schema", "scan_tags"]

_NONE = 0
"""The tag number of an empty text, which is no tag."""

_EMPTY, _OTHER = b"\x00", b"\x01"
"""Encoding of an empty text; and a prefix that no short text has."""

_SHORT = 64
"""Texts shorter than this have a length of one byte."""

_POSITION_BYTES = 8


class TagTable:
    """Collects the tags of the messages of a segment; a row is one message."""

    def __init__(self) -> None:
        """Start empty."""
        self._texts: dict[bytes, defaultdict[bytes, int]] = {}
        self._found: list[tuple[bytes, Numbers, Numbers]] = []
        self._single: dict[bytes, list[tuple[int, int]]] = defaultdict(list)

    def add_columns(
        self, columns: Iterable[tuple[bytes, Sequence[bytes]]], rows: Sequence[int]
    ) -> None:
        """Add one tag per column for each of some rows.

        Args:
            columns: the prefix of each tag, and for each row the rest of the tag as a short Avro
                string: a length byte and the text. An empty text means no tag.
            rows: the rows of the messages.

        """
        every = np.array(rows, np.int64)
        for mark, found in columns:
            numbers = map(self._numbers(mark).__getitem__, found)
            self._found.append((mark, np.fromiter(numbers, np.int64, len(found)), every))

    def add(self, row: int, tags: Sequence[bytes]) -> None:
        """Add the tags of one row."""
        for tag in tags:
            kind, colon, text = tag.partition(b":")
            is_short = 0 < len(text) < _SHORT
            key = (bytes([2 * len(text)]) if is_short else _OTHER) + text
            mark = kind + colon
            self._single[mark].append((self._numbers(mark)[key], row))

    def tag_rows(self, rows: int) -> TagRows:
        """Return the collected tags of a segment of that many rows."""
        tags: list[bytes] = []
        before: dict[bytes, int] = {}
        for mark, texts in self._texts.items():
            before[mark] = len(tags) - 1
            tags += [mark + text[1:] for text in islice(texts, 1, None)]
        found = [(mark, *np.array(many).T) for mark, many in self._single.items()]
        pairs = [np.zeros(0, np.int64)]
        for mark, numbers, at in self._found + found:
            pairs.append(((numbers + before[mark]) * rows + at)[numbers != _NONE])
        sorted_pairs = np.sort(np.concatenate(pairs))
        is_first = np.diff(sorted_pairs, prepend=-1) > 0
        return TagRows(tuple(tags), *np.divmod(sorted_pairs[is_first], rows))

    def _numbers(self, mark: bytes) -> defaultdict[bytes, int]:
        """Return the numbers of the tags with a prefix; looking a new tag up assigns the next."""
        if mark not in self._texts:
            self._texts[mark] = defaultdict(count(_NONE).__next__)
            self._texts[mark][_EMPTY]
        return self._texts[mark]


ScanAll = Callable[[Sequence[bytes], Sequence[int], TagTable], bool]
"""Adds the tags of messages of one schema at some rows; False where a message is unusual."""


class TagRows(NamedTuple):
    """The pairs of tag and row of a segment, each pair once, ordered by tag, then by row."""

    tags: tuple[bytes, ...]
    numbers: Numbers
    rows: Numbers

    def entries(self, first: int, hashes: bytes) -> TagEntries:
        """Return the additions of the segment to the tag map.

        Args:
            first: position of the first row.
            hashes: hashes of the messages, concatenated.

        """
        is_held = np.fromiter(map(is_mapped, self.tags), np.bool_, len(self.tags))[self.numbers]
        numbers, rows = self.numbers[is_held], self.rows[is_held]
        held, counts = np.unique(numbers, return_counts=True)
        is_borne = np.zeros(len(hashes) // HASH_BYTES, np.bool_)
        is_borne[rows] = True
        leaves = _leaves(first + np.flatnonzero(is_borne), rows_in(hashes)[is_borne])
        return TagEntries(
            end=first + len(is_borne),
            tags=tuple(self.tags[number] for number in held.tolist()),
            counts=counts.astype(np.int64),
            positions=first + rows,
            leaves=leaves[(np.cumsum(is_borne) - 1)[rows]].tobytes(),
        )


class TagEntries(NamedTuple):
    """Entries that consecutive messages add to the tag map, grouped by tag.

    Attributes:
        end: position after the last of these messages.
        tags: the tags, without duplicates.
        counts: number of events of each tag among these messages.
        positions: positions of these events, tag by tag, ascending for each tag.
        leaves: leaf hashes of these events in the trees of their tags, in the same order,
            concatenated.

    """

    end: int
    tags: tuple[bytes, ...]
    counts: Numbers
    positions: Numbers
    leaves: bytes

    def grow(self, trees: Sequence[TagTree]) -> None:
        """Add the events to the trees of their tags, one tree per tag."""
        edges = [list(tree.compact_range.nodes) for tree in trees]
        sizes = np.array([tree.compact_range.size for tree in trees], np.int64)
        extend_trees(sizes, edges, self.counts, rows_in(self.leaves))
        lasts = self.positions[np.cumsum(self.counts) - 1].tolist()
        for tree, last, size, edge in zip(
            trees, lasts, (sizes + self.counts).tolist(), edges, strict=True
        ):
            tree.last, tree.compact_range = last, CompactRange(size, edge)

    def split(self, size: int) -> tuple[Self, Self]:
        """Split at a position; return the additions before it and those from it on."""
        owners = np.repeat(np.arange(len(self.tags)), self.counts)
        is_before = self.positions < size
        part = partial(self._part, owners)
        return part(is_before, size), part(~is_before, self.end)

    def _part(self, owners: Numbers, kept: NDArray[np.bool_], end: int) -> Self:
        held, counts = np.unique(owners[kept], return_counts=True)
        return type(self)(
            end=end,
            tags=tuple(self.tags[number] for number in held.tolist()),
            counts=counts.astype(np.int64),
            positions=self.positions[kept],
            leaves=rows_in(self.leaves)[kept].tobytes(),
        )


def rows_by_schema(messages: Sequence[bytes]) -> dict[bytes, list[int]]:
    """Return the rows of neighbouring messages by the header that identifies their schema."""
    rows_of: dict[bytes, list[int]] = {}
    for row, message in enumerate(messages):
        rows_of.setdefault(message[:BODY_OFFSET], []).append(row)
    return rows_of


def scan_tags(
    messages: Sequence[bytes],
    rows_of: Mapping[bytes, list[int]],
    scan_of: Callable[[bytes], ScanAll | None],
) -> TagRows | None:
    """Check messages against their schemas; return their tags, or None if one is invalid.

    Args:
        messages: consecutive messages.
        rows_of: their rows by header.
        scan_of: returns the scan for messages with a header (``ledger.events.canonical_form``), or
            None if its schema is not known.

    """
    table = TagTable()
    for header, rows in rows_of.items():
        scan = scan_of(header)
        if scan is None or not scan([messages[row] for row in rows], rows, table):
            return None
    return table.tag_rows(len(messages))


def _leaves(positions: NDArray[np.intp], hashes: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Hash messages as leaves of the trees of their tags; see ``tag_map.entry_hash``."""
    written = positions.astype(">u8").view(np.uint8).reshape(len(hashes), _POSITION_BYTES)
    return leaf_rows(np.concatenate([written, hashes], axis=1))
