"""The tag map: the definition, proofs that a tag has a value or none, and broken proofs."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import IntegrityError
from ledger.tlog import merkle, tag_map
from ledger.tlog.tag_map import TagProof, TagTree, TagValue

if TYPE_CHECKING:
    from random import Random

TAGS = st.lists(st.integers(0, 10_000), unique=True, max_size=40)


def tag(number: int) -> bytes:
    return b"round:r%d" % number


def value(number: int) -> TagValue:
    return TagValue(number + 1, 10 * number, sha256(b"%d" % number).digest())


def leaves_of(numbers: list[int]) -> list[tuple[bytes, bytes]]:
    keys = {tag_map.key_of(tag(number)): value(number) for number in numbers}
    return sorted((key, tag_map.leaf_of(key, found)) for key, found in keys.items())


def root_of(numbers: list[int]) -> bytes:
    top = tag_map.subtree(leaves_of(numbers), 0)
    return tag_map.EMPTY_MAP if top is None else top.hash


def proof_of(numbers: list[int], asked: int) -> TagProof:
    beside, end = tag_map.siblings_in(leaves_of(numbers), 0, tag_map.key_of(tag(asked)))
    by_key = {tag_map.key_of(tag(number)): value(number) for number in numbers}
    siblings = tuple(reversed(beside))
    if asked in numbers:
        return TagProof(value(asked), siblings)
    return TagProof(None, siblings, None if end is None else (end, by_key[end]))


def by_definition(leaves: list[tuple[str, bytes]]) -> bytes:
    """Return the root as docs/format.md defines it, over keys as texts of bits."""
    if not leaves:
        return bytes(32)
    if len(leaves) == 1:
        return leaves[0][1]
    halves = [
        by_definition([(key[1:], leaf) for key, leaf in leaves if key[0] == bit]) for bit in "01"
    ]
    return sha256(b"\x03" + halves[0] + halves[1]).digest()


def test_a_leaf_is_the_hash_of_key_count_last_position_and_root() -> None:
    key = sha256(b"round:r1").digest()
    assert tag_map.key_of(b"round:r1") == key
    due = sha256(b"\x02" + key + bytes(7) + b"\x03" + bytes(7) + b"\x09" + bytes(32)).digest()
    assert tag_map.leaf_of(key, TagValue(3, 9, bytes(32))) == due


def test_the_tree_of_a_tag_is_over_positions_and_hashes() -> None:
    tree = TagTree()
    hashes = [sha256(b"%d" % at).digest() for at in range(5)]
    for at, one in enumerate(hashes):
        tree.add(7 * at, one)
    leaves = [
        sha256(b"\x00" + (7 * at).to_bytes(8) + one).digest() for at, one in enumerate(hashes)
    ]
    assert tree.value() == TagValue(5, 28, merkle.root(merkle.nodes_of(leaves), 5))


@given(TAGS)
def test_the_root_is_that_of_the_definition(numbers: list[int]) -> None:
    bits = [(f"{int.from_bytes(key):0256b}", leaf) for key, leaf in leaves_of(numbers)]
    halved = by_definition(bits) if len(bits) > 1 else (bits[0][1] if bits else bytes(32))
    assert root_of(numbers) == halved


@given(TAGS, st.integers(0, 10_000))
def test_a_tag_has_its_value_or_is_proved_absent(numbers: list[int], asked: int) -> None:
    root = root_of(numbers)
    for one in [*numbers, asked]:
        proof = proof_of(numbers, one)
        assert proof.root_for(tag(one)) == root
        assert (proof.value is None) == (one not in numbers)


@given(TAGS, st.integers(0, 10_000), st.randoms(use_true_random=False))
def test_no_proof_of_one_answer_can_be_turned_into_the_other(
    numbers: list[int], asked: int, random: Random
) -> None:
    root = root_of(numbers)
    proof = proof_of(numbers, asked)
    others = [proof_of(numbers, one) for one in numbers]
    forged = [TagProof(None, proof.siblings), TagProof(value(asked + 1), proof.siblings)]
    forged += [TagProof(value(asked), proof.siblings)] if proof.value is None else []
    forged += [one for one in others if one != proof]
    forged += [TagProof(None, proof.siblings[:-1], proof.other), TagProof(None, (), None)]
    if proof.siblings:
        beside = list(proof.siblings)
        beside[random.randrange(len(beside))] = random.randbytes(32)
        forged.append(TagProof(proof.value, tuple(beside), proof.other))
    for one in forged:
        if one == proof:
            continue
        assert _root_or_none(one, asked) != root


def _root_or_none(proof: TagProof, asked: int) -> bytes | None:
    try:
        return proof.root_for(tag(asked))
    except IntegrityError:
        return None


@pytest.mark.parametrize(
    "proof",
    [
        TagProof(None, (), (tag_map.key_of(tag(1)), value(1))),
        TagProof(value(1), (), (tag_map.key_of(tag(2)), value(2))),
        TagProof(value(1), (bytes(31),)),
        TagProof(value(1), (bytes(32),) * 257),
        TagProof(None, (bytes(32),) * 200, (tag_map.key_of(tag(2)), value(2))),
        TagProof(None, (), (b"short", value(2))),
    ],
    ids=["itself", "both", "short hash", "too deep", "other way", "short key"],
)
def test_what_is_no_proof_is_refused(proof: TagProof) -> None:
    with pytest.raises(IntegrityError, match="the proof of round:r1 does not verify"):
        proof.root_for(tag(1))
