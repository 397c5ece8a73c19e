"""The events of consecutive messages grouped by tag, in the form that the tag map adds.

What comes in: hash and tags of each message. What goes out: for each tag that the map holds, the
positions of its events and the leaves of its tree. Pure: nothing is read or written.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np

from ledger.tlog.hashed_rows import extend_trees, rows_in
from ledger.tlog.merkle import CompactRange
from ledger.tlog.tag_map import entry_hash, is_mapped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ledger.tlog.tag_map import TagTree

    Numbers = NDArray[np.int64]

__all__ = ["TagEntries"]


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

    @classmethod
    def of(cls, first: int, messages: Sequence[tuple[bytes, Sequence[bytes]]]) -> Self:
        """Return the additions of messages.

        Args:
            first: position of the first one.
            messages: hash of each, and its tags in UTF-8; one may stand twice.

        """
        positions_of: dict[bytes, list[int]] = {}
        leaves: dict[int, bytes] = {}
        for position, (digest, tags) in enumerate(messages, first):
            mapped = [tag for tag in dict.fromkeys(tags) if is_mapped(tag)]
            if mapped:
                leaves[position] = entry_hash(position, digest)
            for tag in mapped:
                positions_of.setdefault(tag, []).append(position)
        positions = list(chain.from_iterable(positions_of.values()))
        return cls(
            end=first + len(messages),
            tags=tuple(positions_of),
            counts=np.fromiter(map(len, positions_of.values()), np.int64, len(positions_of)),
            positions=np.array(positions, np.int64),
            leaves=b"".join(leaves[position] for position in positions),
        )

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
