"""Encode and decode the data part of an evidence file: its content and proofs as one JSON text.

What comes in: messages, hashes and proofs. What goes out: an ASCII text, embedded in a page or
stored next to a PDF, which is accepted only in its canonical form. Rejected: every other text, even
an equivalent one, so that no bit can be changed without detection. docs/evidence.md describes the
format for independent verifiers.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError, IntegrityError
from ledger.privacy import KEY_BYTES
from ledger.tlog.merkle import HASH_BYTES
from ledger.tlog.signing import parse_note

if TYPE_CHECKING:
    from ledger.tlog.notes import NoteSignature
    from ledger.tlog.signing import Checkpoint

__all__ = [
    "DATA_BYTES_MAX",
    "FORMAT",
    "FORMAT_OF_LINE",
    "MARK_BYTES",
    "POSITION_MAX",
    "Completeness",
    "DisclosedKey",
    "Evidence",
    "EvidenceError",
    "Message",
    "Other",
    "ProvedEvent",
    "SealedCommands",
    "Stamp",
    "Subject",
    "Value",
    "Withheld",
    "decode",
    "encode",
    "read_note",
]

FORMAT_OF_LINE = 1
"""The format of data parts whose completeness rests on the line ``tag-map`` of the note."""

FORMAT = 2
"""The format of data parts whose completeness rests on a recorded ``CheckpointSigned``."""

DATA_BYTES_MAX = 64 * 1024 * 1024
"""Maximum bytes of a data part."""

MARK_BYTES = 4

POSITION_MAX = 2**53 - 1
"""The largest integer that readers in JavaScript have."""

Position = Annotated[int, Meta(ge=0, le=POSITION_MAX)]
Moment = Annotated[int, Meta(ge=0, lt=7258118400000000)]
Key = Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
Digest = Annotated[bytes, Meta(min_length=HASH_BYTES, max_length=HASH_BYTES)]

_DIGEST = b',"digest":"'
_ESCAPED = re.compile("[<>&]")


class EvidenceError(IntegrityError):
    """The proofs of a file are invalid; ``place`` names the faulty part."""

    def __init__(self, place: str, text: str, *, position: int | None = None) -> None:
        """Store the faulty part and the text."""
        super().__init__(f"{place}: {text}", position=position)
        self.place = place
        self.text = text

    def __reduce__(self) -> tuple[Any, ...]:
        """Support pickling, to pass the error between processes."""
        return _evidence_error, (self.place, self.text, self.position)


def _evidence_error(place: str, text: str, position: int | None) -> EvidenceError:
    return EvidenceError(place, text, position=position)


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A complete message; ``mark`` is the beginning of its hash, to identify a damaged message."""

    position: Position
    mark: Annotated[bytes, Meta(min_length=MARK_BYTES, max_length=MARK_BYTES)]
    body: bytes


class Withheld(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A withheld message: only its position and its hash are in the file."""

    position: Position
    hash: Digest


class Stamp(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A time stamp: name of the authority, and its response (RFC 3161)."""

    authority: str
    answer: bytes


class DisclosedKey(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The decryption key of one field; ``None`` if the issuer states that the person was erased."""

    position: Position
    field: str
    key: Key | None


class SealedCommands(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The identifiers of all commands of the seal at a position, 16 bytes each.

    They are empty if the chain does not have all of them, so that none can recompute its digest.
    """

    position: Position
    commands: bytes


class Subject(Struct, frozen=True, forbid_unknown_fields=True):
    """The subject of the file.

    ``tag`` is ``round:…`` or ``account:…``. ``account`` is the participant for whom the events of
    all others are withheld, empty if nothing is withheld. ``first`` and ``end`` delimit the period
    of an account in microseconds (``end`` excluded); ``None`` means no limit.
    """

    tag: str
    account: str = ""
    first: Moment | None = None
    end: Moment | None = None


class Value(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Value of a tag in the tag map: number of its events, last position, root of their tree."""

    count: Annotated[int, Meta(ge=1, le=POSITION_MAX)]
    last: Position
    root: Digest


class Other(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Another tag in the tag map, identified by its key."""

    key: Digest
    value: Value


class Completeness(Struct, frozen=True, forbid_unknown_fields=True):
    """Proof that the file has all events of its subject; see ``ledger.tlog.tag_map``.

    ``value`` belongs to the subject's tag. If it is None, no event has the tag, and ``other`` is
    the tag found at its place in the map, if there is one. ``siblings`` are the hashes from this
    place up to the root of the map. ``entries`` are the hashes from the events of the tag, the
    first of which is its entry ``begin``, to the root of the tag's tree. ``checkpoint`` is the
    position of the message that holds the root of the map; without it the note holds that.
    """

    value: Value | None
    other: Other | None
    siblings: bytes
    begin: Position
    entries: bytes
    checkpoint: Position | UnsetType = UNSET


class Evidence(Struct, frozen=True, forbid_unknown_fields=True):
    """The whole data part: content and proofs.

    ``note`` is the signed checkpoint with the cosignatures of witnesses, ``witnesses`` their keys.
    ``stamps`` are time stamps of the note with only the log's signature. ``tree`` holds the
    concatenated hashes that lead from the messages, shown and withheld, to the root in the
    checkpoint (``ledger.tlog.merkle``). ``origin`` names the seals of sources that the messages
    hold; it is unset if there are none.
    """

    evidence: Annotated[int, Meta(ge=FORMAT_OF_LINE, le=FORMAT)]
    made_by: str
    subject: Subject
    note: str
    witnesses: tuple[str, ...]
    stamps: tuple[Stamp, ...]
    messages: tuple[Message, ...]
    withheld: tuple[Withheld, ...]
    tree: bytes
    completeness: Completeness
    opened: tuple[DisclosedKey, ...]
    origin: tuple[SealedCommands, ...] | UnsetType = UNSET


class ProvedEvent(Struct, frozen=True):
    """A message, decoded; ``facts`` are the fields after the envelope, as in Avro."""

    position: int
    hash: bytes
    name: str
    envelope: dict[str, Any]
    facts: dict[str, Any]
    tags: tuple[str, ...]
    is_known: bool


def encode(evidence: Evidence) -> bytes:
    """Encode a data part in canonical form, with its digest at the end."""
    text = json.dumps(msgspec.to_builtins(evidence), separators=(",", ":"))
    content = _ESCAPED.sub(lambda found: f"\\u{ord(found[0]):04x}", text).encode()[:-1]
    digest = b64encode(sha256(content).digest())
    return b"".join((content, _DIGEST, digest, b'"}'))


def decode(data: bytes) -> tuple[Evidence, bool]:
    """Parse a data part; return it, and whether its digest is right.

    The caller must reject a wrong digest, after all other checks.

    Raises:
        EvidenceError: it is not in canonical form, or not a data part.

    """
    content, separator, _ = data.rpartition(_DIGEST)
    try:
        evidence = decoder_of(Evidence).json(content + b"}")
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise _not_in_form(str(error)) from error
    if (evidence.evidence == FORMAT) != isinstance(evidence.completeness.checkpoint, int):
        raise _not_in_form("its format is another than that of its completeness")
    if evidence.origin == ():
        raise _not_in_form("it names no seals of sources, and has a place for them")
    again = encode(evidence)
    begins = content + separator
    if not separator or len(again) != len(data) or not again.startswith(begins):
        raise _not_in_form("it is not written in the one form that it has")
    if again != data:
        digest = data[len(begins) : -2]
        if not _BASE64.fullmatch(digest) or not data.endswith(b'"}'):
            raise _not_in_form("its digest is none")
    return evidence, again == data


def read_note(note: str) -> tuple[Checkpoint, tuple[NoteSignature, ...]]:
    """Parse the note of a file without verifying its signatures.

    Raises:
        EvidenceError: it is no note, has no tag map, or more messages than a position can name.

    """
    try:
        found = parse_note(note)
    except InputError as error:
        raise EvidenceError("checkpoint", str(error)) from error
    if not found[0].map_root or found[0].size > POSITION_MAX:
        raise EvidenceError("checkpoint", "it has no root of a map of tags, or too large a size")
    return found


_BASE64 = re.compile(rb"[A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=")
"""32 bytes in base64, in canonical form."""


def _not_in_form(why: str) -> EvidenceError:
    text = f"this is no data part of format 1 or 2 ({why}): the file was cut or altered"
    return EvidenceError("data", text)
