"""Project the log into the tables: every message once, in steps that a crash cannot split.

What comes in: any readable log and a store. What goes out: one row per event in the table of its
type, and the rows of the materialized views. One thread reads, hashes and checks messages
(``blocks``) while two others send the bodies to ClickHouse, which decodes them: the messages of a
schema version in a block become an Avro container file whose header carries its JSON.

Guaranteed: a row counts only when the watermark, written last, is above its position. A crash
leaves rows above the watermark; the next start deletes them in every table before it continues.
Memory is bounded by a few blocks. Rejected: a log that does not contain the projected messages, a
message that does not continue the log, an unreadable body, tables that lost rows or were created by
other SQL.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING, TypeVar

from fastavro import schemaless_reader

import schemas
from ledger.core.errors import (
    AuthorizationError,
    AvailabilityError,
    InputError,
    IntegrityError,
    LedgerError,
)
from ledger.core.message import BODY_OFFSET, in_blocks
from ledger.events.avro_long import encode_long, read_long
from ledger.events.encoding import FINGERPRINT, NUMBERS, hash_of
from projections.store.derived import derive
from projections.store.two_connections import FEW, inserting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from projections.store.blocks import Block
    from projections.store.tables import Store

__all__ = [
    "MESSAGES_MAX",
    "Projected",
    "Projector",
    "check_all_bodies",
    "check_bodies",
    "check_continues",
    "check_written",
    "container",
    "container_head",
    "read_ahead",
    "recover",
    "write",
]

Item = TypeVar("Item")

Groups = Sequence[tuple[schemas.Schema, list[bytes]]]
"""Messages by their schema."""

MESSAGES_MAX = 150_000
"""Messages of a block; by measurement, larger blocks take memory and gain little speed."""

SYNC_BYTES = 16
"""Length of the marker between the blocks of an Avro container file."""

BLOCKS_AHEAD = 4
"""Number of blocks that are read ahead."""
PARTS_MANY = 20
"""Maximum parts of a table after merging, unless merges are stopped."""


@dataclass(frozen=True, slots=True)
class Projected:
    """Result of a run.

    ``torn`` is the number of messages at the end of the log that begin a decision without
    completing it; they are in no table.
    """

    head: Head
    torn: int


class Projector:
    """Projects one log into one store; only one projector per store at a time."""

    def __init__(
        self,
        log: ReadableLog,
        store: Store,
        *,
        catalogue: Mapping[bytes, schemas.Schema] | None = None,
        messages_max: int = MESSAGES_MAX,
    ) -> None:
        """Store the log and the tables; nothing is read or written yet."""
        self._log = log
        self._store = store
        self._catalogue = schemas.catalogue() if catalogue is None else catalogue
        self._messages_max = messages_max
        self._head: Head | None = None

    def catch_up(self, progress: Callable[[Head], None] | None = None) -> Projected:
        """Project all messages that the log has now.

        The first call, and the first after an error, begins with the repair of what a crash may
        have left. A call that finds the log unchanged reads no message.

        Args:
            progress: called with the watermark after each block.

        Raises:
            IntegrityError: the log or a body is broken, with its position; earlier blocks are
                projected. Or the tables lost rows.
            InputError: the tables were created by other SQL: rebuild.
            AvailabilityError: ClickHouse or the log is unavailable; a retry is safe.

        """
        head, self._head = self._head, None
        if head is None:
            head = recover(self._log, self._store)
        elif (end := self._log.head()) == head:
            self._head = head
            return Projected(head, 0)
        elif end.size <= head.size:
            check_continues(self._log, head)
        from projections.store.blocks import blocks

        messages = self._log.read(head.size)
        found = blocks(messages, head, self._catalogue, messages_max=self._messages_max)
        with read_ahead(found) as coming:
            projected = write(
                coming, head, self._store, self._catalogue, log=self._log, progress=progress
            )
        self._head = projected.head
        return projected


@contextmanager
def read_ahead(found: Iterator[Item]) -> Iterator[Iterator[Item]]:
    """Read some blocks ahead of their consumer, in a separate thread; yields their iterator."""
    thread = ThreadPoolExecutor(1, "gameledger-read")
    coming = deque(thread.submit(next, found, None) for _ in range(BLOCKS_AHEAD))
    try:
        yield _received(thread, found, coming)
    finally:
        thread.shutdown(cancel_futures=True)


def _received(
    thread: ThreadPoolExecutor, found: Iterator[Item], coming: deque[Future[Item | None]]
) -> Iterator[Item]:
    while (block := coming.popleft().result()) is not None:
        coming.append(thread.submit(next, found, None))
        yield block


def write(
    coming: Iterable[Block],
    head: Head,
    store: Store,
    catalogue: Mapping[bytes, schemas.Schema],
    *,
    log: ReadableLog,
    progress: Callable[[Head], None] | None,
) -> Projected:
    """Write blocks, each as one step: its rows, a check that all are stored, the watermark.

    Before each, the tables must hold the rows that they held at the watermark: a server may lose a
    part that it acknowledged, or count a replica that does not have the part.

    Args:
        coming: blocks that continue ``head``.
        head: watermark of the store.
        store: target of the rows, over its connection and another one.
        catalogue: schemas by fingerprint.
        log: source of the blocks.
        progress: called with the watermark after each block.

    Raises:
        IntegrityError, AvailabilityError: as :meth:`Projector.catch_up`.

    """
    torn = 0
    with inserting(store) as insert:
        for block in coming:
            if block.groups:
                if fault := _lost_rows(store):
                    raise AvailabilityError(f"{fault}: repeat, which repairs or names it")
                _write_block(block, store, catalogue, insert)
                derive(store, log, head.size, block.head.size, block.recorded_at)
                store.set_head(block.head, block.recorded_at)
                if store.head != block.head:
                    raise AvailabilityError("the watermark that was written is not there: repeat")
                if progress:
                    progress(block.head)
            head, torn = block.head, block.torn
    return Projected(head, torn)


def _write_block(
    block: Block,
    store: Store,
    catalogue: Mapping[bytes, schemas.Schema],
    insert: Callable[[Callable[[Store], None]], Future[None]],
) -> None:
    """Insert a block, each large group of messages separately, and check that it is stored."""
    groups = [(catalogue[fingerprint], group) for fingerprint, group in block.groups.items()]
    groups.sort(key=lambda group: len(group[1]), reverse=True)
    is_few = block.head.size - block.first <= FEW
    parts = [groups] if is_few else [[group] for group in groups]
    try:
        for inserted in [insert(partial(_insert, part)) for part in parts]:
            inserted.result()
        check_written(store, {schema.name for schema, _ in groups}, block.first, block.head.size)
    except LedgerError:
        check_bodies(groups)
        raise


def _insert(groups: Groups, store: Store) -> None:
    for schema, messages in groups:
        store.insert_avro(schema.name, container(schema, messages))


def check_bodies(groups: Groups) -> None:
    """Find the body that ClickHouse could not read, by decoding all bodies here.

    Raises:
        IntegrityError: there is one; with the position of the first.

    """
    read = (_fault(schema, message) for schema, messages in groups for message in messages)
    faults = [fault for fault in read if fault]
    if faults:
        position, text = min(faults)
        raise IntegrityError(f"the body of message {position} {text}", position=position)


def check_all_bodies(log: ReadableLog, size: int) -> None:
    """Decode the first ``size`` messages, to find a body that is unreadable by its schema.

    The messages are read in parts, so that memory is bounded.

    Raises:
        IntegrityError: with the position of the first such message.

    """
    known = schemas.catalogue()
    for part in in_blocks(log.read(0, size)):
        groups: dict[bytes, list[bytes]] = {}
        for _, message in part:
            groups.setdefault(message[FINGERPRINT], []).append(message)
        check_bodies([(known[name], found) for name, found in groups.items() if name in known])


def container(schema: schemas.Schema, messages: list[bytes]) -> list[bytes]:
    """Return an Avro container file of messages of one schema, one block without a codec."""
    head = container_head(schema)
    bodies = [message[BODY_OFFSET:] for message in messages]
    sizes = encode_long(len(bodies)) + encode_long(sum(map(len, bodies)))
    return [head, sizes, *bodies, head[-SYNC_BYTES:]]


def container_head(schema: schemas.Schema) -> bytes:
    """Return how each Avro container file of a schema begins; the blocks of several may follow."""
    text = schema.text.encode()
    entries = ((b"avro.codec", b"null"), (b"avro.schema", text))
    meta = [encode_long(len(part)) + part for entry in entries for part in entry]
    sync = sha256(text).digest()[:SYNC_BYTES]
    return b"".join([b"Obj\x01", encode_long(len(entries)), *meta, b"\x00", sync])


def recover(log: ReadableLog, store: Store) -> Head:
    """Delete rows that a crash left above the watermark, and check that the log still matches.

    Returns:
        The watermark from which to continue.

    Raises:
        IntegrityError: the log does not contain the projected messages, or the tables lost rows.
        InputError: the tables were created by other SQL: rebuild.
        AvailabilityError: ClickHouse or the log is unavailable.

    """
    head = store.head
    if not store.is_current:
        raise InputError("the tables were made by another version of the SQL: rebuild them")
    store.attach_tables()
    store.stop_inserts()
    store.drop_unused()
    tables = store.tables_with_position()
    to_shorten = sorted(store.counted(tables, head.size))
    _let_merge(store, to_shorten)
    for table in to_shorten:
        sql = f"DELETE FROM {table} WHERE position >= {{size:Int64}}"  # noqa: S608 - own table
        store.command(sql, size=head.size)
        # Rows that are only masked would be counted.
        store.command(f"ALTER TABLE {table} APPLY DELETED MASK SETTINGS mutations_sync = 2")
    _check_rows(store, tables, head.size)
    if fault := _lost_rows(store):
        raise IntegrityError(f"{fault}: the tables are damaged, not the log. Rebuild them")
    check_continues(log, head)
    return head


def _let_merge(store: Store, to_shorten: Sequence[str]) -> None:
    """Resume merges that a killed rebuild had stopped.

    They are needed where parts have accumulated, and where rows must be deleted.
    """
    with suppress(AuthorizationError):
        for table, parts in store.parts().items():
            if parts > PARTS_MANY or table in to_shorten:
                store.merge(table, is_on=True)


def _check_rows(store: Store, tables: set[str], size: int) -> None:
    """Check that the tables of events hold one row for each message."""
    rows = store.rows_in(tables & set(schemas.newest()))
    if rows != size:
        raise IntegrityError(
            f"the tables hold {rows} events and the watermark says {size}: the tables are "
            "damaged, not the log. Rebuild them"
        )


def _lost_rows(store: Store) -> str:
    """Return how the number of rows in all tables differs from that at the watermark, or ""."""
    held, due = store.rows_held, store.rows_due
    return "" if held == due else f"the tables hold {held} rows and held {due} at the watermark"


def check_continues(log: ReadableLog, head: Head) -> None:
    """Check that the log contains the message that was projected last.

    Raises:
        IntegrityError: it has another message there, or none: it was truncated or replaced.

    """
    if not head.size:
        return
    last = [message for _, message in log.read(head.size - 1, head.size)]
    if [hash_of(message) for message in last] != [head.hash]:
        fact = "another message" if last else "no message"
        raise IntegrityError(
            f"the log holds {fact} at position {head.size - 1} than the one projected "
            f"({head.hash.hex()}): it was cut off or exchanged. Run the verifier",
            position=head.size - 1,
        )


def check_written(store: Store, tables: set[str], first: int, behind: int) -> None:
    """Check that the tables hold each position of a range once, and none after it.

    Number and sum of the positions detect a row read wrongly, a row lost or duplicated by a broken
    connection, and a second projector on the same store.

    Raises:
        AvailabilityError: a position is missing or duplicated.

    """
    found = store.counted(tables, first).values()
    rows, total = sum(count for count, _ in found), sum(total for _, total in found)
    if (rows, total) != (behind - first, (first + behind - 1) * (behind - first) // 2):
        raise AvailabilityError(
            f"of messages {first} to {behind - 1} the tables hold {rows} rows: another projector "
            "may be at work on the same tables. Stop it and repeat"
        )


def _fault(schema: schemas.Schema, message: bytes) -> tuple[int, str] | None:
    """Decode a body; return its position and the fault, or None if it is valid."""
    stream = BytesIO(message)
    stream.seek(BODY_OFFSET)
    try:
        schemaless_reader(stream, schema.parsed, None)
    except (EOFError, IndexError, ValueError, OverflowError, TypeError) as error:
        return read_long(message, NUMBERS)[0], f"can't be read: {error or 'it is cut off'}"
    if stream.read(1):
        return read_long(message, NUMBERS)[0], "is longer than its schema says"
    return None
