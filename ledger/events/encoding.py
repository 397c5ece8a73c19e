"""Encode events as messages and decode messages.

A message is Avro single-object encoding: the marker ``C3 01``, the 8-byte fingerprint of
the writer schema, the body. The body begins with the envelope, so that ``previous_hash`` is
always bytes 10 to 41. A value that :func:`decode` returns is typed and trusted; an unreadable
message raises :class:`IntegrityError`.
"""

from __future__ import annotations

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Self

from fastavro import parse_schema, schemaless_reader
from msgspec import Struct

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.message import BODY_OFFSET, ZERO_HASH
from ledger.core.version import VERSION
from ledger.events.avro_writers import message_writer, write_long, write_text
from ledger.events.event_types import EVENTS, Event
from ledger.tlog.merkle import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Callable

    from schemas import Schema

__all__ = [
    "COMMAND",
    "COMMAND_BYTES",
    "FINGERPRINT",
    "MARKER",
    "NUMBERS",
    "PREVIOUS_HASH",
    "Envelope",
    "RecordedEvent",
    "SharedEnvelope",
    "decode",
    "decode_envelope",
    "encode",
    "hash_of",
    "previous_hash_of",
    "schema_of",
]

MARKER = b"\xc3\x01"
FINGERPRINT = slice(2, 10)
PREVIOUS_HASH = slice(10, 42)
COMMAND = slice(42, 74)
"""``command_id`` and ``command_digest``, which all events of a decision share."""
NUMBERS = 74
"""Offset of ``position``; ``decision_index``, ``decision_size`` and ``recorded_at`` follow."""
COMMAND_BYTES = 16
"""Length of each of the two."""


class Envelope(Struct, frozen=True, kw_only=True, gc=False):
    """The fields with which every event begins; see docs/format.md."""

    previous_hash: bytes
    command_id: bytes
    command_digest: bytes
    position: int
    decision_index: int
    decision_size: int
    recorded_at: int
    occurred_at: int
    actor: str
    source: str


class RecordedEvent(Struct, frozen=True, gc=False):
    """A decoded event with its envelope; ``hash`` is the hash of its message."""

    envelope: Envelope
    event: Event
    hash: bytes

    @property
    def position(self) -> int:
        """Position in the chain."""
        return self.envelope.position


def hash_of(message: bytes) -> bytes:
    """Hash the exact bytes of a message as a leaf of the tree (RFC 6962)."""
    return leaf_hash(message)


def previous_hash_of(message: bytes) -> bytes:
    """Read the hash of the previous message without decoding."""
    return message[PREVIOUS_HASH]


class SharedEnvelope(Struct, frozen=True, gc=False):
    """The encoded fields that the envelopes of all events of a decision have in common."""

    command: bytes
    rest: bytes

    @classmethod
    def write(
        cls,
        *,
        command_id: bytes,
        command_digest: bytes,
        decision_size: int,
        recorded_at: int,
        occurred_at: int,
        actor: str,
        source: str,
    ) -> Self:
        """Encode the common fields; raises as :func:`encode` does."""
        if len(command_id) != COMMAND_BYTES or len(command_digest) != COMMAND_BYTES:
            raise ValueError(f"identifier and digest of a command have {COMMAND_BYTES} bytes")
        recorded = write_long(recorded_at)
        occurred = recorded if occurred_at == recorded_at else write_long(occurred_at)
        numbers = write_long(decision_size) + recorded + occurred
        return cls(command_id + command_digest, numbers + write_text(actor) + write_text(source))

    def encode(self, previous_hash: bytes, position: int, index: int, event: Event) -> bytes:
        """Encode the message of an event of the decision; see :func:`encode`."""
        if len(previous_hash) != len(ZERO_HASH):
            raise ValueError(f"a hash has {len(ZERO_HASH)} bytes")
        write = _writer(type(event))
        place = write_long(position) + write_long(index)
        return write(event, previous_hash, self.command, place, self.rest)


def encode(envelope: Envelope, event: Event) -> bytes:
    """Encode the message of an event.

    Raises:
        TypeError, ValueError: a fact does not fit the schema; a bug in this program.

    """
    shared = SharedEnvelope.write(
        command_id=envelope.command_id,
        command_digest=envelope.command_digest,
        decision_size=envelope.decision_size,
        recorded_at=envelope.recorded_at,
        occurred_at=envelope.occurred_at,
        actor=envelope.actor,
        source=envelope.source,
    )
    return shared.encode(envelope.previous_hash, envelope.position, envelope.decision_index, event)


def decode(message: bytes) -> RecordedEvent:
    """Decode a message.

    Events of older schema versions are returned as the newest class.

    Raises:
        IntegrityError: it is not a message, its schema is unknown, or its body is damaged.

    """
    read, build = _reader(_fingerprint(message))
    stream = BytesIO(message)
    stream.seek(BODY_OFFSET)
    try:
        record = read(stream)
    except (EOFError, IndexError, ValueError, OverflowError, TypeError) as error:
        text = f"the body of a message can't be read: {error or type(error).__name__}"
        raise IntegrityError(text) from error
    if stream.read(1):
        raise IntegrityError("a message goes on behind its body")
    return build(record, hash_of(message))


def decode_envelope(message: bytes) -> Envelope:
    """Decode only the envelope of a message; the facts after it are not read.

    Raises:
        IntegrityError: it is not a message or the envelope is damaged.

    """
    if message[:2] != MARKER:
        raise IntegrityError("a message does not begin with C3 01")
    stream = BytesIO(message)
    stream.seek(BODY_OFFSET)
    try:
        return Envelope(**schemaless_reader(stream, _ENVELOPE, None))  # type: ignore[arg-type]
    except (EOFError, IndexError, ValueError, OverflowError) as error:
        text = f"the envelope of a message can't be read: {error or type(error).__name__}"
        raise IntegrityError(text) from error


def _fingerprint(message: bytes) -> bytes:
    if message[:2] != MARKER:
        raise IntegrityError("a message does not begin with C3 01")
    return message[FINGERPRINT]


@cache
def _writer(kind: type[Event]) -> Callable[..., bytes]:
    schema = schemas.newest()[kind.__name__]
    return message_writer(schema, MARKER + schema.fingerprint)


def schema_of(fingerprint: bytes) -> Schema:
    """Return the schema of messages with a fingerprint.

    Raises:
        IntegrityError: this program does not have the schema.

    """
    schema = schemas.catalogue().get(fingerprint)
    if schema is None:
        raise IntegrityError(
            f"schema {fingerprint.hex()} is unknown to gameledger {VERSION}: another version wrote "
            "the chain, or the message is damaged (docs/compatibility.md, Another version)"
        )
    return schema


@cache
def _reader(
    fingerprint: bytes,
) -> tuple[Callable[[BytesIO], Any], Callable[[Any, bytes], RecordedEvent]]:
    schema = schema_of(fingerprint)
    current = schemas.newest()[schema.name]
    target = None if current is schema else current.parsed
    event_class = EVENTS[schema.name]
    arrays = [f["name"] for f in current.facts if isinstance(f["type"], dict)]
    present = {f["name"] for f in schema.facts}
    defaults = [
        f["name"] for f in current.facts if f["type"] == "bytes" and f["name"] not in present
    ]

    def read(stream: BytesIO) -> Any:
        return schemaless_reader(stream, schema.parsed, target)

    def build(record: dict[str, Any], digest: bytes) -> RecordedEvent:
        envelope = Envelope(**{name: record.pop(name) for name in schemas.ENVELOPE_FIELDS})
        for name in arrays:
            record[name] = tuple(record[name])
        for name in defaults:  # a default of bytes is text whose characters are the bytes
            record[name] = record[name].encode("latin-1")
        return RecordedEvent(envelope, event_class(**record), digest)

    return read, build


_ENVELOPE = parse_schema(
    {
        "type": "record",
        "name": "Envelope",
        "fields": schemas.newest()["ChainOpened"].raw["fields"][: len(schemas.ENVELOPE_FIELDS)],
    }
)
