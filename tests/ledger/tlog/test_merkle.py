"""The tree: known answers of the reference code, the definition, and broken proofs."""

from __future__ import annotations

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ledger.core.errors import IntegrityError
from ledger.tlog import merkle
from tests.ledger.audit_path import audit_path

LEAVES = tuple(
    bytes.fromhex(text)
    for text in (
        "",
        "00",
        "10",
        "2021",
        "3031",
        "40414243",
        "5051525354555657",
        "606162636465666768696a6b6c6d6e6f",
    )
)
ROOTS = (
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
)
"""Roots of the first leaves, as the tests of Certificate Transparency have them."""


def by_definition(leaves: list[bytes]) -> bytes:
    """Return the root as the RFC defines it, by recursion."""
    if not leaves:
        return sha256().digest()
    if len(leaves) == 1:
        return sha256(b"\x00" + leaves[0]).digest()
    half = 1
    while half * 2 < len(leaves):
        half *= 2
    return sha256(b"\x01" + by_definition(leaves[:half]) + by_definition(leaves[half:])).digest()


def tree_of(leaves: list[bytes]) -> merkle.NodeHash:
    """Look up nodes by making them from the leaves."""

    def node(level: int, index: int) -> bytes:
        part = leaves[index << level : (index + 1) << level]
        assert len(part) == 1 << level, "only full nodes are asked for"
        return by_definition(part)

    return node


def messages(count: int) -> list[bytes]:
    return [b"message %d" % number for number in range(count)]


@pytest.mark.law("2025/2531 REQ-7.5-04")
@pytest.mark.parametrize("size", range(9))
def test_roots_are_those_of_the_reference_code(size: int) -> None:
    frontier = merkle.CompactRange()
    for leaf in LEAVES[:size]:
        frontier.add(merkle.leaf_hash(leaf))
    assert frontier.root().hex() == ROOTS[size]
    assert merkle.root(tree_of(list(LEAVES)), size).hex() == ROOTS[size]


@settings(deadline=None)
@given(st.integers(0, 300))
def test_the_edge_and_the_nodes_give_the_root_of_the_definition(size: int) -> None:
    leaves = messages(size)
    frontier = merkle.CompactRange()
    for leaf in leaves:
        frontier.add(merkle.leaf_hash(leaf))
    assert frontier.root() == merkle.root(tree_of(leaves), size) == by_definition(leaves)


@settings(deadline=None)
@given(st.data())
def test_every_leaf_is_proved_and_no_other(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 140))
    index = data.draw(st.integers(0, size - 1))
    leaves = messages(size)
    head, leaf = by_definition(leaves), merkle.leaf_hash(leaves[index])
    proof = merkle.inclusion_of_all(tree_of(leaves), [index], size)
    assert len(proof) <= (size - 1).bit_length()
    assert merkle.root_from_multiproof({index: leaf}, size, proof) == head
    other = data.draw(st.integers(0, size).filter(lambda one: one != index))
    spoiled = bytearray(b"".join(proof))
    wrong = [
        (index, merkle.leaf_hash(b"another"), proof),
        (other, leaf, proof),
        (-1, leaf, proof),
        (index, leaf, [*proof, head]),
    ]
    if spoiled:
        spoiled[data.draw(st.integers(0, len(spoiled) - 1))] ^= 1 << data.draw(st.integers(0, 7))
        parts = [bytes(spoiled[at : at + 32]) for at in range(0, len(spoiled), 32)]
        wrong += [(index, leaf, parts), (index, leaf, proof[:-1])]
    for at, claimed, steps in wrong:
        assert not is_proved(at, claimed, size, steps, head)


def is_proved(index: int, leaf: bytes, size: int, proof: list[bytes], head: bytes) -> bool:
    try:
        return merkle.root_from_multiproof({index: leaf}, size, proof) == head
    except IntegrityError:
        return False


@settings(deadline=None)
@given(st.data())
def test_every_beginning_is_proved_and_no_other_history(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 140))
    old = data.draw(st.integers(1, size))
    leaves = messages(size)
    head, before = by_definition(leaves), by_definition(leaves[:old])
    proof = merkle.consistency(tree_of(leaves), old, size)
    merkle.require_consistency(old, before, size, head, proof)
    other = messages(size)
    other[data.draw(st.integers(0, old - 1))] = b"replaced"
    wrong = [
        (old, by_definition(other[:old]), size, head, proof),
        (old, before, size, by_definition(other), proof),
        (old, before, size, head, [*proof, head]),
        (size + 1, before, size, head, proof),
    ]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        changed = [*proof[:at], bytes(32), *proof[at + 1 :]]
        wrong += [(old, before, size, head, changed), (old, before, size, head, proof[:-1])]
    for case in wrong:
        with pytest.raises(IntegrityError):
            merkle.require_consistency(*case)


def test_what_is_no_beginning_has_no_proof() -> None:
    node = tree_of(messages(3))
    for old, first in ((4, 0), (0, 0), (2, 2), (3, 1), (4, 2)):
        with pytest.raises(ValueError, match=f"has no subtree from {first} to {old}"):
            merkle.consistency(node, old, 3, first)


@settings(deadline=None)
@given(st.data())
def test_every_subtree_is_proved_and_no_other_leaves(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 140))
    width = 1 << data.draw(st.integers(0, 7))
    first = width * data.draw(st.integers(0, (size - 1) // width))
    end = data.draw(st.integers(first + 1, min(first + width, size)))
    leaves = messages(size)
    head = by_definition(leaves)
    proof = merkle.consistency(tree_of(leaves), end, size, first)
    merkle.require_subtree(subtree_of(leaves[first:end]), first, size, head, proof)
    other = messages(size)
    other[data.draw(st.integers(first, end - 1))] = b"replaced"
    wrong = [
        (subtree_of(other[first:end]), first, size, head, proof),
        (subtree_of(leaves[first:end]), first, size, by_definition(other), proof),
        (subtree_of(leaves[first:end]), first, size, head, [*proof, head]),
    ]
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        subtree = subtree_of(leaves[first:end])
        altered = [*proof[:at], bytes(32), *proof[at + 1 :]]
        wrong += [(subtree, first, size, head, steps) for steps in (altered, proof[:-1])]
    for case in wrong:
        with pytest.raises(IntegrityError):
            merkle.require_subtree(*case)


def subtree_of(leaves: list[bytes]) -> merkle.CompactRange:
    tree = merkle.CompactRange()
    for leaf in leaves:
        tree.add(merkle.leaf_hash(leaf))
    return tree


def test_an_edge_that_was_copied_grows_apart() -> None:
    frontier = merkle.CompactRange()
    frontier.add(merkle.leaf_hash(b"a"))
    apart = frontier.copy()
    apart.add(merkle.leaf_hash(b"b"))
    assert (frontier.size, apart.size) == (1, 2)
    assert frontier.root() != apart.root()


@given(st.integers(1, 200), st.data())
def test_several_leaves_are_proved_by_one_proof(size: int, data: st.DataObject) -> None:
    leaves = [merkle.leaf_hash(message) for message in messages(size)]
    node = merkle.nodes_of(leaves)
    indexes = sorted(data.draw(st.sets(st.integers(0, size - 1))))
    proof = merkle.inclusion_of_all(node, indexes, size)
    known = {index: leaves[index] for index in indexes}
    assert merkle.root_from_multiproof(known, size, proof) == merkle.root(node, size)
    if len(indexes) == 1:
        assert sorted(proof) == sorted(audit_path(leaves, indexes[0]))
    for broken in (proof[1:], [*proof, bytes(32)]):
        if broken != proof:
            with pytest.raises(IntegrityError, match="cut or altered"):
                merkle.root_from_multiproof(known, size, broken)
    if proof:
        altered = [bytes(32), *proof[1:]]
        assert merkle.root_from_multiproof(known, size, altered) != merkle.root(node, size)


@pytest.mark.parametrize("indexes", [[-1], [3], [1, 1], [2, 1]])
def test_a_proof_of_leaves_that_are_not_there_is_not_made(indexes: list[int]) -> None:
    node = merkle.nodes_of([bytes(32)] * 3)
    with pytest.raises(ValueError, match="ascend from 0 to below 3"):
        merkle.inclusion_of_all(node, indexes, 3)
    with pytest.raises(IntegrityError):
        merkle.root_from_multiproof(dict.fromkeys([-1, 3], bytes(32)), 3, [])
