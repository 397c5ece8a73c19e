"""Commands for signing keys, checkpoints, the clock, and the head of the access chain.

Signatures are made elsewhere (``ledger.tlog.signing``); here they are verified and recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.chain import CHECKPOINT_WINDOW
from ledger.core.clock import MOMENT_MAX
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Moment, Name, Text
from ledger.tlog.algorithms import ALGORITHM_CHARACTERS_MAX, ALGORITHM_NAME, ECDSA_P256, ED25519
from ledger.tlog.signing import CHAIN_NAME, KEY_ID, Checkpoint, PublicKey

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.tlog.signing import SigningKey

__all__ = [
    "AddSigningKey",
    "AlgorithmName",
    "RecordAccessHead",
    "RecordCheckpoint",
    "RecordClock",
    "RevokeSigningKey",
    "add_signing_key",
    "record_access_head",
    "record_checkpoint",
    "record_clock",
    "revoke_signing_key",
]


KeyId = Annotated[str, Meta(min_length=8, max_length=8, pattern=rf"^{KEY_ID.pattern}\Z")]
"""Key ID of docs/format.md: eight hexadecimal digits derived from name and key."""


AlgorithmName = Annotated[str, Meta(pattern=ALGORITHM_NAME, max_length=ALGORITHM_CHARACTERS_MAX)]
"""Name of a signature algorithm, of ``ledger.tlog.algorithms``."""


class AddSigningKey(Command, frozen=True):
    """Add a signing key; its later signatures are valid. ``public_key`` is base64 in JSON.

    ``algorithm`` is Ed25519 or ECDSA-P256, whose key is a SubjectPublicKeyInfo in DER.
    """

    key_id: KeyId
    public_key: Annotated[
        bytes, Meta(min_length=ED25519.key_bytes, max_length=ECDSA_P256.key_bytes)
    ]
    reason: Text
    algorithm: AlgorithmName = ED25519.name

    @classmethod
    def of(cls, key: PublicKey, reason: str, *, source: str) -> AddSigningKey:
        """Create the command that adds a key."""
        return cls(
            key_id=key.key_id,
            public_key=key.raw,
            reason=reason,
            algorithm=key.algorithm.name,
            source=source,
        )


class RevokeSigningKey(Command, frozen=True):
    """Revoke a signing key; its later signatures are not valid."""

    key_id: KeyId
    reason: Text


class RecordCheckpoint(Command, frozen=True):
    """Record a signed statement of size and roots; roots and ``signature`` base64 in JSON."""

    size: Annotated[int, Meta(ge=1, le=10**15)]
    root: Annotated[bytes, Meta(min_length=32, max_length=32)]
    map_root: Annotated[bytes, Meta(min_length=32, max_length=32)]
    key_id: KeyId
    signature: Annotated[bytes, Meta(min_length=1, max_length=ECDSA_P256.signature_bytes)]

    @classmethod
    def of(cls, checkpoint: Checkpoint, key: SigningKey) -> RecordCheckpoint:
        """Create the command that records a checkpoint, signed with a key."""
        return cls(
            size=checkpoint.size,
            root=checkpoint.root,
            map_root=checkpoint.map_root,
            key_id=key.key_id,
            signature=key.sign(checkpoint),
        )


class RecordClock(Command, frozen=True):
    """Record how far the clock of the record is ahead of a time source, in microseconds.

    The writer sends it by itself if a source is configured. Both numbers are left out if the source
    did not answer. A machine whose clock was reset to 1970 is decades behind.
    """

    source_of_time: Name
    skew: Annotated[int, Meta(gt=-MOMENT_MAX, lt=MOMENT_MAX)] | None = None
    uncertainty: Moment | None = None


class RecordAccessHead(Command, frozen=True):
    """Record size and root of the access chain; ``root`` is base64 in JSON.

    From then on, a change of earlier entries of the access chain can be detected.
    """

    chain: Annotated[str, Meta(pattern=rf"^{CHAIN_NAME.pattern}\Z", max_length=128)]
    size: Annotated[int, Meta(ge=1, le=10**15)]
    root: Annotated[bytes, Meta(min_length=32, max_length=32)]


def add_signing_key(ledger_state: LedgerState, command: AddSigningKey, _: int) -> list[e.Event]:
    """Decide :class:`AddSigningKey`."""
    if command.key_id in ledger_state.operator_state.signing_keys:
        raise InputError(f"key {command.key_id} is in force already")
    if command.key_id in ledger_state.operator_state.revoked_keys:
        raise InputError(f"key {command.key_id} was revoked: make another")
    chain = ledger_state.operator_state.chain
    key = PublicKey(chain, command.public_key, PublicKey.kind_of(command.algorithm))
    if not key.is_whole or key.key_id != command.key_id:
        text = f"{command.key_id} is not the key ID of this key for {chain}"
        raise InputError(f"{text}: see docs/format.md")
    return [command.as_event(e.SigningKeyAdded)]


def revoke_signing_key(
    ledger_state: LedgerState, command: RevokeSigningKey, _: int
) -> list[e.Event]:
    """Decide :class:`RevokeSigningKey`."""
    _require_in_force(ledger_state, command.key_id)
    return [e.SigningKeyRevoked(key_id=command.key_id, reason=command.reason)]


def record_checkpoint(
    ledger_state: LedgerState, command: RecordCheckpoint, _: int
) -> list[e.Event]:
    """Decide :class:`RecordCheckpoint`.

    A wrong checkpoint would make every later verification fail, so it is verified before it is
    recorded. Only the root of the tag map is not: computing it here would cost each decision more
    than the tree does (ADR 0022), so the signer is responsible for it.

    Raises:
        InputError: the key is not in force, the tree has another root at that size, the checkpoint
            is too old or older than the last one, or the signature was not made with the key.

    """
    _require_in_force(ledger_state, command.key_id)
    if ledger_state.size - command.size >= CHECKPOINT_WINDOW:
        raise InputError(f"the chain is long past size {command.size}: sign it as it is now")
    last = ledger_state.operator_state.checkpoint
    if last is not None and command.size < last.size:
        text = f"there is a checkpoint of size {last.size}"
        raise InputError(f"{text}, and {command.size} lies before it: sign the chain as it is now")
    if ledger_state.root_at(command.size) != command.root:
        raise InputError(f"the tree of size {command.size} has another root: sign it again")
    key = ledger_state.operator_state.signing_keys[command.key_id]
    checkpoint = Checkpoint(
        ledger_state.operator_state.chain, command.size, command.root, command.map_root
    )
    if not key.is_signer_of(checkpoint, command.signature):
        raise InputError(f"the signature is not one of key {command.key_id} over this checkpoint")
    return [command.as_event(e.CheckpointSigned)]


def record_clock(_ledger_state: LedgerState, command: RecordClock, _: int) -> list[e.Event]:
    """Decide :class:`RecordClock`."""
    if (command.skew is None) != (command.uncertainty is None):
        raise InputError(
            "a skew has an uncertainty: give both, or neither if the source did not answer"
        )
    return [command.as_event(e.ClockMeasured)]


def record_access_head(
    ledger_state: LedgerState, command: RecordAccessHead, _: int
) -> list[e.Event]:
    """Decide :class:`RecordAccessHead`.

    Raises:
        InputError: a larger size was recorded before, so later entries are missing.

    """
    known = ledger_state.access_size(command.chain)
    if command.size < known:
        raise InputError(
            f"{command.chain} had {known} messages, and now {command.size}: accesses are missing, "
            "restore their chain from a copy"
        )
    return [command.as_event(e.AccessHeadRecorded)]


def _require_in_force(ledger_state: LedgerState, key_id: str) -> None:
    if key_id not in ledger_state.operator_state.signing_keys:
        raise InputError(f"key {key_id} is not in force; add it with add_signing_key")
