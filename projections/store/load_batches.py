"""Checked blocks of a log → portions for new tables: what of them is worth an insert by now.

What comes in: blocks. What goes out: for each of them its head and the batches that are due, and at
last what is left. Messages of a schema gather over several blocks, because a part of a table costs
its files and their syncs, however few rows it has. Memory is bounded by what may gather.
"""

from __future__ import annotations

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

__all__ = ["BATCH", "Batch", "BufferedRows", "Gathered", "Portion", "insert", "portions"]

BATCH = 40_000
"""Messages of a schema that are inserted at once: more of them cost memory and gain nothing."""

GATHERED_BYTES_MAX = 64 * 1024 * 1024
"""What may gather; then all of it is inserted."""


class Batch(Protocol):
    """Rows of a table that are worth an insert."""

    def insert(self, store: Store) -> None:
        """Insert them; whether rows are there after an error is unknown."""

    def check_bodies(self, log: ReadableLog) -> None:
        """Find the body that could not be read, after an insert that failed.

        Raises:
            IntegrityError: with its position.
        """


def insert(batch: Batch, log: ReadableLog, store: Store) -> None:
    """Insert the rows of a batch.

    Raises:
        IntegrityError: a body can't be read, with its position.
        AvailabilityError, AuthorizationError: as :meth:`Store.insert_avro`.
    """
    try:
        batch.insert(store)
    except LedgerError:
        batch.check_bodies(log)
        raise


class Portion(NamedTuple):
    """What a log gives up to a head: batches that are due, and how many messages behind are torn.

    ``recorded_at`` is the moment of the last message, in microseconds, or 0 where there is none.
    """

    head: Head
    torn: int
    recorded_at: int
    batches: Sequence[Batch]


class BufferedRows(NamedTuple):
    """Messages of a schema, in memory."""

    schema: schemas.Schema
    messages: list[bytes]

    def insert(self, store: Store) -> None:
        """Insert their rows."""
        store.insert_avro(self.schema.name, container(self.schema, self.messages))

    def check_bodies(self, _: ReadableLog) -> None:
        """Read them all."""
        check_bodies([self])


@dataclass
class Gathered:
    """Messages that wait, by the fingerprint of their schema.

    ``batch`` is how many of a schema are worth an insert.
    """

    catalogue: Mapping[bytes, schemas.Schema]
    batch: int = BATCH
    _groups: dict[bytes, list[bytes]] = field(default_factory=dict)

    def take(self, groups: Mapping[bytes, list[bytes]]) -> list[BufferedRows]:
        """Take messages of a block, and give those whose turn has come."""
        for fingerprint, messages in groups.items():
            self._groups.setdefault(fingerprint, []).extend(messages)
        length = sum(sum(map(len, waiting)) for waiting in self._groups.values())
        is_much = length > GATHERED_BYTES_MAX
        return self._given(
            name for name, found in self._groups.items() if is_much or len(found) >= self.batch
        )

    def rest(self) -> list[BufferedRows]:
        """Give all that waits."""
        return self._given(self._groups)

    def _given(self, fingerprints: Iterable[bytes]) -> list[BufferedRows]:
        """Give the messages of some schemas, the most first."""
        due = sorted(fingerprints, key=lambda name: len(self._groups[name]), reverse=True)
        return [BufferedRows(self.catalogue[name], self._groups.pop(name)) for name in due]


def portions(found: Iterable[Block], gathered: Gathered) -> Iterator[Portion]:
    """Make portions of blocks from the beginning of a log; the last has what is left."""
    last = None
    for block in found:
        last = Portion(block.head, block.torn, block.recorded_at, [*gathered.take(block.groups)])
        yield last
    if last is not None:
        yield last._replace(batches=[*gathered.rest()])
