"""Verify a segment of a chain on its own: hashes, links, numbers, facts and tags.

What comes in: consecutive messages. What goes out: the values that must match the chain before and
after the segment, and the data that must be verified in the order of the chain; or None, if a
message is faulty or its schema is not known here. Segments can therefore be verified in parallel;
``ledger.verification.chain_verifier`` joins them and reports the fault. Pure: nothing is read or
written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

import schemas
from ledger.core.message import MESSAGE_BYTES_MAX
from ledger.events.canonical_form import Scanner
from ledger.events.envelope_columns import DecisionFields, EnvelopeColumns
from ledger.events.schema_book import FROZEN, header_of, is_known
from ledger.tlog.hashed_rows import groups_of, leaf_hashes, rows_in
from ledger.tlog.merkle import GROUP, GROUP_LEVELS, HASH_BYTES
from ledger.tlog.tag_entries import TagRows, scan_tags
from ledger.tlog.tag_map import KINDS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

    from numpy.typing import NDArray

    from ledger.tlog.tag_entries import ScanAll, TagEntries
    from schemas import Schema


__all__ = ["IndexChecker", "IndexableSegment", "PositionedMessages", "Segment", "SegmentVerifier"]

PositionedMessages = Sequence[tuple[int, bytes]]
"""Positions and messages."""


class IndexableSegment(NamedTuple):
    """The data of a segment from which the required index entries follow; a row is one message.

    Attributes:
        first: position of the first row.
        types: names of event types; empty for a type that this program does not have.
        type_of: for each row, the index of its type in ``types``.
        tagged: the rows of each tag.
        decision_starts: rows of the first messages of decisions.
        identifiers: identifiers of the commands of these decisions, 16 bytes each.
        sizes: number of events of these decisions.

    """

    first: int
    types: tuple[str, ...]
    type_of: NDArray[np.int64]
    tagged: TagRows
    decision_starts: NDArray[np.intp]
    identifiers: NDArray[np.uint8]
    sizes: NDArray[np.int64]


class IndexChecker(Protocol):
    """Compares an index with verified messages."""

    def expected(self, segment: IndexableSegment) -> Any:
        """Return what the index must hold for a segment; called in the process that verifies it."""

    def add(self, due: Any) -> None:
        """Add the result for the next segment."""


class Segment(NamedTuple):
    """The result of verifying a segment in which no fault was found.

    Attributes:
        first: position of its first message.
        previous: hash of the message before the segment, as named by its first message.
        hashes: hashes of its messages, concatenated.
        groups: hashes of the full nodes of ``GROUP`` leaves, if ``first`` is a multiple of
            ``GROUP``.
        begins: decision fields of its first message.
        ends: decision fields of its last message.
        decisions: identifier and position (8 bytes, big-endian) of each decision that begins here.
        kinds: (header, position of the first, count) of its messages by their schema.
        self_description: (position, message) of the events of the chain's self-description.
        entries: additions to the tag map.
        index_expected: what an index must hold, as ``IndexChecker`` returns it.

    """

    first: int
    previous: bytes
    hashes: bytes
    groups: bytes
    begins: DecisionFields
    ends: DecisionFields
    decisions: bytes
    kinds: tuple[tuple[bytes, int, int], ...]
    self_description: tuple[tuple[int, bytes], ...]
    entries: TagEntries
    index_expected: Any


class _LinkedBlock(NamedTuple):
    """Consecutive messages whose hashes and links were verified."""

    first: int
    bodies: Sequence[bytes]
    envelopes: EnvelopeColumns
    hashes: bytes

    @classmethod
    def read(cls, block: PositionedMessages) -> _LinkedBlock | None:
        """Hash the messages of a block, at least one; return None if a link is broken."""
        first, bodies = block[0][0], [body for _, body in block]
        places = [position for position, _ in block]
        envelopes = EnvelopeColumns.read(bodies)
        if (
            places != list(range(first, first + len(block)))
            or envelopes is None
            or not envelopes.is_contiguous(first)
            or envelopes.lengths.max() > MESSAGE_BYTES_MAX
        ):
            return None
        hashes = leaf_hashes(bodies)
        is_linked = envelopes.previous[1:].tobytes() == hashes[:-HASH_BYTES]
        return cls(first, bodies, envelopes, hashes) if is_linked else None


class _SchemaScanner(NamedTuple):
    """A schema with the name of its event type and the scanner that checks its messages."""

    schema: Schema
    name: str
    scanner: Scanner


class SegmentVerifier:
    """Verifies segments by the schemas of this program and those added by :meth:`add_schemas`."""

    def __init__(
        self,
        index_expected: Callable[[IndexableSegment], Any] | None = None,
        *,
        reads_facts: bool = True,
    ) -> None:
        """Create a verifier.

        Args:
            index_expected: returns what an index must hold; None: no index is compared.
            reads_facts: decode the facts of all messages, not only those of the self-description.

        """
        self._index_expected = index_expected
        self._reads_facts = reads_facts
        self._schemas = {header_of(schema): schema for schema in schemas.catalogue().values()}
        self._scanners: dict[bytes, _SchemaScanner] = {}

    def add_schemas(self, published: Iterable[Schema]) -> None:
        """Add schemas that the chain published; they replace schemas of the same fingerprint."""
        for schema in published:
            header = header_of(schema)
            if self._schemas.get(header) != schema:
                self._schemas[header] = schema
                self._scanners.pop(header, None)

    def schema(self, header: bytes) -> Schema | None:
        """Return the schema by which messages with this header are verified."""
        return self._schemas.get(header)

    def verify_segment(self, block: PositionedMessages) -> Segment | None:
        """Verify consecutive messages, at least one; return None if one is faulty."""
        links = _LinkedBlock.read(block)
        if links is None:
            return None
        first, bodies, envelopes, hashes = links
        rows_of = envelopes.rows_by_schema()
        frozen = {h: rows for h, rows in rows_of.items() if self._is_frozen(h)}
        tagged = scan_tags(bodies, rows_of if self._reads_facts else frozen, self._scan_of)
        if tagged is None:
            return None
        description_rows = [row for rows in frozen.values() for row in rows]
        decision_starts = envelopes.decision_starts
        identifiers = envelopes.identifiers(decision_starts)
        index_expected = None
        if self._index_expected is not None:
            names, type_of = self._types(rows_of, len(bodies))
            indexable = IndexableSegment(
                first,
                names,
                type_of,
                tagged,
                decision_starts,
                identifiers,
                envelopes.sizes[decision_starts],
            )
            index_expected = self._index_expected(indexable)
        return Segment(
            first=first,
            previous=envelopes.previous[0].tobytes(),
            hashes=hashes,
            groups=b"" if first % GROUP else groups_of(rows_in(hashes), GROUP_LEVELS).tobytes(),
            begins=envelopes.decision_fields(0),
            ends=envelopes.decision_fields(-1),
            decisions=_records(identifiers, first + decision_starts),
            kinds=tuple((head, first + rows[0], len(rows)) for head, rows in rows_of.items()),
            self_description=tuple((first + row, bodies[row]) for row in sorted(description_rows)),
            entries=tagged.entries(first, hashes),
            index_expected=index_expected,
        )

    def _is_frozen(self, header: bytes) -> bool:
        schema = self._schemas.get(header)
        return schema is not None and schema.name in FROZEN

    def _types(
        self, rows_of: dict[bytes, list[int]], count: int
    ) -> tuple[tuple[str, ...], NDArray[np.int64]]:
        type_of = np.zeros(count, np.int64)
        for number, rows in enumerate(rows_of.values()):
            type_of[rows] = number
        return tuple(self._scanners[header].name for header in rows_of), type_of

    def _scan_of(self, header: bytes) -> ScanAll | None:
        kind, schema = self._scanners.get(header), self._schemas.get(header)
        if kind is None and schema is not None:
            name = schema.name if is_known(schema) else ""
            tags = [
                tag for tag in schema.tags if self._index_expected is not None or tag[1] in KINDS
            ]
            kind = _SchemaScanner(schema, name, Scanner(schema, tags))
            self._scanners[header] = kind
        return kind and kind.scanner.scan_all


def _records(identifiers: NDArray[np.uint8], positions: NDArray[np.intp]) -> bytes:
    written = positions.astype(">u8").view(np.uint8).reshape(len(positions), 8)
    return np.concatenate([identifiers, written], axis=1).tobytes()
