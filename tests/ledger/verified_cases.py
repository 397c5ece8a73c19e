"""A chain with every kind of message, and what verification says of a damaged one."""

from __future__ import annotations

import pytest

import schemas
from ledger.core.errors import IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import decode, hash_of
from ledger.tlog.merkle import CompactRange
from ledger.tlog.signing import Checkpoint, SigningKey
from ledger.tlog.tag_map import EMPTY_MAP, TagTree, is_mapped, key_of, leaf_of, subtree
from ledger.verification.self_description import HASH_ALGORITHM
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed, published

Stored = list[tuple[int, bytes]]
NAME = "short"
KEY = SigningKey(NAME, b"\x07" * 32)
OTHER = SigningKey(NAME, b"\x08" * 40, b"\x02")
"""A second key of the chain, of another algorithm: ECDSA on P-256."""
USED = ("BallLanded", "SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned")


def opening(chain: str = NAME, version: int = 1, algorithm: str = HASH_ALGORITHM) -> e.ChainOpened:
    return e.ChainOpened(
        operator="1",
        operator_name="O",
        chain=chain,
        format_version=version,
        hash_algorithm=algorithm,
    )


def publishing(name: str) -> e.SchemaPublished:
    return published(schemas.newest()[name])


def adding(key: SigningKey) -> e.SigningKeyAdded:
    return e.SigningKeyAdded(
        key_id=key.key_id,
        public_key=key.public.raw,
        reason="first",
        algorithm=key.public.algorithm.name,
    )


def root_of(stored: Stored, size: int) -> bytes:
    tree = CompactRange()
    for _, body in stored[:size]:
        tree.add(hash_of(body))
    return tree.root()


def map_root_of(stored: Stored, size: int) -> bytes:
    """Return the root of the tag map by its definition."""
    trees: dict[bytes, TagTree] = {}
    for position, body in stored[:size]:
        for tag in dict.fromkeys(decode(body).event.index_tags()):
            if is_mapped(tag.encode()):
                trees.setdefault(tag.encode(), TagTree()).add(position, hash_of(body))
    keys = {key_of(tag): tree.value() for tag, tree in trees.items()}
    top = subtree(sorted((key, leaf_of(key, value)) for key, value in keys.items()), 0)
    return EMPTY_MAP if top is None else top.hash


def signed(checkpoint: Checkpoint, key: SigningKey = KEY) -> e.CheckpointSigned:
    return e.CheckpointSigned(
        size=checkpoint.size,
        root=checkpoint.root,
        map_root=checkpoint.map_root,
        key_id=key.key_id,
        signature=key.sign(checkpoint),
    )


def signing(
    chain: Chain, key: SigningKey = KEY, name: str = NAME, size: int | None = None
) -> e.CheckpointSigned:
    """Sign the first messages of a chain, by default all."""
    size = chain.head.size if size is None else size
    roots = (root_of(chain.stored, size), map_root_of(chain.stored, size))
    return signed(Checkpoint(name, size, *roots), key)


def begun() -> Chain:
    chain = Chain()
    chain.add(opening())
    chain.add(*[publishing(name) for name in USED])
    return chain


def full() -> Chain:
    """Every kind of message, decisions of one and of several, and a checkpoint in between."""
    chain = begun()
    chain.add(adding(KEY))
    chain.add(landed(1))
    chain.add(landed(2), landed(3, "r-2"), landed(4))
    chain.add(signing(chain))
    chain.add(landed(5))
    chain.add(landed(6), landed(7))
    return chain


FULL = full().stored
COVERED = 10
"""The size that the checkpoint in :func:`full` covers."""


def fault(stored: Stored, **options: object) -> tuple[int | None, str]:
    with pytest.raises(IntegrityError) as caught:
        verify(stored, **options)  # type: ignore[arg-type]
    return caught.value.position, str(caught.value)


def flipped(stored: Stored, position: int, bit: int) -> Stored:
    body = bytearray(stored[position][1])
    body[bit // 8] ^= 1 << bit % 8
    return [*stored[:position], (position, bytes(body)), *stored[position + 1 :]]
