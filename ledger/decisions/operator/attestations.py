"""Attestations on a checkpoint: cosignatures of witnesses, time stamps, seals of the operator.

``tools.witness`` makes or requests them; here they are verified and recorded. Each reader decides
by a policy and root certificates of its own which of them to trust.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import CLOCKS_APART_MAX, MINUTE, MOMENT_MAX, SECOND, is_moment
from ledger.core.errors import InputError, IntegrityError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.keys import AlgorithmName
from ledger.events import event_types as e
from ledger.events.command import Command, Name, Text
from ledger.tlog.algorithms import ED25519, ML_DSA_44
from ledger.tlog.cosigning import Cosignature, CosignerKey
from ledger.tlog.note_keys import is_key_name
from ledger.tlog.seals import SEAL_BYTES_MAX, parse_seal, require_use
from ledger.tlog.signing import Checkpoint, make_note
from ledger.tlog.stamps import STAMP_BYTES_MAX, stamp_moment

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "RecordCosignature",
    "RecordSeal",
    "RecordStamp",
    "record_cosignature",
    "record_seal",
    "record_stamp",
    "require_copy",
]

Size = Annotated[int, Meta(ge=1, le=10**15)]


class RecordCosignature(Command, frozen=True):
    """Record a witness's cosignature of the last checkpoint; keys and signatures base64 in JSON.

    ``algorithm`` is Ed25519 or ML-DSA-44; ``is_mirror``: it took the messages before it signed.
    """

    size: Size
    witness: Name
    public_key: Annotated[bytes, Meta(min_length=32, max_length=ML_DSA_44.key_bytes)]
    seconds: Annotated[int, Meta(ge=0, lt=MOMENT_MAX // SECOND)]
    signature: Annotated[bytes, Meta(min_length=64, max_length=ML_DSA_44.signature_bytes)]
    algorithm: AlgorithmName = ED25519.name
    is_mirror: bool = False


class RecordStamp(Command, frozen=True):
    """Record a time stamp over the note of the last checkpoint; ``stamp`` is base64 in JSON."""

    size: Size
    authority: Text
    stamp: Annotated[bytes, Meta(min_length=1, max_length=STAMP_BYTES_MAX)]


class RecordSeal(Command, frozen=True):
    """Record a seal over the note of the last checkpoint; ``seal`` is base64 in JSON."""

    size: Size
    seal: Annotated[bytes, Meta(min_length=1, max_length=SEAL_BYTES_MAX)]


def record_cosignature(
    ledger_state: LedgerState, command: RecordCosignature, at: int
) -> list[e.Event]:
    """Decide :class:`RecordCosignature`.

    Raises:
        InputError: the cosignature is not of the last checkpoint, the witness did not sign it with
            this key, or its time is before the checkpoint or in the future.

    """
    checkpoint, _ = _last(ledger_state, command.size)
    if not is_key_name(command.witness):
        raise InputError("the name of a witness has no spaces and plus signs")
    kind = CosignerKey.kind_of(command.algorithm)
    key = CosignerKey(command.witness, command.public_key, kind)
    if not key.is_cosigner_of(checkpoint.text, Cosignature(command.seconds, command.signature)):
        text = f"the cosignature is not one of {key.name} ({key.key_id})"
        raise InputError(f"{text} over the checkpoint of size {command.size}")
    moment = command.seconds * SECOND
    _require_between(ledger_state.operator_state.checkpoint_at, moment, at, "the witness")
    return [command.as_event(e.CheckpointCosigned, cosigned_at=moment)]


def record_stamp(ledger_state: LedgerState, command: RecordStamp, at: int) -> list[e.Event]:
    """Decide :class:`RecordStamp`.

    Raises:
        InputError: the time stamp is not over the note of the last checkpoint with only the
            signature of the log, or its time is before the checkpoint or in the future.

    """
    _, note = _last(ledger_state, command.size)
    moment = stamp_moment(command.stamp, note.encode())
    _require_between(ledger_state.operator_state.checkpoint_at, moment, at, "the authority")
    return [command.as_event(e.CheckpointStamped, stamped_at=moment)]


def record_seal(ledger_state: LedgerState, command: RecordSeal, at: int) -> list[e.Event]:
    """Decide :class:`RecordSeal`.

    Raises:
        InputError: the seal is not over the note of the last checkpoint with only the signature of
            the log, its certificate is not in force or not for signatures, or its time is before
            the checkpoint or in the future.

    """
    _, note = _last(ledger_state, command.size)
    sealed_at, certificate = seal = parse_seal(command.seal, note.encode())
    try:
        require_use(certificate, at)
    except IntegrityError as error:
        raise InputError(str(error)) from error
    _require_between(ledger_state.operator_state.checkpoint_at, sealed_at, at, "the seal")
    return [command.as_event(e.CheckpointSealed, sealed_at=sealed_at, certificate=seal.digest)]


@refuses("COPY_TOO_OLD")
def require_copy(ledger_state: LedgerState, now: int) -> None:
    """Require that the authority's copy is as young as the operator's rules have it.

    Raises:
        RefusedError: a recorded message that it does not hold is older.

    """
    mirror = ledger_state.rules.mirror
    if not mirror or not mirror.age_minutes:
        return
    if ledger_state.missing_since(mirror.public_key, now) < now - mirror.age_minutes * MINUTE:
        minutes = mirror.age_minutes
        raise RefusedError("COPY_TOO_OLD", paragraph=mirror.source, minutes=minutes)


def _last(ledger_state: LedgerState, size: int) -> tuple[Checkpoint, str]:
    """Return the last checkpoint and its note.

    Raises:
        InputError: there is none, it has another size, or its key was revoked.

    """
    house = ledger_state.operator_state
    last = house.checkpoint
    if last is None or last.size != size:
        there = f"the last one has size {last.size}" if last else "there is none"
        raise InputError(f"this is of a checkpoint of size {size}, and {there}: ask for it again")
    if last.key_id not in house.signing_keys:
        raise InputError(
            f"the key {last.key_id} of the last checkpoint was revoked: sign a new one"
        )
    checkpoint = Checkpoint(house.chain, last.size, last.root, last.map_root)
    key = house.signing_keys[last.key_id]
    return checkpoint, make_note(checkpoint, [(key, last.signature)])


def _require_between(signed_at: int, moment: int, at: int, signer: str) -> None:
    """Require a time between the checkpoint and now, because readers reject any other."""
    if not is_moment(moment) or moment > at + CLOCKS_APART_MAX:
        raise InputError(
            f"the clock of {signer} is ahead of ours: compare both with the right time"
        )
    if moment < signed_at - CLOCKS_APART_MAX:
        raise InputError(f"the clock of {signer} is behind ours: compare both with the right time")
