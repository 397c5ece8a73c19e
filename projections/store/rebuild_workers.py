"""Read a log for a rebuild in several processes: check, collect and encode its messages.

What comes in: a function that opens the log. What goes out: portions, in the order of the chain.
Only one process can use the embedded engine, so there the workers write Avro containers into files,
which this process inserts. On a server each worker inserts the rows that it has read, over its own
connection. Segments begin and end between decisions, and each must continue the chain where the
previous one ended. A fault found by a worker is checked again in this process, in order, so that
the first fault in the log is reported and not that of the fastest worker.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
from contextlib import ExitStack, closing, suppress
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, NamedTuple, NoReturn

import schemas
from ledger.core.errors import AvailabilityError, IntegrityError, LedgerError
from ledger.core.message import EMPTY, Head
from ledger.events.avro_long import read_long
from ledger.events.encoding import MARKER, NUMBERS, decode_envelope, hash_of
from ledger.log.processes import WorkerPool
from ledger.storage.workplace import temporary_folder
from projections.store.blocks import blocks
from projections.store.load_batches import BATCH, BatchCollector, Portion, insert
from projections.store.projector import MESSAGES_MAX, check_bodies, container, container_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from ledger.log.port import ReadableLog
    from projections.store.load_batches import SchemaMessages
    from projections.store.tables import Store

__all__ = ["FileBatch", "RebuildWorkers", "serve"]

SEGMENT_MESSAGES = 50_000
"""Approximate number of messages that a process reads at once; with more, one of them waits at the
end."""

EACH = 250_000
"""Number of messages for which another worker process pays off."""

SEGMENT_BYTES = 64 * 1024 * 1024
"""Total length of messages, in bytes, at which a segment ends early."""

WORKERS_WITH_ENGINE_MAX = 4
"""Greatest number of workers that the two connections of the engine can keep up with."""

_NEAR = 64
"""Messages that are read at once to find the end of a decision, or their length."""

_ENDED = "a process that reads the log ended before it was done: look for memory, and repeat"


class _Segment(NamedTuple):
    first: int
    end: int


class _WorkerSetup(NamedTuple):
    """Setup of a worker: new tables on a server, or the folder for its files."""

    opened: Callable[[], ReadableLog]
    folder: Path
    tables: Callable[[], Store] | None
    batch: int


class _SegmentResult(NamedTuple):
    """Where a segment begins in the chain, and the result of reading it."""

    begin: Head
    batch_set: Portion


class RebuildWorkers:
    """Reads a log in worker processes; must be closed."""

    def __init__(
        self,
        log: ReadableLog,
        opened: Callable[[], ReadableLog],
        tables: Callable[[], Store] | None = None,
    ) -> None:
        """Start the workers: at most one per core, fewer for a short log.

        Args:
            log: the log to read.
            opened: opens the log in a worker.
            tables: opens the new tables on a server in a worker; None for the embedded engine.

        """
        self._log = log
        most = min(len(os.sched_getaffinity(0)), max(1, log.head().size // EACH))
        with ExitStack() as stack:
            folder = stack.enter_context(temporary_folder())
            setting = _WorkerSetup(opened, folder, tables, BATCH)
            count = most if tables else min(most, WORKERS_WITH_ENGINE_MAX)
            self._workers = stack.enter_context(
                closing(WorkerPool(serve, count, setting, ended=_ENDED))
            )
            self._stack = stack.pop_all()

    def portions(self) -> Iterator[Portion]:
        """Yield portions from the beginning of the log; the last one has the remaining batches.

        Raises:
            IntegrityError: with the position of the first faulty message.
            AvailabilityError: the log or the server is unavailable, or a process ended; a retry is
                safe.

        """
        last = Portion(EMPTY, 0, 0, [])
        for segment, answer in self._workers.results_in_order(self._segments()):
            if not isinstance(answer, _SegmentResult) or answer.begin != last.head:
                self._refuse(last.head, segment.end, answer)
            last = answer.batch_set
            yield last
        asked = [self._workers.send(number, None) for number in range(len(self._workers))]
        rests = [self._workers.wait_for(one) for one in asked]
        self._workers.close()  # killed: none of them deletes due files
        faults = [rest for rest in rests if isinstance(rest, LedgerError)]
        if faults:
            raise min(faults, key=lambda fault: getattr(fault, "position", None) or 0)
        yield last._replace(batches=_merged(filed for rest in rests for filed in rest))

    def close(self) -> None:
        """Stop the processes and delete their files."""
        self._stack.close()

    def _segments(self) -> Iterator[_Segment]:
        size, first = self._log.head().size, 0
        while first < size:
            near: list[int] = []
            with suppress(IntegrityError):  # raised later, in order
                near += (len(body) for _, body in self._log.read(first, min(first + _NEAR, size)))
            most = SEGMENT_BYTES * len(near) // sum(near) if any(near) else SEGMENT_MESSAGES
            end = self._between(first + min(max(most, 1), SEGMENT_MESSAGES), size)
            yield _Segment(first, end)
            first = end

    def _between(self, at: int, size: int) -> int:
        """Return the first position from ``at`` on where a decision begins, or the end.

        An unreadable message is left to the later check in order.
        """
        try:
            for start in range(at, size, _NEAR):
                for position, message in self._log.read(start, min(start + _NEAR, size)):
                    if decode_envelope(message).decision_index == 0:
                        return position
        except IntegrityError:
            return at
        return size

    def _refuse(self, head: Head, end: int, answer: object) -> NoReturn:
        """Check a segment again, with the message after it, and raise its first fault.

        An unreadable body is not detected here, but by its insert.
        """
        if not isinstance(answer, LedgerError) or isinstance(answer, IntegrityError):
            known, messages = schemas.catalogue(), self._log.read(head.size, end + 1)
            for _ in blocks(messages, head, known, messages_max=MESSAGES_MAX):
                pass
        if isinstance(answer, LedgerError):
            raise answer
        raise AvailabilityError(f"the log changed while message {head.size} was read: repeat")


class FileBatch(NamedTuple):
    """Messages of one schema, as Avro containers in files."""

    paths: tuple[Path, ...]
    fingerprint: bytes
    first: int
    last: int

    def insert(self, store: Store) -> None:
        """Insert the rows of the files, and delete the files."""
        schema = schemas.catalogue()[self.fingerprint]
        head = container_head(schema)
        blocks_of_all = (path.read_bytes()[len(head) :] for path in self.paths)
        store.insert_avro(schema.name, b"".join((head, *blocks_of_all)))
        for path in self.paths:
            path.unlink(missing_ok=True)

    def check_bodies(self, log: ReadableLog) -> None:
        """Read the messages from the log again and decode them all."""
        header, near = MARKER + self.fingerprint, log.read(self.first, self.last + 1)
        messages = [message for _, message in near if message.startswith(header)]
        check_bodies([(schemas.catalogue()[self.fingerprint], messages)])


def _merged(rests: Iterable[FileBatch]) -> list[FileBatch]:
    """Combine the remaining messages of each schema, from several workers, into one insert."""
    found: dict[bytes, FileBatch] = {}
    for filed in rests:
        other = found.get(filed.fingerprint, filed)
        paths = tuple(dict.fromkeys((*other.paths, *filed.paths)))
        ends = min(other.first, filed.first), max(other.last, filed.last)
        found[filed.fingerprint] = FileBatch(paths, filed.fingerprint, *ends)
    return list(found.values())


def serve(fileno: int) -> None:
    """Run a worker: read segments until the parent exits.

    Signals are handled by the parent for both. When the parent exits without a message, this
    process exits immediately: a later insert would belong to no rebuild.
    """
    for told in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(told, signal.SIG_IGN)
    gc.disable()
    connection = Connection(fileno)
    setting: _WorkerSetup = connection.recv()
    stretches: SimpleQueue[_Segment | None] = SimpleQueue()

    def listen() -> None:
        with suppress(EOFError, OSError):
            while True:
                stretches.put(connection.recv())
        shutil.rmtree(setting.folder, ignore_errors=True)
        os._exit(0)

    Thread(target=listen, daemon=True).start()
    with ExitStack() as stack, suppress(BrokenPipeError):
        try:
            log = stack.enter_context(closing(setting.opened()))
            store = stack.enter_context(setting.tables()) if setting.tables else None
        except LedgerError as error:
            connection.send(error)
            return
        gathered = BatchCollector(schemas.catalogue(), setting.batch)
        connection.send(None)
        while True:
            connection.send(_answer(log, store, setting.folder, gathered, stretches.get()))


def _answer(
    log: ReadableLog,
    store: Store | None,
    folder: Path,
    gathered: BatchCollector,
    segment: _Segment | None,
) -> object:
    """Read a segment, or without one return the remaining batches; errors are returned, too."""

    def out(due: list[SchemaMessages]) -> list[FileBatch]:
        if store is None:
            return [_write_files(held, folder) for held in due]
        for held in due:
            insert(held, log, store)
        return []

    try:
        if segment is None:
            return out(gathered.rest())
        begin = _head(log, segment.first)
        last = Portion(begin, 0, 0, [])
        found = blocks(
            log.read(*segment), begin, gathered.catalogue, messages_max=segment.end - segment.first
        )
        for block in found:
            moment = block.recorded_at or last.recorded_at
            batches = [*last.batches, *out(gathered.take(block.groups))]
            last = Portion(block.head, block.torn, moment, batches)
        return _SegmentResult(begin, last)
    except LedgerError as error:
        return error


def _head(log: ReadableLog, size: int) -> Head:
    """Return the head of the chain after its first ``size`` messages."""
    if size == 0:
        return EMPTY
    for _, message in log.read(size - 1, size):
        return Head(size, hash_of(message))
    raise AvailabilityError(f"the log is shorter than {size} messages by now: repeat")


def _write_files(held: SchemaMessages, folder: Path) -> FileBatch:
    """Write the messages of a schema into a container file."""
    first, last = (read_long(held.messages[at], NUMBERS)[0] for at in (0, -1))
    path = folder / f"{first}.avro"
    try:
        path.write_bytes(b"".join(container(*held)))
    except OSError as error:
        text = f"{path} can't be written ({error.strerror})"
        raise AvailabilityError(f"{text}: make room, or name a folder with TMPDIR") from error
    return FileBatch((path,), held.schema.fingerprint, first, last)
