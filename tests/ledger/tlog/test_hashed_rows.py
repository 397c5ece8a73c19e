"""Many hashes at once are those of one after the other."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from ledger.tlog.hashed_rows import extend_trees, leaf_hashes, rows_in
from ledger.tlog.merkle import CompactRange, leaf_hash


def leaves(count: int, seed: int = 0) -> list[bytes]:
    random = Random(seed)
    return [random.randbytes(32) for _ in range(count)]


def test_rows_are_hashed_as_leaves_are() -> None:
    made = leaves(5)
    assert leaf_hashes(made) == b"".join(map(leaf_hash, made))
    assert leaf_hashes([]) == b""


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
