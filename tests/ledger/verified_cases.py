"""A chain with every kind of message, and what verification says of a damaged one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from chain_cases import Chain, landed, published

import schemas
from ledger.core import events as e
from ledger.core.chain import verify
from ledger.core.errors import IntegrityError
from ledger.core.signing import Checkpoint, SigningKey

if TYPE_CHECKING:
    from ledger.core.message import Head

Stored = list[tuple[int, bytes]]
NAME = "short"
KEY = SigningKey("operator-2026", b"\x07" * 32)
OTHER = SigningKey("operator-2027", b"\x08" * 32)
USED = ("BallLanded", "SigningKeyAdded", "SigningKeyRevoked", "CheckpointSigned")


def opening(chain: str = NAME, version: int = 1, algorithm: str = "SHA-256") -> e.ChainOpened:
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
    return e.SigningKeyAdded(key_id=key.key_id, public_key=key.public.raw, reason="first")


def signing(head: Head, key: SigningKey = KEY, chain: str = NAME) -> e.CheckpointSigned:
    signature = key.sign(Checkpoint(chain, *head))
    return e.CheckpointSigned(
        size=head.size, head=head.hash, key_id=key.key_id, signature=signature
    )


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
    chain.add(signing(chain.head))
    chain.add(landed(5))
    chain.add(landed(6), landed(7))
    return chain


FULL = full().stored


def fault(stored: Stored, **options: object) -> tuple[int | None, str]:
    with pytest.raises(IntegrityError) as caught:
        verify(stored, **options)  # type: ignore[arg-type]
    return caught.value.position, str(caught.value)


def flipped(stored: Stored, position: int, bit: int) -> Stored:
    body = bytearray(stored[position][1])
    body[bit // 8] ^= 1 << bit % 8
    return [*stored[:position], (position, bytes(body)), *stored[position + 1 :]]
