"""Verification state of a chain up to a size, extended message by message.

What comes in: messages in the order of the chain. What goes out: the first fault with its position,
or the result. One path serves every message. The stand-alone verifier in ``verifier/`` makes the
same checks faster; the tests compare both.
"""

from __future__ import annotations

from collections import Counter
from io import BytesIO
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from fastavro import schemaless_reader
from msgspec import Struct

from ledger.core.errors import IntegrityError
from ledger.core.message import BODY_OFFSET, EMPTY, IDENTIFIER_BYTES, MESSAGE_BYTES_MAX, Head
from ledger.core.phrases import Phrase
from ledger.events.avro_long import encode_long, read_long
from ledger.events.canonical_form import scan_of
from ledger.events.encoding import (
    COMMAND,
    NUMBERS,
    PREVIOUS_HASH,
    decode_envelope,
    previous_hash_of,
)
from ledger.events.schema_book import header_of, is_known
from ledger.tlog.merkle import CompactRange, RecentRoots, leaf_hash
from ledger.tlog.signing import Checkpoint, PublicKey
from ledger.verification.self_description import (
    CHECKPOINT_WINDOW,
    SelfDescription,
    is_self_description,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from ledger.events.canonical_form import Scan
    from ledger.verification.duplicate_commands import DuplicateCommandCheck
    from ledger.verification.tag_map_check import MapVerifier
    from schemas import Schema

__all__ = ["ChainVerifier", "IndexChecker", "TrustedPrefix", "UnknownSchema", "VerificationResult"]

_FLIPPED_BITS_MAX = 64
"""Hashes of different bytes differ in 128 bits on average, in practice never in fewer than 64."""


class UnknownSchema(Struct, frozen=True):
    """A published schema that this program does not have, and the number of its events."""

    name: str
    version: int
    events: int


class VerificationResult(Struct, frozen=True):
    """Result of a verification; every message up to ``head`` was hashed, linked and decoded.

    ``root`` is the root of the tree over all messages; ``keys`` are all signing keys that the chain
    added. ``covered`` is the size at the last checkpoint; later messages have no signature, so an
    alteration of the last message cannot be detected. The times of the first and last record are in
    microseconds. ``unknown`` lists event types that were decoded by the schemas of the chain and
    that only another version of this program can interpret.
    """

    chain: str
    head: Head
    root: bytes
    decisions: int
    checkpoints: int
    covered: int
    first_recorded_at: int
    last_recorded_at: int
    keys: tuple[PublicKey, ...] = ()
    unknown: tuple[UnknownSchema, ...] = ()


class TrustedPrefix(Struct, frozen=True):
    """The part of a chain that a trusted checkpoint covers and that is not verified again.

    Attributes:
        checkpoint: the trusted checkpoint.
        tree: the right edge of its tree at the size of the last checkpoint recorded in that part,
            below which no later checkpoint may lie.
        leaves: the hashes of the messages from there to its end.
        last: the last message in that part.
        self_description: (position, message) of the chain's self-description in that part: schemas
            and keys.

    """

    checkpoint: Checkpoint
    tree: CompactRange
    leaves: tuple[bytes, ...]
    last: bytes
    self_description: tuple[tuple[int, bytes], ...]


class IndexChecker(Protocol):
    """Receives what an index beside the log must hold."""

    def add(
        self, position: int, event_type: str, tags: Sequence[bytes], command: bytes, size: int
    ) -> None:
        """Add the next message.

        Args:
            position: of the message.
            event_type: its name; empty for a type that this program does not have.
            tags: in UTF-8; one may stand twice.
            command: identifier of the command; empty unless the message begins its decision.
            size: number of events of the decision.

        """


class _DecisionFields(Struct, frozen=True):
    """The decision fields of a message."""

    index: int
    size: int
    command: bytes
    recorded_at: int

    @property
    def missing(self) -> int:
        """Number of messages that must follow to complete the decision."""
        return self.size - self.index - 1


class _Reader(NamedTuple):
    """How messages of a schema are read."""

    schema: Schema
    scan: Scan


class ChainVerifier:
    """Verification state of the chain up to ``size``."""

    def __init__(
        self,
        keys: Mapping[str, bytes],
        since: Head | Checkpoint | None,
        repeats: DuplicateCommandCheck | None,
        index: IndexChecker | None,
        maps: MapVerifier,
        *,
        reads_facts: bool = True,
    ) -> None:
        """Start at the first message; see ``ledger.verification.verify.verify``."""
        self.size, self.digest = EMPTY
        self._reads_facts = reads_facts
        self._repeats = repeats
        self._index = index
        self._since = since
        self._tree = RecentRoots(CHECKPOINT_WINDOW)
        chain = since.chain if isinstance(since, Checkpoint) else None
        self._maps = maps
        self._self_description = SelfDescription(keys, chain, self._tree, maps)
        self._readers: dict[bytes, _Reader] = {}
        self._counted: Counter[bytes] = Counter()
        self._last = _DecisionFields(0, 1, b"", 0)
        self._first_recorded_at = 0
        self._decisions = 0

    @property
    def keys_in_force(self) -> tuple[PublicKey, ...]:
        """The keys that the chain added and did not revoke, up to ``size``."""
        return self._self_description.keys_in_force

    def resume_from(self, after: TrustedPrefix) -> None:
        """Start after a trusted part of the chain."""
        self._tree = RecentRoots(CHECKPOINT_WINDOW, after.tree)
        for leaf in after.leaves:
            self._tree.add(leaf)
        self._self_description.tree = self._tree
        for position, body in after.self_description:
            self._apply_self_description(position, body, self._reader_of(body).schema)
        envelope = decode_envelope(after.last)
        self.size, self.digest = after.checkpoint.size, leaf_hash(after.last)
        self._first_recorded_at = envelope.recorded_at
        self._last = _DecisionFields(0, 1, b"", envelope.recorded_at)

    def verify_message(
        self, position: int, body: bytes, following: Iterator[tuple[int, bytes]]
    ) -> None:
        """Verify the next message, and apply it if it describes the chain.

        Args:
            position: where the log holds it.
            body: the message.
            following: the messages after it; one is read where a link is broken.

        Raises:
            IntegrityError: the message is faulty; with its kind and place.

        """
        size = self.size
        if position != size:
            raise _fault(size, Phrase("MESSAGE_MISSING", at=size, next=position))
        place = encode_long(size)
        if not body.startswith(place, NUMBERS):
            raise _fault(size, _other_place(size, body))
        if body[PREVIOUS_HASH] != self.digest:
            raise self._broken_link(body, following)
        if len(body) > MESSAGE_BYTES_MAX:
            most = MESSAGE_BYTES_MAX
            raise _fault(size, Phrase("MESSAGE_TOO_LARGE", at=size, size=len(body), most=most))
        reader = self._reader_of(body)
        fields = self._decision_fields(body, NUMBERS + len(place))
        tags = self._read_facts(reader, body, fields)
        if size == 0 and reader.schema.name != "ChainOpened":
            raise _fault(0, Phrase("NOT_CHAIN_OPENED", at=0))
        self._append(body, reader.schema, fields, tags)

    def _broken_link(self, body: bytes, following: Iterator[tuple[int, bytes]]) -> IntegrityError:
        """Determine which of two messages was altered when the hash in the second does not match.

        Either the hash in the later message was changed, or any byte of the earlier one. The
        messages that follow show whether the later one is intact. If none follow, the number of
        differing bits decides: a few flipped bits mean that the hash was damaged.
        """
        at, named = self.size, previous_hash_of(body)
        if at == 0:
            return _fault(0, Phrase("PREVIOUS_HASH_NOT_ZERO", at=0))
        confirmed_hash = None
        place, message = next(following, (None, b""))
        if place == at + 1:
            confirmed_hash = previous_hash_of(message)
        elif isinstance(self._since, Head) and self._since.size == at + 1:
            confirmed_hash = self._since.hash
        differing = (int.from_bytes(named) ^ int.from_bytes(self.digest)).bit_count()
        is_later = (
            differing < _FLIPPED_BITS_MAX
            if confirmed_hash is None
            else confirmed_hash != leaf_hash(body)
        )
        if is_later or (self._since is not None and self._since.size == at):
            text = Phrase("PREVIOUS_HASH_OTHER", at=at, other=at - 1)
            return _fault(at, text)
        text = Phrase("MESSAGE_NOT_VOUCHED", at=at - 1, other=at)
        return _fault(at - 1, text)

    def finish(self) -> None:
        """Run the checks that need the end of the chain, such as an incomplete last decision."""
        if self.size == 0:
            raise _fault(0, Phrase("LOG_EMPTY"))
        if self._last.missing:
            first = self.size - self._last.index - 1
            text = Phrase("DECISION_TORN", at=first, count=self._last.missing)
            raise _fault(first, text)
        if self._since is not None and self._since.size > self.size:
            text = Phrase("LOG_CUT_OFF", size=self.size, other=self._since.size)
            raise _fault(self.size, text)

    def result(self) -> VerificationResult:
        """Return the result for a chain without a fault."""
        return VerificationResult(
            chain=self._self_description.chain,
            head=Head(self.size, self.digest),
            root=self._tree.root(),
            decisions=self._decisions,
            checkpoints=self._self_description.checkpoints,
            covered=self._self_description.covered,
            first_recorded_at=self._first_recorded_at,
            last_recorded_at=self._last.recorded_at,
            keys=tuple(self._self_description.keys),
            unknown=tuple(
                UnknownSchema(schema.name, schema.version, self._counted[header_of(schema)])
                for schema in self._self_description.book.unknown()
            ),
        )

    def _append(
        self, body: bytes, schema: Schema, fields: _DecisionFields, tags: Sequence[bytes]
    ) -> None:
        at, digest = self.size, leaf_hash(body)
        if at == 0:
            self._first_recorded_at = fields.recorded_at
        self._tree.add(digest)
        self._maps.add(at, digest, tags)
        if is_self_description(schema):
            self._apply_self_description(at, body, schema)
        self._compare_remembered(at + 1, digest)
        command = b""
        if fields.index == 0:
            command = fields.command[:IDENTIFIER_BYTES]
            if self._repeats is not None:
                self._repeats.add(at, command)
            self._decisions += 1
        self._counted[body[:BODY_OFFSET]] += 1
        if self._index is not None:
            self._index.add(at, schema.name if is_known(schema) else "", tags, command, fields.size)
        self._last = fields
        self.digest, self.size = digest, at + 1

    def _read_facts(self, reader: _Reader, body: bytes, fields: _DecisionFields) -> Sequence[bytes]:
        """Check the facts of a message, if they are to be read; return its tags."""
        if not self._reads_facts and not is_self_description(reader.schema):
            at = NUMBERS + len(encode_long(self.size))
            numbers = (fields.index, fields.size, fields.recorded_at)
            if body.startswith(b"".join(map(encode_long, numbers)), at):
                return ()
        fault, tags = reader.scan(body)
        if fault:
            text = Phrase("MESSAGE_ALTERED_BY", at=self.size, english=fault)
            raise _fault(self.size, text)
        return tags

    def _apply_self_description(self, position: int, body: bytes, schema: Schema) -> None:
        """Check a message that belongs to the chain's self-description."""
        handler = self._self_description.handler_of(schema.name)
        if handler is not None:
            handler(position, _facts(schema, body))

    def _reader_of(self, body: bytes) -> _Reader:
        header = body[:BODY_OFFSET]
        schema = self._self_description.book.get(header)
        if schema is None:
            text = Phrase("SCHEMA_NOT_PUBLISHED", at=self.size, schema=header[2:].hex())
            raise _fault(self.size, text)
        reader = self._readers.get(header)
        if reader is None:
            reader = self._readers[header] = _Reader(schema, scan_of(schema, schema.tags))
        return reader

    def _compare_remembered(self, size: int, digest: bytes) -> None:
        """Compare the remembered head or checkpoint, once the chain reaches its size."""
        since = self._since
        if since is None or since.size != size:
            return
        if isinstance(since, Head):
            if digest != since.hash:
                raise _fault(size - 1, Phrase("HASH_NOT_REMEMBERED", at=size - 1))
        elif self._tree.root(size) != since.root:
            raise _fault(size - 1, Phrase("ROOT_NOT_REMEMBERED", size=size))

    def _decision_fields(self, body: bytes, at: int) -> _DecisionFields:
        """Check decision index, decision size, command and recording time of an envelope.

        Args:
            body: of the message.
            at: byte offset at which the numbers of the envelope begin.

        """
        last, number = self._last, self.size
        try:
            index, at = read_long(body, at)
            size, at = read_long(body, at)
            recorded_at, _ = read_long(body, at)
        except (IndexError, ValueError) as error:
            text = Phrase("ENVELOPE_UNREADABLE", at=number)
            raise _fault(number, text) from error
        fields = _DecisionFields(index, size, body[COMMAND], recorded_at)
        if last.missing:
            if (index, size, fields.command) != (last.index + 1, last.size, last.command):
                raise _fault(number, Phrase("DECISION_NOT_CONTINUED", at=number))
        elif index != 0 or size < 1:
            raise _fault(number, Phrase("DECISION_NOT_BEGUN", at=number))
        if number and recorded_at < last.recorded_at:
            raise _fault(number, Phrase("RECORDED_BACKWARDS", at=number))
        return fields


def _facts(schema: Schema, body: bytes) -> Any:
    """Decode a message that was verified."""
    stream = BytesIO(body)
    stream.seek(BODY_OFFSET)
    return schemaless_reader(stream, schema.parsed, None)


def _other_place(size: int, body: bytes) -> Phrase:
    """Describe a message whose recorded position differs from its place in the log."""
    try:
        return Phrase("MESSAGE_OF_OTHER_PLACE", at=size, other=read_long(body, NUMBERS)[0])
    except (IndexError, ValueError):
        return Phrase("ENVELOPE_UNREADABLE", at=size)


def _fault(position: int, text: Phrase) -> IntegrityError:
    return IntegrityError(text, position=position)
