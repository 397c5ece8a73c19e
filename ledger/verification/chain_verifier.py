"""Verification state of a chain up to a size, extended segment by segment.

What comes in: segments in the order of the chain, each already verified on its own. What goes out:
the first fault with its position, or the result. A segment that does not follow the previous one or
contains a fault is verified message by message, which locates the fault.
"""

from __future__ import annotations

from collections import Counter
from functools import partial
from io import BytesIO
from typing import TYPE_CHECKING, Any

from fastavro import schemaless_reader
from msgspec import Struct

import schemas
from ledger.core.errors import IntegrityError
from ledger.core.message import BODY_OFFSET, EMPTY, MESSAGE_BYTES_MAX, Head
from ledger.core.phrases import Phrase
from ledger.events.avro_long import encode_long, read_long
from ledger.events.canonical_form import plain_scan
from ledger.events.encoding import (
    COMMAND,
    MARKER,
    NUMBERS,
    PREVIOUS_HASH,
    decode_envelope,
    previous_hash_of,
)
from ledger.events.envelope_columns import DecisionFields
from ledger.events.schema_book import header_of
from ledger.tlog.merkle import HASH_BYTES, CompactRange, RecentRoots, leaf_hash
from ledger.tlog.signing import Checkpoint, PublicKey
from ledger.verification.duplicate_commands import RECORD_BYTES
from ledger.verification.segments import Segment, SegmentVerifier
from ledger.verification.self_description import CHECKPOINT_WINDOW, SelfDescription

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.verification.duplicate_commands import DuplicateCommandCheck
    from ledger.verification.segments import IndexChecker, PositionedMessages
    from ledger.verification.tag_map_check import MapVerifier
    from schemas import Schema

__all__ = ["ChainVerifier", "TrustedPrefix", "UnknownSchema", "VerificationResult"]

_PUBLICATION = header_of(schemas.newest()["SchemaPublished"])

_PARTS = 16
"""Number of parts into which a faulty block is cut; smaller blocks are halved."""

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
        tree: the right edge of its tree, from which its root can be computed.
        last: the last message in that part.
        self_description: (position, message) of the chain's self-description in that part: schemas
            and keys.

    """

    checkpoint: Checkpoint
    tree: CompactRange
    last: bytes
    self_description: tuple[tuple[int, bytes], ...]


class ChainVerifier:
    """Verification state of the chain up to ``size``."""

    def __init__(
        self,
        keys: Mapping[str, bytes],
        since: Head | Checkpoint | None,
        repeats: DuplicateCommandCheck,
        index: IndexChecker | None,
        maps: MapVerifier,
        *,
        reads_facts: bool = True,
    ) -> None:
        """Start at the first message; see ``ledger.verification.verify.verify``."""
        self.size, self.digest = EMPTY
        self.segment_verifier = SegmentVerifier(
            None if index is None else index.expected, reads_facts=reads_facts
        )
        self._repeats = repeats
        self._index = index
        self._since = since
        self._is_compared = False
        self._tree = RecentRoots(CHECKPOINT_WINDOW)
        chain = since.chain if isinstance(since, Checkpoint) else None
        self._maps = maps
        self._self_description = SelfDescription(keys, chain, self._tree, maps)
        self._counted: Counter[bytes] = Counter()
        self._last = DecisionFields(0, 1, b"", 0)
        self._first_recorded_at = 0
        self._decisions = 0

    def resume_from(self, after: TrustedPrefix) -> None:
        """Start after a trusted part of the chain."""
        self._tree = RecentRoots(CHECKPOINT_WINDOW, after.tree)
        self._self_description.tree = self._tree
        for position, body in after.self_description:
            self._apply_self_description(position, body)
        envelope = decode_envelope(after.last)
        self.size, self.digest = after.checkpoint.size, leaf_hash(after.last)
        self._first_recorded_at = envelope.recorded_at
        self._last = DecisionFields(0, 1, b"", envelope.recorded_at)

    @property
    def unknown(self) -> list[Schema]:
        """Schemas that the chain has published so far and this program lacks."""
        return self._self_description.book.unknown()

    def append_segment(self, segment: Segment) -> bool:
        """Append a verified segment; return False and change nothing if it does not follow.

        Raises:
            IntegrityError: the self-description in the segment violates a rule.

        """
        if (
            (segment.first, segment.previous) != (self.size, self.digest)
            or not self._last.may_precede(segment.begins)
            or not self._is_as_published(segment)
        ):
            return False
        self._append(segment)
        return True

    def verify_block(
        self, block: PositionedMessages, following: Callable[[], PositionedMessages]
    ) -> None:
        """Verify the next messages, in ever smaller parts around a fault.

        Args:
            block: the messages.
            following: reads the messages after the block; called where a link is broken.

        Raises:
            IntegrityError: the first fault.

        """
        segment = self.segment_verifier.verify_segment(block)
        if segment is not None and self.append_segment(segment):
            return
        if len(block) > 1:
            part = len(block) // (_PARTS if len(block) > _PARTS else 2)
            for at in range(0, len(block), part):
                rest = block[at + part :]
                self.verify_block(block[at : at + part], partial(_messages_after, rest, following))
            return
        ((position, body),) = block
        if not self.verify_message(position, body):
            rest = following()
            raise self.broken_link(body, rest[0] if rest else None)

    def verify_message(self, position: int, body: bytes) -> bool:
        """Verify one more message; return False if its link to the previous one is broken.

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
            return False
        if len(body) > MESSAGE_BYTES_MAX:
            most = MESSAGE_BYTES_MAX
            raise _fault(size, Phrase("MESSAGE_TOO_LARGE", at=size, size=len(body), most=most))
        schema = self._schema_of(body)
        self._check_envelope_numbers(body, NUMBERS + len(place))
        fault, _ = plain_scan(schema)(body)
        if fault:
            raise _fault(size, Phrase("MESSAGE_ALTERED_BY", at=size, english=fault))
        if size == 0 and schema.name != "ChainOpened":
            raise _fault(0, Phrase("NOT_CHAIN_OPENED", at=0))
        self.segment_verifier.add_schemas([schema])
        segment = self.segment_verifier.verify_segment([(position, body)])
        if segment is None:
            raise _fault(size, Phrase("MESSAGE_ALTERED", at=size))
        self._append(segment)
        return True

    def broken_link(self, body: bytes, following: tuple[int, bytes] | None) -> IntegrityError:
        """Determine which of two messages was altered when the hash in the second does not match.

        Either the hash in the later message was changed, or any byte of the earlier one. The
        messages that follow show whether the later one is intact. If none follow, the number of
        differing bits decides: a few flipped bits mean that the hash was damaged.
        """
        at, named = self.size, previous_hash_of(body)
        if at == 0:
            return _fault(0, Phrase("PREVIOUS_HASH_NOT_ZERO", at=0))
        confirmed_hash = None
        if following is not None and following[0] == at + 1:
            confirmed_hash = previous_hash_of(following[1])
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
                for schema in self.unknown
            ),
        )

    def _append(self, segment: Segment) -> None:
        hashes = segment.hashes
        if self.size == 0:
            self._first_recorded_at = segment.begins.recorded_at
        end = self.size + len(hashes) // HASH_BYTES
        self._tree.extend(hashes, segment.groups)
        self._maps.add(segment.entries)
        for position, body in segment.self_description:
            self._compare_remembered(position, hashes)
            self._apply_self_description(position, body)
        if segment.self_description:
            self.segment_verifier.add_schemas(self.unknown)
        self._compare_remembered(end, hashes)
        self._repeats.add(segment.decisions)
        self._decisions += len(segment.decisions) // RECORD_BYTES
        self._counted.update({header: count for header, _, count in segment.kinds})
        if self._index is not None:
            self._index.add(segment.index_expected)
        self._last = segment.ends
        self.digest, self.size = hashes[-HASH_BYTES:], end

    def _is_as_published(self, segment: Segment) -> bool:
        """Return whether the chain published every schema of the segment before its use."""
        if segment.first == 0 and not (
            segment.self_description and segment.self_description[0][0] == 0
        ):
            return False
        published: dict[bytes, int] = {}
        for position, body in segment.self_description:
            if body[:BODY_OFFSET] == _PUBLICATION:
                facts = _facts(schemas.newest()["SchemaPublished"], body)
                header = MARKER + _bytes_of(facts["fingerprint"])
                known = self.segment_verifier.schema(header)
                if known is not None and known.text != facts["schema"]:
                    return False
                published.setdefault(header, position)
        for header, first, _ in segment.kinds:
            schema = self._self_description.book.get(header)
            if schema is None:
                if published.get(header, first) >= first:
                    return False
            elif schema != self.segment_verifier.schema(header):
                return False
        return True

    def _apply_self_description(self, position: int, body: bytes) -> None:
        """Check a message that belongs to the chain's self-description."""
        schema = self._schema_of(body)
        handler = self._self_description.handler_of(schema.name)
        if handler is not None:
            handler(position, _facts(schema, body))

    def _schema_of(self, body: bytes) -> Schema:
        header = body[:BODY_OFFSET]
        schema = self._self_description.book.get(header)
        if schema is None:
            text = Phrase("SCHEMA_NOT_PUBLISHED", at=self.size, schema=header[2:].hex())
            raise _fault(self.size, text)
        return schema

    def _compare_remembered(self, size: int, hashes: bytes) -> None:
        """Compare the remembered head or checkpoint, once the chain reaches its size."""
        since = self._since
        if since is None or not self.size < since.size <= size or self._is_compared:
            return
        self._is_compared = True
        at = since.size - 1
        if isinstance(since, Head):
            start = (at - self.size) * HASH_BYTES
            if hashes[start : start + HASH_BYTES] != since.hash:
                raise _fault(at, Phrase("HASH_NOT_REMEMBERED", at=at))
        elif self._tree.root(since.size) != since.root:
            raise _fault(at, Phrase("ROOT_NOT_REMEMBERED", size=since.size))

    def _check_envelope_numbers(self, body: bytes, at: int) -> None:
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
        if last.missing:
            if (index, size, body[COMMAND]) != (last.index + 1, last.size, last.command):
                raise _fault(number, Phrase("DECISION_NOT_CONTINUED", at=number))
        elif index != 0 or size < 1:
            raise _fault(number, Phrase("DECISION_NOT_BEGUN", at=number))
        if number and recorded_at < last.recorded_at:
            raise _fault(number, Phrase("RECORDED_BACKWARDS", at=number))


def _messages_after(
    rest: PositionedMessages, following: Callable[[], PositionedMessages]
) -> PositionedMessages:
    return rest or following()


def _facts(schema: Schema, body: bytes) -> Any:
    """Decode a message that was verified."""
    stream = BytesIO(body)
    stream.seek(BODY_OFFSET)
    return schemaless_reader(stream, schema.parsed, None)


def _bytes_of(digits: str) -> bytes:
    try:
        return bytes.fromhex(digits)
    except ValueError:
        return b""


def _other_place(size: int, body: bytes) -> Phrase:
    """Describe a message whose recorded position differs from its place in the log."""
    try:
        return Phrase("MESSAGE_OF_OTHER_PLACE", at=size, other=read_long(body, NUMBERS)[0])
    except (IndexError, ValueError):
        return Phrase("ENVELOPE_UNREADABLE", at=size)


def _fault(position: int, text: Phrase) -> IntegrityError:
    return IntegrityError(text, position=position)
