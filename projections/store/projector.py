"""The log → the tables: every message once, in steps that a crash can't split.

What comes in: any readable log and a store. What goes out: one row an event in the table of
its type, and what the materialized views make of it. One thread reads, hashes and checks
(``_blocks``) while two hand the bodies to ClickHouse, which decodes them: the messages of a
schema version in a block become an Avro container file whose header carries its JSON.

Promised: a row is counted only when the watermark, written last, lies above it. A crash
leaves rows above the watermark; the next start deletes them in every table before it goes
on. Memory is bounded by two blocks. Refused: a log that does not continue what was projected,
a message that does not continue the log, a body that can't be read, tables that lost rows or
were made by other SQL.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from io import BytesIO
from typing import TYPE_CHECKING

from fastavro import schemaless_reader

import schemas
from ledger.core.avro_long import encode_long, read_long
from ledger.core.encoding import BODY_OFFSET, NUMBERS, hash_of
from ledger.core.errors import AvailabilityError, InputError, IntegrityError, LedgerError

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
    "ahead",
    "check_continues",
    "container",
    "recover",
    "write",
]

MESSAGES_MAX = 150_000
"""Messages of a block: measured, more of them cost memory and gain little speed."""


@dataclass(frozen=True, slots=True)
class Projected:
    """What a run reached.

    ``torn`` is the number of messages at the end of the log that begin a decision without
    completing it; they are in no table.
    """

    head: Head
    torn: int


class Projector:
    """Carries messages of one log into one store; one projector a store at a time."""

    def __init__(
        self,
        log: ReadableLog,
        store: Store,
        *,
        catalogue: Mapping[bytes, schemas.Schema] | None = None,
        messages_max: int = MESSAGES_MAX,
    ) -> None:
        """Take both ends; nothing is read or written yet."""
        self._log = log
        self._store = store
        self._catalogue = schemas.catalogue() if catalogue is None else catalogue
        self._messages_max = messages_max
        self._head: Head | None = None

    def catch_up(self, progress: Callable[[Head], None] | None = None) -> Projected:
        """Project what the log holds now.

        The first call, and the first after an error, begins with the repair of what a
        crash may have left.

        Args:
            progress: told the watermark after each block.

        Raises:
            IntegrityError: the log or a body is broken, with its position; blocks before
                that are projected. Or the tables lost rows.
            InputError: the tables were made by other SQL: rebuild.
            AvailabilityError: ClickHouse or the log is away; a repeat is safe.
        """
        head = self._head
        if head is None:
            head = recover(self._log, self._store)
        self._head = None
        from projections.store.blocks import blocks

        messages = self._log.read(head.size)
        found = blocks(messages, head, self._catalogue, messages_max=self._messages_max)
        with ahead(found) as coming:
            projected = write(coming, head, self._store, self._catalogue, progress)
        self._head = projected.head
        return projected


@contextmanager
def ahead(found: Iterator[Block]) -> Iterator[Iterator[Block]]:
    """Read one block ahead of whoever takes them, in a thread of its own, from now on."""
    with ThreadPoolExecutor(1, "gameledger-read") as thread:
        yield _taken(thread, found, thread.submit(next, found, None))


def _taken(
    thread: ThreadPoolExecutor, found: Iterator[Block], coming: Future[Block | None]
) -> Iterator[Block]:
    while (block := coming.result()) is not None:
        coming = thread.submit(next, found, None)
        yield block


def write(
    coming: Iterable[Block],
    head: Head,
    store: Store,
    catalogue: Mapping[bytes, schemas.Schema],
    progress: Callable[[Head], None] | None,
) -> Projected:
    """Write blocks, each as one step: its rows, a look whether all are there, the watermark.

    Args:
        coming: blocks that continue ``head``.
        head: watermark of the store.
        store: where the rows go, over two connections.
        catalogue: schemas by fingerprint.
        progress: told the watermark after each block.

    Raises:
        IntegrityError, AvailabilityError: as :meth:`Projector.catch_up`.
    """
    torn = 0
    with ThreadPoolExecutor(1, "gameledger-insert") as thread, store.beside() as beside:
        for block in coming:
            if block.groups:
                _write_block(block, store, beside, thread, catalogue)
                store.set_head(block.head, block.recorded_at)
                if progress:
                    progress(block.head)
            head, torn = block.head, block.torn
    return Projected(head, torn)


def _write_block(
    block: Block,
    store: Store,
    beside: Store,
    thread: ThreadPoolExecutor,
    catalogue: Mapping[bytes, schemas.Schema],
) -> None:
    """Insert the rows of a block and look whether all of them are there."""
    groups = [(catalogue[fingerprint], group) for fingerprint, group in block.groups.items()]
    left = sorted(groups, key=lambda group: len(group[1]))
    try:
        other = thread.submit(_insert, left, beside)
        try:
            _insert(left, store)
        finally:
            other.result()
        _check_written(store, {schema.name for schema, _ in groups}, block)
    except LedgerError:
        _check_bodies(groups)
        raise


def _insert(left: list[tuple[schemas.Schema, list[bytes]]], store: Store) -> None:
    """Take the longest group that nobody took and insert it, until none is left."""
    while left:
        try:
            schema, messages = left.pop()
        except IndexError:  # the other thread took the last one
            return
        store.insert_avro(schema.name, container(schema, messages))


def _check_bodies(groups: list[tuple[schemas.Schema, list[bytes]]]) -> None:
    """Find the body that ClickHouse could not read, by reading them all here."""
    read = (_fault(schema, message) for schema, messages in groups for message in messages)
    faults = [fault for fault in read if fault]
    if faults:
        position, text = min(faults)
        raise IntegrityError(f"the body of message {position} {text}", position=position)


def container(schema: schemas.Schema, messages: list[bytes]) -> list[bytes]:
    """Make an Avro container file of messages of one schema, one block without a codec."""
    text = schema.text.encode()
    entries = ((b"avro.codec", b"null"), (b"avro.schema", text))
    meta = [encode_long(len(part)) + part for entry in entries for part in entry]
    sync = sha256(text).digest()[:16]
    bodies = [message[BODY_OFFSET:] for message in messages]
    head = [b"Obj\x01", encode_long(len(entries)), *meta, b"\x00", sync]
    return [*head, encode_long(len(bodies)), encode_long(sum(map(len, bodies))), *bodies, sync]


def recover(log: ReadableLog, store: Store) -> Head:
    """Take back what a crash left above the watermark, and look whether the log still fits.

    Returns:
        The watermark to go on from.

    Raises:
        IntegrityError: the log does not hold what was projected, or the tables lost rows.
        InputError: the tables were made by other SQL: rebuild.
        AvailabilityError: ClickHouse or the log is away.
    """
    head = store.head
    if not store.is_current:
        raise InputError("the tables were made by another version of the SQL: rebuild them")
    store.stop_inserts()
    store.drop_unused()
    tables = store.tables_with_position()
    for table in sorted(store.counted(tables, head.size)):
        sql = f"DELETE FROM {table} WHERE position >= {{size:Int64}}"  # noqa: S608 - own table
        store.command(sql, size=head.size)
        # Rows that are only masked would count among those that are there.
        store.command(f"ALTER TABLE {table} APPLY DELETED MASK SETTINGS mutations_sync = 2")
    rows = store.rows_in(tables & set(schemas.newest()))
    if rows != head.size:
        raise IntegrityError(
            f"the tables hold {rows} events and the watermark says {head.size}: the tables are "
            "damaged, not the log. Rebuild them"
        )
    check_continues(log, head)
    return head


def check_continues(log: ReadableLog, head: Head) -> None:
    """Look whether the log holds the message that was projected last.

    Raises:
        IntegrityError: it holds another one, or none: the log was cut or exchanged.
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


def _check_written(store: Store, tables: set[str], block: Block) -> None:
    """Look whether the tables hold each position of a block once.

    Number and sum of the positions find a row read askew, a row lost or doubled by a
    connection that broke, and a second projector on the same store.
    """
    found = store.counted(tables, block.first).values()
    rows, total = sum(count for count, _ in found), sum(total for _, total in found)
    first, end = block.first, block.head.size
    if (rows, total) != (end - first, (first + end - 1) * (end - first) // 2):
        raise AvailabilityError(
            f"of messages {first} to {end - 1} the tables hold {rows} rows: another projector "
            "may be at work on the same tables. Stop it and repeat"
        )


def _fault(schema: schemas.Schema, message: bytes) -> tuple[int, str] | None:
    """Read a body; say at which position and why it can't be read."""
    stream = BytesIO(message)
    stream.seek(BODY_OFFSET)
    try:
        schemaless_reader(stream, schema.parsed, None)
    except (EOFError, IndexError, ValueError, OverflowError, TypeError) as error:
        return read_long(message, NUMBERS)[0], f"can't be read: {error or 'it is cut off'}"
    if stream.read(1):
        return read_long(message, NUMBERS)[0], "is longer than its schema says"
    return None
