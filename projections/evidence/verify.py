"""Verify evidence, using only its content and, if given, trusted keys from another source.

What comes in: a data part. What goes out: the proved events, decoded by the schemas of their own
chain. Rejected: the first fault, with its place: ``data``, ``message`` and a position,
``checkpoint``, ``tree``, ``completeness``, ``opened``, ``origin``, ``digest`` or ``stamp``. The
verifier in the page (``verifier.js``) reports the same places; docs/evidence.md describes the
checks and their order.
"""

from __future__ import annotations

from io import BytesIO
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_reader
from msgspec import UNSET, Struct
from msgspec.structs import astuple

import schemas
from ledger.core.clock import MOMENT_MAX, SECOND
from ledger.core.errors import InputError, IntegrityError
from ledger.core.message import BODY_OFFSET, MESSAGE_BYTES_MAX
from ledger.events.avro_long import read_long
from ledger.events.canonical_form import scan_of
from ledger.events.encoding import COMMAND_BYTES, NUMBERS, hash_of
from ledger.events.schema_book import SchemaBook, is_known
from ledger.log.finality import Finality
from ledger.privacy import open_sealed
from ledger.tlog.cosigning import CosignerKey
from ledger.tlog.merkle import HASH_BYTES, root_from_multiproof
from ledger.tlog.notes import Note
from ledger.tlog.signing import Checkpoint, PublicKey
from ledger.tlog.stamps import stamp_moment
from ledger.tlog.tag_map import TagProof, TagValue, entry_hash
from ledger.verification.self_description import (
    FORMAT_VERSION,
    HASH_ALGORITHM,
    SEALING,
    added_key,
)
from projections.evidence.document import (
    MARK_BYTES,
    Completeness,
    DisclosedKey,
    Evidence,
    EvidenceError,
    ProvedEvent,
    decode,
    read_note,
)
from projections.evidence.origin import ProvedOrigin, SourceSeals

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ledger.events.canonical_form import Scan
    from ledger.tlog.notes import NoteSignature
    from projections.evidence.document import SealedCommands

__all__ = [
    "BASIS",
    "OpenedField",
    "StampAttestation",
    "VerifiedFile",
    "WitnessAttestation",
    "stamped_bytes",
    "verify",
]

BASIS = (
    "ChainOpened",
    "SchemaPublished",
    "SigningKeyAdded",
    "ClockMeasured",
    "OperatorRulesPublished",
    "RulesPublished",
    "TableOpened",
    "TableLimitsSet",
)
"""Events that can be the basis of a subject; no other events may be shown besides the subject's."""
OF_OPENING = frozenset(
    {
        "ClockMeasured",
        "OperatorRulesPublished",
        "RulesPublished",
        "TableOpened",
        "TableLimitsSet",
    }
)
"""Those of them that depend on the opening of a round; at most one of each type."""
CHECKPOINT = "CheckpointSigned"
OPENINGS = frozenset({"RoundOpened", "HandStarted"})


class WitnessAttestation(Struct, frozen=True):
    """A cosignature of the checkpoint: the key, and the time in microseconds."""

    key: CosignerKey
    at: int


class StampAttestation(Struct, frozen=True):
    """A time stamp of the checkpoint: the authority, and the time in microseconds."""

    authority: str
    at: int


class OpenedField(Struct, frozen=True):
    """A personal field decrypted with its disclosed key; the value is ``None`` without a key."""

    position: int
    field: str
    text: str | None


class VerifiedFile(Struct, frozen=True):
    """The verified content; ``events`` are those of the subject, ``basis`` what they depend on.

    They are all that the first ``complete_to`` messages hold of the subject.
    ``signers`` are the keys of the chain that signed the checkpoint; the reader decides whether to
    trust witnesses and authorities. ``origins`` are those of the events of a round, if the
    file registers a source of one of them. ``reservations`` list what could not be determined.
    """

    evidence: Evidence
    checkpoint: Checkpoint
    complete_to: int
    signers: tuple[PublicKey, ...]
    witnessed: tuple[WitnessAttestation, ...]
    stamped: tuple[StampAttestation, ...]
    events: tuple[ProvedEvent, ...]
    basis: tuple[ProvedEvent, ...]
    opened: tuple[OpenedField, ...]
    origins: tuple[ProvedOrigin, ...]
    reservations: tuple[str, ...]

    @property
    def finality(self) -> Finality:
        """How final the facts are; which cosigner is a mirror, the file does not show."""
        return Finality.COSIGNED if self.witnessed else Finality.COVERED


def verify(data: bytes, keys: Sequence[PublicKey] = ()) -> VerifiedFile:
    """Verify a data part.

    Args:
        data: its bytes.
        keys: trusted public keys from elsewhere; one of them must have signed.

    Raises:
        EvidenceError: a proof is invalid, or no trusted key signed the checkpoint.

    """
    evidence, is_digest_right = decode(data)
    _require_subject(evidence)
    hashes = _hashes(evidence)
    checkpoint, signatures = read_note(evidence.note)
    _require_in_tree(evidence, hashes, checkpoint)
    if 0 not in hashes:
        raise _fault(0, "it is not there, and it says whose chain this is")
    reader = _Reader(checkpoint.chain)
    read = [reader.read(one.position, hashes[one.position], one.body) for one in evidence.messages]
    signers = _signers(checkpoint, signatures, reader.keys, keys)
    witnessed = tuple(_witnessed(checkpoint, signatures, key) for key in evidence.witnesses)
    tag = evidence.subject.tag
    events = tuple(event for event in read if tag in event.tags)
    basis = tuple(event for event in read if tag not in event.tags)
    is_round = evidence.subject.tag.startswith("round:")
    sources = SourceSeals(checkpoint.chain, _origin_of(evidence), events if is_round else ())
    _require_basis(evidence, events, basis, sources)
    counted = _checkpoint_of_map(evidence, basis, checkpoint)
    _require_complete(evidence, hashes, events, counted)
    opened = tuple(_decrypted_fields(evidence, read, reader.personal))
    origins = sources.proved()
    if not is_digest_right:
        raise EvidenceError("digest", "the digest at the end is not that of the data part")
    return VerifiedFile(
        evidence=evidence,
        checkpoint=checkpoint,
        complete_to=counted.size,
        signers=signers,
        witnessed=witnessed,
        stamped=_stamped(evidence, checkpoint, signatures, signers),
        events=events,
        basis=basis,
        opened=opened,
        origins=origins,
        reservations=tuple(_reservations(reader.unknown, opened)),
    )


def _require_subject(evidence: Evidence) -> None:
    """Reject a tag that the tag map does not index, and a period for anything but an account.

    For a tag that is not indexed, the map would wrongly prove that no event has it.
    """
    subject = evidence.subject
    kind, _, name = subject.tag.partition(":")
    if kind not in {"round", "account"} or not name:
        raise EvidenceError("data", "it is about neither a round nor an account")
    if kind == "round" and not (subject.first is None and subject.end is None):
        raise EvidenceError("data", "a round is shown as a whole, and it names a period")
    if evidence.withheld and not subject.account:
        raise EvidenceError("data", "messages are withheld, and no participant is named")
    if len(set(evidence.witnesses)) < len(evidence.witnesses):
        raise EvidenceError("data", "a witness is named twice")


def _require_basis(
    evidence: Evidence,
    events: Sequence[ProvedEvent],
    basis: Sequence[ProvedEvent],
    sources: SourceSeals,
) -> None:
    """Reject a basis that does not belong to the subject: rules of another game, another table.

    Omitted later limits cannot be detected, because no proof counts them.
    """
    opening = next((one for one in events if one.name in OPENINGS), None)
    tag, counted = evidence.subject.tag, evidence.completeness.checkpoint
    seen = set[str]()
    for event in basis:
        is_of_chain = event.name in BASIS and event.name not in OF_OPENING
        is_of_chain |= event.name == CHECKPOINT and event.position == counted
        is_of_source = event.name in SEALING and event.is_known and sources.take(event)
        if not (is_of_chain or is_of_source or _is_of(opening, event, seen)):
            raise _fault(event.position, f"it is neither of {tag} nor something that this rests on")
        seen.add(event.name)


def _origin_of(evidence: Evidence) -> tuple[SealedCommands, ...]:
    return () if evidence.origin is UNSET else evidence.origin


def _is_of(opening: ProvedEvent | None, event: ProvedEvent, seen: Collection[str]) -> bool:
    """Return whether an event belongs to the basis of a round with this opening."""
    if opening is None or event.position > opening.position or event.name in seen:
        return False
    round_, facts = opening.facts, event.facts
    match event.name:
        case "ClockMeasured" | "OperatorRulesPublished":
            return True
        case "RulesPublished":
            return all(facts.get(name) == round_.get(name) for name in ("game", "plan_version"))
        case "TableOpened":
            return bool(facts.get("table") == round_.get("table"))
        case "TableLimitsSet":
            since = facts.get("effective_from", 0)
            is_in_force = "TableOpened" in seen and since <= opening.envelope["recorded_at"]
            return bool(is_in_force and facts.get("table") == round_.get("table"))
    return False


def _checkpoint_of_map(
    evidence: Evidence, basis: Sequence[ProvedEvent], checkpoint: Checkpoint
) -> Checkpoint:
    """Return the checkpoint whose tag map counts the events: a recorded one, or that of the note.

    The recorded one stands in the tree of the note, so its cosigners vouch for it, too.
    """
    at = evidence.completeness.checkpoint
    if at is UNSET:
        return checkpoint
    for event in basis:
        facts = event.facts
        if event.position == at and event.name == CHECKPOINT:
            if 1 <= facts["size"] <= at and len(facts["map_root"]) == HASH_BYTES:
                return Checkpoint(checkpoint.chain, facts["size"], facts["root"], facts["map_root"])
            break
    raise EvidenceError("completeness", f"message {at} is no checkpoint with a map of tags")


def _hashes(evidence: Evidence) -> dict[int, bytes]:
    """Hash every message, and check its position."""
    positions = [one.position for one in evidence.messages]
    others = [one.position for one in evidence.withheld]
    if not all(_is_ascending(one) for one in (positions, others, sorted([*positions, *others]))):
        raise EvidenceError("data", "positions are not in order, or one stands twice")
    completeness = evidence.completeness
    if any(
        len(one) % HASH_BYTES
        for one in (evidence.tree, completeness.siblings, completeness.entries)
    ):
        raise EvidenceError("data", "the hashes of a proof are not whole")
    origin = _origin_of(evidence)
    if not _is_ascending([one.position for one in origin]) or any(
        len(one.commands) % COMMAND_BYTES for one in origin
    ):
        raise EvidenceError("data", "seals are not in order, or identifiers are not whole")
    hashes = {}
    for one in evidence.messages:
        hashes[one.position] = found = hash_of(one.body)
        if found[:MARK_BYTES] != one.mark:
            raise _fault(one.position, "its bytes are not those that its mark was made of")
        if _position_in(one.body) != one.position:
            raise _fault(one.position, "it says that it stands at another position")
    return hashes | {one.position: one.hash for one in evidence.withheld}


def _is_ascending(positions: Sequence[int]) -> bool:
    return all(one < other for one, other in pairwise(positions))


def _position_in(body: bytes) -> int | None:
    try:
        return read_long(body, NUMBERS)[0]
    except (IndexError, ValueError):
        return None


def _require_in_tree(evidence: Evidence, hashes: dict[int, bytes], checkpoint: Checkpoint) -> None:
    tree = evidence.tree
    try:
        root = root_from_multiproof(hashes, checkpoint.size, _split(tree))
    except IntegrityError as error:
        raise EvidenceError("tree", str(error)) from error
    if root != checkpoint.root:
        text = "messages, withheld ones and the hashes beside them do not give the signed root"
        raise EvidenceError("tree", text)


def _split(hashes: bytes) -> list[bytes]:
    return [hashes[at : at + HASH_BYTES] for at in range(0, len(hashes), HASH_BYTES)]


def _require_complete(
    evidence: Evidence,
    hashes: dict[int, bytes],
    events: Sequence[ProvedEvent],
    checkpoint: Checkpoint,
) -> None:
    """Check that the shown and withheld events are all events of the subject's tag."""
    completeness, tag = evidence.completeness, evidence.subject.tag
    positions = sorted(
        [one.position for one in events] + [one.position for one in evidence.withheld]
    )
    entries = {
        at: entry_hash(position, hashes[position])
        for at, position in enumerate(positions, completeness.begin)
    }
    if completeness.value is None:
        if positions or completeness.begin or completeness.entries:
            raise EvidenceError("completeness", f"there are events of {tag}, and it says none")
    elif _completed(entries, completeness) != completeness.value.root:
        text = f"the events of {tag} are not those that the map of tags counts"
        raise EvidenceError("completeness", text)
    _require_in_map(completeness, tag, checkpoint)
    _require_period(evidence, positions, events)


def _completed(entries: dict[int, bytes], completeness: Completeness) -> bytes:
    count = completeness.value.count if completeness.value else 0
    try:
        return root_from_multiproof(entries, count, _split(completeness.entries))
    except IntegrityError as error:
        raise EvidenceError("completeness", str(error)) from error


def _require_in_map(completeness: Completeness, tag: str, checkpoint: Checkpoint) -> None:
    value = TagValue(*astuple(completeness.value)) if completeness.value else None
    other = (
        (completeness.other.key, TagValue(*astuple(completeness.other.value)))
        if completeness.other
        else None
    )
    proof = TagProof(value, tuple(_split(completeness.siblings)), other)
    try:
        root = proof.root_for(tag.encode())
    except IntegrityError as error:
        raise EvidenceError("completeness", str(error)) from error
    if root != checkpoint.map_root:
        text = f"the entry of {tag} is not in the map of tags that was signed"
        raise EvidenceError("completeness", text)


def _require_period(
    evidence: Evidence, positions: Sequence[int], events: Sequence[ProvedEvent]
) -> None:
    """Check that the events of an account that are not shown lie outside its period."""
    completeness, subject = evidence.completeness, evidence.subject
    if completeness.value is None:
        return
    moments = {one.position: one.envelope["recorded_at"] for one in events}
    if completeness.begin:
        begins = moments.get(positions[0]) if positions else None
        if begins is None or subject.first is None or begins >= subject.first:
            text = "events before the first one shown may belong to the period"
            raise EvidenceError("completeness", text)
    if completeness.begin + len(positions) < completeness.value.count:
        ends = moments.get(positions[-1]) if positions else None
        if ends is None or subject.end is None or ends < subject.end:
            text = "events behind the last one shown may belong to the period"
            raise EvidenceError("completeness", text)


class _Reader:
    """Decodes messages in order, by the schemas and keys recorded in the chain itself."""

    def __init__(self, chain: str) -> None:
        self._chain = chain
        self._book = SchemaBook()
        self._scans: dict[bytes, Scan] = {}
        self._recorded_at = 0
        self.keys: dict[str, PublicKey] = {}
        self.unknown: dict[str, int] = {}
        self.personal: dict[int, list[str]] = {}

    def read(self, position: int, digest: bytes, body: bytes) -> ProvedEvent:
        schema = self._book.get(body[:BODY_OFFSET])
        if schema is None:
            raise _fault(
                position, f"its schema {body[2:BODY_OFFSET].hex()} does not stand before it"
            )
        if len(body) > MESSAGE_BYTES_MAX:
            raise _fault(position, f"it has more than {MESSAGE_BYTES_MAX} bytes")
        scan = self._scans.get(schema.fingerprint)
        if scan is None:
            marks = [(one["name"], one["tag"]) for one in schema.facts if "tag" in one]
            scan = self._scans[schema.fingerprint] = scan_of(schema, marks)
        fault, tags = scan(body)
        if fault:
            raise _fault(position, fault)
        stream = BytesIO(body)
        stream.seek(BODY_OFFSET)
        record: Any = schemaless_reader(stream, schema.parsed, None)
        envelope = {name: record.pop(name) for name in schemas.ENVELOPE_FIELDS}
        self._take(position, schema.name, record)
        if envelope["recorded_at"] < self._recorded_at:
            raise _fault(position, "it was recorded before one that stands before it")
        self._recorded_at = envelope["recorded_at"]
        self.personal[position] = [one["name"] for one in schema.facts if "personal" in one]
        known = is_known(schema)
        if not known:
            named = f"{schema.name} v{schema.version}"
            self.unknown[named] = self.unknown.get(named, 0) + 1
        texts = tuple(tag.decode() for tag in tags)
        return ProvedEvent(position, digest, schema.name, envelope, record, texts, known)

    def _take(self, position: int, name: str, facts: dict[str, Any]) -> None:
        """Process an event that describes the chain: a schema, a key, its opening."""
        if (name == "ChainOpened") != (position == 0):
            raise _fault(position, "the chain is opened by message 0, and by no other")
        if name == "ChainOpened":
            recorded = (facts["chain"], facts["format_version"], facts["hash_algorithm"])
            if recorded != (self._chain, FORMAT_VERSION, HASH_ALGORITHM):
                raise _fault(
                    0, "it opens another chain than the checkpoint names, or another format"
                )
        elif name == "SchemaPublished":
            try:
                self._book.publish(position, facts)
            except IntegrityError as error:
                raise _fault(position, str(error)) from error
        elif name == "SigningKeyAdded":
            key = added_key(self._chain, facts)
            if key is None or key.key_id in self.keys:
                raise _fault(position, "it adds something that is no key, or one that was there")
            self.keys[key.key_id] = key


def _signers(
    checkpoint: Checkpoint,
    signatures: Iterable[NoteSignature],
    own: dict[str, PublicKey],
    trusted: Sequence[PublicKey],
) -> tuple[PublicKey, ...]:
    """Verify the signatures of the chain's keys; if trusted keys are given, require one of them."""
    for one in trusted:
        if one.name == checkpoint.chain and own.get(one.key_id, one).raw != one.raw:
            text = f"the chain has another key under {one.key_id} than the one that you trust"
            raise EvidenceError("checkpoint", text)
    found = []
    for line in signatures:
        key = own.get(line.key_id) if line.name == checkpoint.chain else None
        if key is None:
            continue
        if not key.is_signer_of(checkpoint, line.signature):
            raise EvidenceError("checkpoint", f"the signature of key {key.key_id} is false")
        found.append(key)
    if not found:
        raise EvidenceError("checkpoint", "no key that the chain introduces signed it")
    if trusted and not any(key in trusted for key in found):
        names = ", ".join(key.key_id for key in found)
        raise EvidenceError("checkpoint", f"it is signed by {names}, and by none of the keys given")
    return tuple(found)


def _witnessed(
    checkpoint: Checkpoint, signatures: Sequence[NoteSignature], text: str
) -> WitnessAttestation:
    """Verify a witness's cosignature."""
    try:
        key = CosignerKey.parse(text)
        lines = [one for one in signatures if (one.name, one.key_id) == (key.name, key.key_id)]
        found = [key.parse_cosignature(one.signature) for one in lines]
    except InputError as error:
        raise EvidenceError("checkpoint", str(error)) from error
    is_dated = all(one.seconds * SECOND < MOMENT_MAX for one in found)
    is_signed = all(key.is_cosigner_of(checkpoint.text, one) for one in found)
    if not (found and is_dated and is_signed and key.text == text):
        raise EvidenceError("checkpoint", f"the cosignature of {key.name} is false, or not there")
    return WitnessAttestation(key, found[-1].seconds * SECOND)


def _stamped(
    evidence: Evidence,
    checkpoint: Checkpoint,
    signatures: Sequence[NoteSignature],
    signers: Sequence[PublicKey],
) -> tuple[StampAttestation, ...]:
    """Verify that the stamps are over the note signed by the chain's keys."""
    note = stamped_bytes(Note(checkpoint.text, tuple(signatures)), signers)
    try:
        return tuple(
            StampAttestation(one.authority, stamp_moment(one.answer, note))
            for one in evidence.stamps
        )
    except InputError as error:
        raise EvidenceError("stamp", str(error)) from error


def stamped_bytes(note: Note, signers: Sequence[PublicKey]) -> bytes:
    """Return the bytes that are time-stamped: the note with only the chain's own signatures."""
    own = {(key.name, key.key_id) for key in signers}
    lines = tuple(one for one in note.signatures if (one.name, one.key_id) in own)
    return str(Note(note.text, lines)).encode()


def _decrypted_fields(
    evidence: Evidence, read: Iterable[ProvedEvent], personal: Mapping[int, Sequence[str]]
) -> Iterator[OpenedField]:
    """Decrypt fields with their disclosed keys; each field may be disclosed once."""
    sealed = {
        (one.position, name): one
        for one in read
        for name in personal[one.position]
        if one.facts[name]
    }
    for one in evidence.opened:
        event = sealed.pop((one.position, one.field), None)
        if event is None:
            text = f"message {one.position} has no sealed field {one.field}, or it is opened twice"
            raise EvidenceError("opened", text)
        yield OpenedField(one.position, one.field, _text_of(event, one))


def _text_of(event: ProvedEvent, opened: DisclosedKey) -> str | None:
    if opened.key is None:
        return None
    person, sealed = event.facts.get("person"), event.facts[opened.field]
    place = f"{event.name}.{opened.field}"
    try:
        if isinstance(person, str) and isinstance(sealed, bytes):
            return open_sealed(opened.key, person, place, sealed)
    except IntegrityError:
        pass
    text = f"the key of message {opened.position} does not open its field {opened.field}"
    raise EvidenceError("opened", text)


def _reservations(unknown: dict[str, int], opened: Collection[OpenedField]) -> Iterable[str]:
    for named, count in unknown.items():
        yield f"{count} events of {named} were read, and this version has no words for them."
    erased = sum(one.text is None for one in opened)
    if erased:
        yield f"The issuer states that {erased} personal fields were erased: this is not proved."


def _fault(position: int, text: str) -> EvidenceError:
    return EvidenceError(f"message {position}", text, position=position)
