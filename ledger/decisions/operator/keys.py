"""Signing keys and checkpoints, as commands.

The signature itself is made outside (``ledger.core.signing``); here it is checked and recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core import events as e
from ledger.core.chain import CHECKPOINT_WINDOW
from ledger.core.command import Command, Text
from ledger.core.errors import InputError
from ledger.core.signing import KEY_BYTES, KEY_ID, SIGNATURE_BYTES, Checkpoint, PublicKey

if TYPE_CHECKING:
    from ledger.state.world import World

__all__ = [
    "AddSigningKey",
    "RecordCheckpoint",
    "RevokeSigningKey",
    "add_signing_key",
    "record_checkpoint",
    "revoke_signing_key",
]


KeyId = Annotated[str, Meta(min_length=1, max_length=128, pattern=rf"^{KEY_ID.pattern}\Z")]
"""Name of a key, as docs/format.md has it: ASCII without spaces and plus signs."""


class AddSigningKey(Command, frozen=True):
    """Let signatures of a key count from here on; ``public_key`` is base64 in JSON."""

    key_id: KeyId
    public_key: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    reason: Text


class RevokeSigningKey(Command, frozen=True):
    """Let later signatures of a key count no more."""

    key_id: KeyId
    reason: Text


class RecordCheckpoint(Command, frozen=True):
    """Record a signed statement of size and head; ``head`` and ``signature`` base64 in JSON."""

    size: Annotated[int, Meta(ge=1, le=10**15)]
    head: Annotated[bytes, Meta(min_length=32, max_length=32)]
    key_id: KeyId
    signature: Annotated[bytes, Meta(min_length=SIGNATURE_BYTES, max_length=SIGNATURE_BYTES)]


def add_signing_key(world: World, command: AddSigningKey, _: int) -> list[e.Event]:
    """Decide :class:`AddSigningKey`."""
    if command.key_id in world.house.signing_keys:
        raise InputError(f"key {command.key_id} is in force already")
    if command.key_id in world.house.revoked_keys:
        raise InputError(f"key {command.key_id} was revoked: a name is given once, choose another")
    return [
        e.SigningKeyAdded(
            key_id=command.key_id, public_key=command.public_key, reason=command.reason
        )
    ]


def revoke_signing_key(world: World, command: RevokeSigningKey, _: int) -> list[e.Event]:
    """Decide :class:`RevokeSigningKey`."""
    _require_in_force(world, command.key_id)
    return [e.SigningKeyRevoked(key_id=command.key_id, reason=command.reason)]


def record_checkpoint(world: World, command: RecordCheckpoint, _: int) -> list[e.Event]:
    """Decide :class:`RecordCheckpoint`.

    A checkpoint that does not hold would make every later verification fail, so it is
    checked before it is recorded.

    Raises:
        InputError: the key is not in force, the chain has another head at that size or is
            too far beyond it, or the signature is not the key's.
    """
    _require_in_force(world, command.key_id)
    recorded = world.head_at(command.size)
    if recorded is None or recorded.hash != command.head:
        raise InputError(f"the chain has no such head at size {command.size}: sign it again")
    if world.size - command.size >= CHECKPOINT_WINDOW:
        raise InputError(f"the chain is long past size {command.size}: sign the present head")
    key = PublicKey(command.key_id, world.house.signing_keys[command.key_id])
    checkpoint = Checkpoint(world.house.chain, command.size, command.head)
    if not key.is_signer_of(checkpoint, command.signature):
        raise InputError(f"the signature is not one of key {command.key_id} over this checkpoint")
    return [
        e.CheckpointSigned(
            size=command.size,
            head=command.head,
            key_id=command.key_id,
            signature=command.signature,
        )
    ]


def _require_in_force(world: World, key_id: str) -> None:
    if key_id not in world.house.signing_keys:
        raise InputError(f"key {key_id} is not in force; add it with add_signing_key")
