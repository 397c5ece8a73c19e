"""Many trees that grow at once are those that grow one after the other."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.hashed_rows import extend_trees, rows_in
from ledger.tlog.merkle import CompactRange


def leaves(count: int, seed: int = 0) -> list[bytes]:
    random = Random(seed)
    return [random.randbytes(32) for _ in range(count)]


@given(st.lists(st.tuples(st.integers(0, 300), st.integers(1, 300)), max_size=8))
def test_many_trees_grow_as_one_grows(sizes: list[tuple[int, int]]) -> None:
    trees = [CompactRange() for _ in sizes]
    for seed, (tree, (size, _)) in enumerate(zip(trees, sizes, strict=True)):
        for leaf in leaves(size, seed):
            tree.add(leaf)
    added = [leaves(count, -1 - seed) for seed, (_, count) in enumerate(sizes)]
    edges = [list(tree.nodes) for tree in trees]
    before, counts = np.array(sizes, np.int64).reshape(-1, 2).T
    joined = b"".join(leaf for some in added for leaf in some)
    extend_trees(before, edges, counts, rows_in(joined))
    for tree, some in zip(trees, added, strict=True):
        for leaf in some:
            tree.add(leaf)
    assert edges == [list(tree.nodes) for tree in trees]
