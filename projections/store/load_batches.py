"""Collect checked blocks of a log into batches that are large enough for an insert.

What comes in: blocks. What goes out: a portion for each block with its head and the batches that
are due, and at the end the remaining batches. Messages of a schema are collected over several
blocks, because each part of a table costs files and syncs, however few rows it has. Memory is
bounded.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ledger.core.errors import LedgerError
from projections.store.projector import check_bodies, container

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import schemas
    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from projections.store.blocks import Block
    from projections.store.tables import Store

__all__ = ["BATCH", "Batch", "BatchCollector", "Portion", "SchemaMessages", "insert", "portions"]

BATCH = 40_000
"""Number of messages of a schema that are inserted at once; more take memory without gain."""

GATHERED_BYTES_MAX = 64 * 1024 * 1024
"""Maximum bytes of collected messages; beyond it those of the largest schemas are inserted,
down to a half."""


class Batch(Protocol):
    """Rows of one table, to be inserted together."""

    def insert(self, store: Store) -> None:
        """Insert the rows; after an error it is unknown whether they were stored."""

    def check_bodies(self, log: ReadableLog) -> None:
        """Find the unreadable body after a failed insert.

        Raises:
            IntegrityError: there is one, with its position.

        """


def insert(batch: Batch, log: ReadableLog, store: Store) -> None:
    """Insert the rows of a batch.

    Raises:
        IntegrityError: a body is unreadable, with its position.
        AvailabilityError, AuthorizationError: as :meth:`Store.insert_avro`.
    """
    try:
        batch.insert(store)
    except LedgerError:
        batch.check_bodies(log)
        raise


class Portion(NamedTuple):
    """Part of a log up to a head: the batches to insert, and the number of torn messages after it.

    ``recorded_at`` is the time of the last message in microseconds, 0 if there is none.
    """

    head: Head
    torn: int
    recorded_at: int
    batches: Sequence[Batch]


class SchemaMessages(NamedTuple):
    """Messages of one schema, in memory."""

    schema: schemas.Schema
    messages: list[bytes]

    def insert(self, store: Store) -> None:
        """Insert the rows of the messages."""
        store.insert_avro(self.schema.name, container(self.schema, self.messages))

    def check_bodies(self, _: ReadableLog) -> None:
        """Decode all messages."""
        check_bodies([self])


@dataclass
class BatchCollector:
    """Messages collected so far, by the fingerprint of their schema.

    ``batch`` is the number of messages of one schema from which a batch is due.
    """

    catalogue: Mapping[bytes, schemas.Schema]
    batch: int = BATCH
    _groups: dict[bytes, list[bytes]] = field(default_factory=dict)
    _lengths: Counter[bytes] = field(default_factory=Counter)

    def take(self, groups: Mapping[bytes, list[bytes]]) -> list[SchemaMessages]:
        """Add the messages of a block; return the batches that are due."""
        for fingerprint, messages in groups.items():
            self._groups.setdefault(fingerprint, []).extend(messages)
            self._lengths[fingerprint] += sum(map(len, messages))
        due = {name for name, found in self._groups.items() if len(found) >= self.batch}
        length = self._lengths.total()
        if length > GATHERED_BYTES_MAX:
            for name, of_schema in self._lengths.most_common():
                if length > GATHERED_BYTES_MAX // 2:
                    due.add(name)
                    length -= of_schema
        return self._given(due)

    def rest(self) -> list[SchemaMessages]:
        """Return all remaining batches."""
        return self._given(self._groups)

    def _given(self, fingerprints: Iterable[bytes]) -> list[SchemaMessages]:
        """Remove and return the messages of some schemas, the largest batch first."""
        due = sorted(fingerprints, key=lambda name: len(self._groups[name]), reverse=True)
        for name in due:
            del self._lengths[name]
        return [SchemaMessages(self.catalogue[name], self._groups.pop(name)) for name in due]


def portions(found: Iterable[Block], gathered: BatchCollector) -> Iterator[Portion]:
    """Yield a portion for each block from the beginning of a log; a last one has the rest."""
    last = None
    for block in found:
        last = Portion(block.head, block.torn, block.recorded_at, [*gathered.take(block.groups)])
        yield last
    if last is not None:
        yield last._replace(batches=[*gathered.rest()])
