"""Many trees that grow at once, faster than one after the other.

What comes in: the right edges of trees, and hashes of leaves as rows of a NumPy array. What goes
out: the edges with the leaves added, as ``ledger.tlog.merkle`` defines them. Pure: nothing is read
or written.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from ledger.tlog.merkle import HASH_BYTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.uint8]
    Counts = NDArray[np.int64]

__all__ = ["extend_trees", "rows_in"]


def rows_in(joined: bytes) -> Rows:
    """Return concatenated hashes as rows."""
    return np.frombuffer(joined, np.uint8).reshape(-1, HASH_BYTES)


def extend_trees(sizes: Counts, edges: Sequence[list[bytes]], counts: Counts, leaves: Rows) -> None:
    """Add leaves to many trees at once, level by level.

    Args:
        sizes: leaves of each tree before.
        edges: hashes of the full subtrees of each tree, the largest first; updated in place.
        counts: number of leaves added to each tree, at least one.
        leaves: those of the first tree, then of the second, and so on.

    """
    trees, nodes, level = np.arange(len(counts)), leaves, 0
    fresh: list[list[bytes]] = [[] for _ in counts]
    while len(trees):
        has_edge = (sizes[trees] >> level) & 1
        totals = counts + has_edge
        ends = np.cumsum(totals)
        row_of_edge = (ends - totals)[has_edge == 1]
        row_of_last = ends[totals & 1 == 1] - 1
        every = np.empty((int(totals.sum()), HASH_BYTES), np.uint8)
        is_new = np.ones(len(every), np.bool_)
        is_new[row_of_edge] = False
        every[is_new] = nodes
        popped = [edges[tree].pop() for tree in trees[has_edge == 1].tolist()]
        every[row_of_edge] = rows_in(b"".join(popped))
        for tree, row in zip(trees[totals & 1 == 1].tolist(), every[row_of_last], strict=True):
            fresh[tree].append(row.tobytes())
        is_paired = np.ones(len(every), np.bool_)
        is_paired[row_of_last] = False
        nodes = _hashed_pairs(every[is_paired].reshape(-1, 2 * HASH_BYTES))
        goes_on = totals > 1
        trees, counts, level = trees[goes_on], totals[goes_on] >> 1, level + 1
    for edge, found in zip(edges, fresh, strict=True):
        edge.extend(reversed(found))


def _hashed_pairs(rows: Rows) -> Rows:
    """Hash each row of two nodes into their parent."""
    pairs = np.ascontiguousarray(rows).view(f"V{2 * HASH_BYTES}").ravel().tolist()
    return rows_in(b"".join(sha256(b"\x01" + pair).digest() for pair in pairs))
