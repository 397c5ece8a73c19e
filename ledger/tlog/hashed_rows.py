"""SHA-256 of many rows of equal length, faster than hashing one row after the other.

What comes in: rows of bytes in a NumPy array. What goes out: their hashes as leaves or nodes of
a tree, as ``ledger.tlog.merkle`` defines both. Pure: nothing is read or written.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from ledger.tlog.merkle import HASH_BYTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Rows = NDArray[np.uint8]
    Counts = NDArray[np.int64]

__all__ = ["extend_trees", "leaf_hashes", "rows_in"]

_LEAF, _NODE = sha256(b"\x00"), sha256(b"\x01")
"""Hashers that have consumed the prefix: copying one costs less than prepending bytes."""


def rows_in(joined: bytes) -> Rows:
    """Return concatenated hashes as rows."""
    return np.frombuffer(joined, np.uint8).reshape(-1, HASH_BYTES)


def leaf_hashes(messages: Iterable[bytes]) -> bytes:
    """Hash messages as leaves; return the concatenated hashes."""
    return _joined(_LEAF, messages)


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
        nodes = _hashed(_NODE, every[is_paired].reshape(-1, 2 * HASH_BYTES))
        goes_on = totals > 1
        trees, counts, level = trees[goes_on], totals[goes_on] >> 1, level + 1
    for edge, found in zip(edges, fresh, strict=True):
        edge.extend(reversed(found))


def _hashed(begun: Any, rows: Rows) -> Rows:
    width = rows.shape[1]
    messages = np.ascontiguousarray(rows).view(f"V{width}").ravel().tolist()
    return rows_in(_joined(begun, messages))


def _joined(begun: Any, messages: Iterable[bytes]) -> bytes:
    copied = begun.copy
    return b"".join([(hasher := copied()).update(each) or hasher.digest() for each in messages])
