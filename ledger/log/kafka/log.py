"""The log on Kafka: one topic with one partition holds one chain.

What comes in: messages that continue the chain. What goes out: the same bytes, in order. Each
append is one transaction of a producer whose ``transactional.id`` is that of the topic, so a
newer writer fences an older one, which then stops for good. Acknowledged messages are replicated
and committed, and noted on the writer's own disk (``head.note``); a tail that lies behind the
note is rejected. Any error within a transaction means that its outcome is unknown; it is then
looked up in the topic before anything else happens (``_settle``). Queries that a topic cannot
answer use the tag index in the local folder, which may be deleted at any time.

Readers trust no offset and no epoch: a message counts if it names the expected position and
the hash of the message before. See docs/kafka.md.
"""

from __future__ import annotations

from contextlib import contextmanager
from functools import partial
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.log.continuity import continue_head
from ledger.log.index.indexed import IndexedLog
from ledger.log.kafka.fast import fast_messages, is_fast
from ledger.log.kafka.note import HeadNote
from ledger.log.kafka.offset_index import NEAR, ChunkCache, OffsetIndex, read_in_order
from ledger.log.kafka.reader import TopicReaders
from ledger.log.kafka.settings import PASSWORD_VARIABLE, KafkaSettings
from ledger.log.kafka.topic import fault_of, make_topic
from ledger.log.kafka.writer import STALE_SECONDS, TopicWriter
from ledger.storage.durable import make_folder
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.core.errors import LedgerError
    from ledger.core.message import Message

__all__ = ["PASSWORD_VARIABLE", "KafkaLog", "KafkaSettings"]

_FEW_MESSAGES = 1024


class KafkaLog(IndexedLog):
    """The log of one chain in a topic; safe to use from several threads."""

    _now = staticmethod(monotonic)

    def __init__(
        self,
        settings: KafkaSettings | str,
        directory: Path | str,
        *,
        writable: bool,
        creating: bool = True,
        cache: Path | None = None,
    ) -> None:
        """Open a log; a writer fences older writers.

        Args:
            settings: the topic, or its URL.
            directory: local folder of the index and, for a writer, of the note and the lock.
            writable: open for appending.
            creating: a writer creates a missing topic.
            cache: where a reader may store its own index if that of the folder is outdated.

        Raises:
            InputError: a setting is not valid, there is no topic, or, for a writer, one that could
                lose messages; a reader finds the reason in ``fault``.
            IntegrityError: the tail lies behind what was acknowledged, or is torn or foreign.
            AvailabilityError: no broker answers, or another process of this machine is the writer.

        """
        self._settings = KafkaSettings.from_url(settings) if isinstance(settings, str) else settings
        self._directory = Path(directory)
        self._cache = cache
        super().__init__(f"topic {self._settings.topic}")
        self._is_fast = is_fast(self._settings)
        self._readers = TopicReaders(self._settings)
        self._places = OffsetIndex()
        self._chunks = ChunkCache()
        self._note: HeadNote | None = None
        self._writer: TopicWriter | None = None
        self._seen = (EMPTY, 0)
        self._back_since: float | None = None
        self.fault: InputError | None = None
        try:
            self._open(writable=writable, creating=creating)
        except BaseException:
            self.close()
            raise

    @property
    def settings(self) -> KafkaSettings:
        """Connection settings of the log."""
        return self._settings

    def head(self) -> Head:
        """Return the current head."""
        return self._end()[0]

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return the currently committed (position, message), in order.

        Raises:
            IntegrityError: a message is missing, foreign or does not continue the chain.

        """
        head, end = self._end()
        last = head.size if stop is None else min(stop, head.size)
        return self._messages(max(start, 0), last, head, end)

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions in one transaction; replicated and noted on return."""
        with self._changed:
            writer = self._require_writer()
            head = continue_head(writer.head, messages)
            if head == writer.head:
                return head
            self._require_room(messages)
            with self._in_transaction(writer):
                writer.append(messages, head)
            self._keep_up(messages, head)
            self._chunks.append(messages[0].position, [message.body for message in messages])
            self._changed.notify_all()
            return head

    def confirm(self) -> None:
        """Check that this process still has the right to write; costs one request."""
        with self._changed:
            writer = self._require_writer()
            with self._in_transaction(writer):
                writer.confirm()

    def close(self) -> None:
        """Disconnect and release the writer's lock; closing twice is allowed."""
        with self._changed:
            if self._stopped is None:
                self._stopped = AvailabilityError(f"{self._name} was closed: open it again")
            self._close_index()
            if self._writer is not None:
                self._writer.close()
            if self._note is not None:
                self._note.close()
            self._readers.close()
            if self._lock is not None:
                self._lock.release()
            self._changed.notify_all()

    def _open(self, *, writable: bool, creating: bool) -> None:
        if writable:
            if self._settings.until_offset:
                raise InputError(
                    f"{self._name} is read up to an offset: copy it to a new topic, and write there"
                )
            make_folder(self._directory)
            self._lock = WriterLock(self._directory / "writer.lock")
            self._note = HeadNote(self._directory / "head.note")
            if creating and self._note.head == EMPTY:
                make_topic(self._settings)
        self.fault = fault_of(self._settings)
        if writable and self.fault is not None:
            raise self.fault
        if self._note is not None:
            self._writer = TopicWriter(self._settings, self._readers, self._places, self._note)
        self._open_index(self._directory, self._cache)

    def _require_writer(self) -> TopicWriter:
        self._require_usable()
        if self._writer is None:
            raise InputError(f"{self._name} was opened to read: open it writable to append")
        return self._writer

    @contextmanager
    def _in_transaction(self, writer: TopicWriter) -> Iterator[None]:
        """Notify waiting readers of an error; stop for good after an interruption."""
        try:
            yield
        except Exception:
            self._changed.notify_all()
            raise
        except BaseException:
            writer.interrupt()
            raise

    def _end(self) -> tuple[Head, int]:
        """Return the head and the offset after it."""
        self._require_usable()
        writer = self._writer
        return self._look() if writer is None else (writer.head, writer.end)

    def _look(self) -> tuple[Head, int]:
        """Read the current end of the topic, for a reader."""
        with self._changed, self._readers.reader(is_checked=True) as reader:
            seen, end = self._seen[1], reader.end()
            if end < seen:
                raise self._went_back(seen, end)
            self._back_since = None
            if end > seen:
                tail = reader.tail()
                self._seen = (tail.head, tail.end)
            return self._seen

    def _went_back(self, seen: int, end: int) -> LedgerError:
        """Judge an end before the one seen last: at first a broker that was cut off may answer."""
        now = self._now()
        self._back_since = now if self._back_since is None else self._back_since
        if now - self._back_since < STALE_SECONDS:
            return AvailabilityError(f"a broker does not know the end of {self._name} yet: repeat")
        text = f"{self._name} ended at offset {seen} and now ends at {end}"
        return IntegrityError(f"{text}: it was truncated or recreated; verify it")

    @property
    def _reason(self) -> LedgerError | None:
        if self._stopped is None and self._writer is not None:
            return self._writer.stopped
        return self._stopped

    def _require_room(self, messages: Sequence[Message]) -> None:
        largest = max(messages, key=lambda message: len(message.body))
        if len(largest.body) > self._settings.message_bytes_max:
            text = f"message {largest.position} has {len(largest.body)} bytes"
            raise InputError(
                f"{text}, and {self._name} takes {self._settings.message_bytes_max}: "
                "nothing was appended"
            )

    def _messages(self, start: int, stop: int, head: Head, end: int) -> Iterator[tuple[int, bytes]]:
        if start >= stop:
            return
        if stop - start <= _FEW_MESSAGES:
            yield from self._few(start, stop, head, end)
            return
        source = partial(fast_messages, self._settings) if self._is_fast else None
        with self._readers.reader(is_scan=source is None) as reader:
            yield from read_in_order(
                reader, self._places, start=start, stop=stop, head=head, end=end, source=source
            )

    def _few(self, start: int, stop: int, head: Head, end: int) -> Iterator[tuple[int, bytes]]:
        for number in range(start // NEAR, (stop - 1) // NEAR + 1):
            first, last = number * NEAR, min((number + 1) * NEAR, stop)
            bodies = self._chunks.get(number, last - first)
            if bodies is None:
                whole = min(first + NEAR, head.size)
                with self._readers.reader() as reader:
                    messages = read_in_order(
                        reader, self._places, start=first, stop=whole, head=head, end=end
                    )
                    bodies = [body for _, body in messages]
                self._chunks.put(number, bodies)
            for position in range(max(start, first), last):
                yield position, bodies[position - first]
