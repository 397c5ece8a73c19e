"""Signing keys and checkpoints, as commands.

The signature itself is made outside (``ledger.signing``); here it is checked and recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger import events as e
from ledger.command import Command, Id, Text
from ledger.errors import InputError

if TYPE_CHECKING:
    from ledger.world import World

__all__ = [
    "AddSigningKey",
    "RecordCheckpoint",
    "RevokeSigningKey",
    "add_signing_key",
    "record_checkpoint",
    "revoke_signing_key",
]


class AddSigningKey(Command, frozen=True):
    """Let signatures of a key count from here on; ``public_key`` is base64 in JSON."""

    key_id: Id
    public_key: Annotated[bytes, Meta(min_length=32, max_length=32)]
    reason: Text


class RevokeSigningKey(Command, frozen=True):
    """Let later signatures of a key count no more."""

    key_id: Id
    reason: Text


class RecordCheckpoint(Command, frozen=True):
    """Record a signed statement of size and head; ``head`` and ``signature`` base64 in JSON."""

    size: Annotated[int, Meta(ge=1)]
    head: Annotated[bytes, Meta(min_length=32, max_length=32)]
    key_id: Id
    signature: Annotated[bytes, Meta(min_length=64, max_length=64)]


def add_signing_key(world: World, command: AddSigningKey, _: int) -> list[e.Event]:
    """Decide :class:`AddSigningKey`."""
    if command.key_id in world.house.signing_keys:
        raise InputError(f"key {command.key_id} is in force already")
    return [
        e.SigningKeyAdded(
            key_id=command.key_id, public_key=command.public_key, reason=command.reason
        )
    ]


def revoke_signing_key(world: World, command: RevokeSigningKey, _: int) -> list[e.Event]:
    """Decide :class:`RevokeSigningKey`."""
    _assert_in_force(world, command.key_id)
    return [e.SigningKeyRevoked(key_id=command.key_id, reason=command.reason)]


def record_checkpoint(world: World, command: RecordCheckpoint, _: int) -> list[e.Event]:
    """Decide :class:`RecordCheckpoint`; ``log verify`` checks the signature ever after."""
    _assert_in_force(world, command.key_id)
    return [
        e.CheckpointSigned(
            size=command.size,
            head=command.head,
            key_id=command.key_id,
            signature=command.signature,
        )
    ]


def _assert_in_force(world: World, key_id: str) -> None:
    if key_id not in world.house.signing_keys:
        raise InputError(f"key {key_id} is not in force; add it with add_signing_key")
