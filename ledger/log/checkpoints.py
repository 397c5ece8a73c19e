"""Read the checkpoints of a log with their cosignatures, time stamps and seals.

What comes in: a log. What goes out: its checkpoints, the newest first, each as a signed note with
the cosignatures, time stamps and seals recorded for it. Guaranteed: every cosignature verifies
under the key that it names, every seal under the certificate that it holds, every time stamp is
over the note, and their times agree with the times of the records. Whether the keys and the
authorities of certificates are trusted is decided by a policy and root certificates elsewhere.
Rejected: a log with an invalid cosignature, time stamp or seal; the error has its position.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import CLOCKS_APART_MAX, SECOND
from ledger.core.errors import InputError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.events.event_types import (
    ChainOpened,
    CheckpointCosigned,
    CheckpointSealed,
    CheckpointSigned,
    CheckpointStamped,
    SigningKeyAdded,
)
from ledger.log.port import Query, events_at
from ledger.tlog.cosigning import Cosignature, CosignerKey
from ledger.tlog.notes import Note
from ledger.tlog.seals import SealCertificate, parse_seal, seal_certificate
from ledger.tlog.signing import Checkpoint, PublicKey, make_note
from ledger.tlog.stamps import stamp_moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log

__all__ = [
    "AttestedCheckpoint",
    "RecordedCosignature",
    "RecordedSeal",
    "RecordedStamp",
    "checkpoints",
    "cosigned_size",
    "keys_of",
    "last_note",
    "last_seal",
]

PAGE = 256
OF_ONE_NAME = 64
"""Newest cosignatures under a name that are searched for a key: it may have one per algorithm."""


class RecordedCosignature(NamedTuple):
    """A recorded cosignature and its position; ``recorded_at`` in microseconds."""

    position: int
    recorded_at: int
    key: CosignerKey
    cosignature: Cosignature


class RecordedStamp(NamedTuple):
    """A recorded time stamp and its position; ``moment``, the stamped time, in microseconds."""

    position: int
    recorded_at: int
    authority: str
    moment: int
    stamp: bytes


class RecordedSeal(NamedTuple):
    """A recorded seal and its position; ``recorded_at`` in microseconds."""

    position: int
    recorded_at: int
    signer: SealCertificate
    seal: bytes


class AttestedCheckpoint(NamedTuple):
    """A checkpoint with the cosignatures, time stamps and seals recorded for it.

    ``log_note`` is the note with the log's own signature only.
    """

    position: int
    recorded_at: int
    size: int
    log_note: Note
    cosignatures: tuple[RecordedCosignature, ...]
    stamps: tuple[RecordedStamp, ...]
    seals: tuple[RecordedSeal, ...]

    @property
    def note(self) -> Note:
        """The note with the signature of the log and all cosignatures."""
        lines = (one.key.line(one.cosignature) for one in self.cosignatures)
        return Note(self.log_note.text, (*self.log_note.signatures, *lines))


def last_note(log: Log) -> str:
    """Return the last checkpoint recorded in a log, with its cosignatures.

    Raises:
        InputError: the log has no checkpoint.
        IntegrityError: a cosignature, time stamp or seal recorded for it is invalid.

    """
    newest = next(checkpoints(log), None)
    if newest is None:
        raise InputError(
            "the chain has no checkpoint yet: sign one with `gameledger log checkpoint`"
        )
    return str(newest.note)


def checkpoints(log: Log) -> Iterator[AttestedCheckpoint]:
    """Yield the checkpoints of a log, the newest first; memory does not grow with the log.

    Raises:
        IntegrityError: a cosignature, time stamp or seal is invalid, a recorded time contradicts
            another, or the key of a checkpoint was never added; the error has the position.

    """
    opened = next((recorded.event for recorded in events_at(log, [0])), None)
    if not isinstance(opened, ChainOpened):
        return
    attestations: dict[int, list[RecordedEvent]] = {}
    for recorded in _newest_first(log):
        event = recorded.event
        if isinstance(event, CheckpointSigned):
            recorded_attestations = attestations.pop(event.size, [])
            yield _attested_checkpoint(
                log, opened.chain, event, recorded, recorded_attestations[::-1]
            )
        elif isinstance(event, CheckpointCosigned | CheckpointStamped | CheckpointSealed):
            attestations.setdefault(event.size, []).append(recorded)
    for [*_, first] in attestations.values():
        text = Phrase("CHECKPOINT_NEVER_SIGNED", at=first.position)
        raise IntegrityError(text, position=first.position)


def cosigned_size(log: Log, key: CosignerKey, *, before: int | None = None) -> int:
    """Return the size of the last checkpoint that a key cosigned; 0 if there is none.

    Args:
        log: any log.
        key: of a witness or a mirror.
        before: only what was recorded before this position.

    """
    query = Query(types=(CheckpointCosigned.__name__,), tags=(f"witness:{key.name}",))
    found = log.find(query, before=before, limit=OF_ONE_NAME, backwards=True)
    for event in (recorded.event for recorded in events_at(log, found)):
        if isinstance(event, CheckpointCosigned) and event.public_key == key.raw:
            return event.size
    return 0


def last_seal(log: Log) -> SealCertificate | None:
    """Return what the last seal of a log states, without verifying it; None if there is none."""
    found = log.find(Query(types=(CheckpointSealed.__name__,)), limit=1, backwards=True)
    for event in (recorded.event for recorded in events_at(log, found)):
        if isinstance(event, CheckpointSealed):
            return seal_certificate(event.seal)
    return None


def keys_of(log: Log) -> list[PublicKey]:
    """Return every signing key ever added to the chain; each is named after the chain."""
    opened = next((recorded.event for recorded in events_at(log, [0])), None)
    if not isinstance(opened, ChainOpened):
        return []
    return list(_added_keys(log, opened.chain))


def _newest_first(log: Log) -> Iterator[RecordedEvent]:
    kinds = (CheckpointSigned, CheckpointCosigned, CheckpointStamped, CheckpointSealed)
    query = Query(types=tuple(kind.__name__ for kind in kinds))
    before: int | None = None
    while page := log.find(query, before=before, limit=PAGE, backwards=True):
        yield from events_at(log, page)
        before = page[-1]


def _attested_checkpoint(
    log: Log,
    chain: str,
    event: CheckpointSigned,
    recorded: RecordedEvent,
    attestations: list[RecordedEvent],
) -> AttestedCheckpoint:
    checkpoint = Checkpoint(chain, event.size, event.root, event.map_root)
    key = _key(log, chain, event.key_id)
    signed = Note.parse(make_note(checkpoint, [(key, event.signature)]))
    cosigned, stamped, sealed = [], [], []
    for recorded_attestation in attestations:
        attestation, at, now = (
            recorded_attestation.event,
            recorded_attestation.position,
            recorded_attestation.envelope.recorded_at,
        )
        if isinstance(attestation, CheckpointCosigned):
            cosignature = _verified_cosignature(at, now, attestation, signed.text)
            cosigned.append(cosignature)
            moment = attestation.cosigned_at
        elif isinstance(attestation, CheckpointStamped):
            stamped.append(_verified_stamp(at, now, attestation, str(signed)))
            moment = attestation.stamped_at
        elif isinstance(attestation, CheckpointSealed):
            sealed.append(_verified_seal(at, now, attestation, str(signed)))
            moment = attestation.sealed_at
        if not recorded.envelope.recorded_at - CLOCKS_APART_MAX <= moment <= now + CLOCKS_APART_MAX:
            raise IntegrityError(Phrase("COVER_MOMENT_WRONG", at=at), position=at)
    return AttestedCheckpoint(
        recorded.position,
        recorded.envelope.recorded_at,
        event.size,
        signed,
        tuple(cosigned),
        tuple(stamped),
        tuple(sealed),
    )


def _verified_cosignature(
    at: int, now: int, event: CheckpointCosigned, text: str
) -> RecordedCosignature:
    cosignature = Cosignature(event.cosigned_at // SECOND, event.signature)
    try:
        kind = CosignerKey.kind_of(event.algorithm)
        key = CosignerKey(event.witness, event.public_key, kind)
        is_false = not key.is_cosigner_of(text, cosignature)
    except InputError:
        is_false = True
    if is_false:
        raise IntegrityError(Phrase("COSIGNATURE_FALSE", at=at, witness=event.witness), position=at)
    return RecordedCosignature(at, now, key, cosignature)


def _verified_stamp(at: int, now: int, event: CheckpointStamped, note: str) -> RecordedStamp:
    try:
        moment = stamp_moment(event.stamp, note.encode())
    except InputError as error:
        raise IntegrityError(Phrase("STAMP_FALSE", at=at, english=error), position=at) from error
    if moment != event.stamped_at:
        text = Phrase("STAMP_MOMENT_WRONG", at=at)
        raise IntegrityError(text, position=at)
    return RecordedStamp(at, now, event.authority, moment, event.stamp)


def _verified_seal(at: int, now: int, event: CheckpointSealed, note: str) -> RecordedSeal:
    try:
        signer = parse_seal(event.seal, note.encode())
    except InputError as error:
        raise IntegrityError(Phrase("SEAL_FALSE", at=at, english=error), position=at) from error
    if (signer.sealed_at, signer.digest) != (event.sealed_at, event.certificate):
        raise IntegrityError(Phrase("SEAL_FACTS_WRONG", at=at), position=at)
    return RecordedSeal(at, now, signer, event.seal)


def _key(log: Log, chain: str, key_id: str) -> PublicKey:
    for key in _added_keys(log, chain, f"key:{key_id}"):
        return key
    raise IntegrityError(Phrase("CHECKPOINT_KEY_UNKNOWN", key=key_id))


def _added_keys(log: Log, chain: str, *tags: str) -> Iterator[PublicKey]:
    """Yield the public keys that the chain added; tags restrict them, for example to one key ID."""
    positions = log.find(Query(types=(SigningKeyAdded.__name__,), tags=tags))
    for event in (recorded.event for recorded in events_at(log, positions)):
        if isinstance(event, SigningKeyAdded):
            yield PublicKey(chain, event.public_key, PublicKey.kind_of(event.algorithm))
