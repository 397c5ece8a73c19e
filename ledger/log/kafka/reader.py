"""Reading a topic: committed messages by offset.

Offsets are not positions: the marker at the end of each transaction takes an offset, as does
every message of an aborted transaction. :mod:`ledger.log.kafka.offset_index` maps one to the other.

The checksum of a record batch is verified only at the tail, because no later message confirms the
last one. Elsewhere the hashes of the chain prove more, and in Python the checksum would cost five
times as much as the rest of a read.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from contextlib import closing, contextmanager, suppress
from gzip import BadGzipFile
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING

from kafka import KafkaConsumer, TopicPartition
from kafka.errors import CorruptRecordError, KafkaError, LogTruncationError, OffsetOutOfRangeError

from ledger.core.errors import IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.events.avro_long import read_long
from ledger.events.encoding import MARKER, NUMBERS, hash_of
from ledger.log.kafka.client import connect
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.topic import require_topic, unreachable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Tail", "TopicReader", "TopicReaders", "damaged", "genesis_of", "position_of"]

SCAN_BYTES = 4 << 20
SEEK_BYTES = 64 << 10
"""Bytes that one fetch requests: many for a scan, few for a single message."""

SCAN_RECORDS = 4096
SEEK_RECORDS = 256
IDLE_READERS_MAX = 4

_WAIT_MS = 20

DAMAGE = CorruptRecordError, BadGzipFile, EOFError, zlib.error
"""What a batch raises that is not as it was sent: by its checksum, or that of its compression."""


def position_of(body: bytes, offset: int) -> int:
    """Return the position that a message names, without decoding the rest.

    Raises:
        IntegrityError: the bytes at this offset are not a message of the ledger.

    """
    if body is not None and body[:2] == MARKER:
        with suppress(IndexError, ValueError):
            return read_long(body, NUMBERS)[0]
    text = f"a foreign or torn message stands in the topic at offset {offset}"
    raise IntegrityError(
        f"{text}: find out who wrote it; what stands before is read with until_offset={offset} "
        "in the URL of the log (docs/kafka.md)"
    )


def damaged(settings: KafkaSettings, offset: int, reason: object) -> IntegrityError:
    """Return the error that a batch of the topic is damaged."""
    return IntegrityError(
        f"topic {settings.topic} is damaged behind offset {offset} ({reason}): let another broker "
        "lead, and restore the segment of this one"
    )


class Tail:
    """End of a topic: the head of the chain, its last message, and the offset after it."""

    __slots__ = ("body", "end", "head", "offset")

    def __init__(self, head: Head, offset: int, body: bytes, end: int) -> None:
        """Store the parts; ``offset`` is that of the last message, -1 if there is none."""
        self.head = head
        self.offset = offset
        self.body = body
        self.end = end


class TopicReader:
    """One consumer; only one thread at a time may use it."""

    def __init__(self, settings: KafkaSettings, *, is_scan: bool, is_checked: bool) -> None:
        """Connect a consumer.

        Args:
            settings: the topic.
            is_scan: request large amounts at once, for a long read.
            is_checked: verify the checksum of record batches.

        Raises:
            KafkaError: no broker answers.

        """
        self._settings = settings
        self._partition = TopicPartition(settings.topic, 0)
        self._offset = -1
        self._wait_ms = _WAIT_MS
        self._consumer = connect(
            KafkaConsumer,
            **settings.connection(),
            group_id=None,
            enable_auto_commit=False,
            auto_offset_reset="none",
            isolation_level="read_committed",
            allow_auto_create_topics=False,
            check_crcs=is_checked,
            fetch_max_wait_ms=_WAIT_MS,
            retry_backoff_ms=20,
            max_partition_fetch_bytes=SCAN_BYTES if is_scan else SEEK_BYTES,
            max_poll_records=SCAN_RECORDS if is_scan else SEEK_RECORDS,
        )
        self._consumer.assign([self._partition])

    def begin(self) -> int:
        """Return the first available offset."""
        offsets = self._consumer.beginning_offsets([self._partition], self._timeout_ms)
        return int(offsets[self._partition])

    def end(self) -> int:
        """Return the offset after all committed messages that count."""
        offsets = self._consumer.end_offsets([self._partition], self._timeout_ms)
        end, until = int(offsets[self._partition]), self._settings.until_offset
        return min(end, until) if until else end

    def messages(self, offset: int, end: int) -> Iterator[list[tuple[int, bytes]]]:
        """Return the committed (offset, message) from one offset up to another, in chunks.

        Raises:
            IntegrityError: the topic no longer holds the offset.
            AvailabilityError: no message arrived within ``read_seconds``.
            KafkaError: the broker rejects the request.

        """
        if self._offset != offset:
            self._consumer.seek(self._partition, offset)
        self._offset = -1  # only a fully consumed chunk leaves a known position
        deadline = monotonic() + self._settings.read_seconds
        while offset < end:
            try:
                records_of = self._consumer.poll(self._wait_ms)
                offset = self._consumer.position(self._partition, self._timeout_ms)
            except (OffsetOutOfRangeError, LogTruncationError) as error:
                text = f"topic {self._settings.topic} no longer holds offset {offset}"
                raise IntegrityError(
                    f"{text}: it was truncated, expired or recreated; stop every writer, verify"
                ) from error
            except DAMAGE as error:
                raise damaged(self._settings, offset, error) from error
            if records_of:
                deadline = monotonic() + self._settings.read_seconds
                records = records_of[self._partition]
                chunk = [(record.offset, record.value) for record in records]
                yield chunk if chunk[-1][0] < end else [pair for pair in chunk if pair[0] < end]
            elif offset < end and monotonic() > deadline:
                text = f"nothing came from offset {offset} in {self._settings.read_seconds:.0f} s"
                raise unreachable(self._settings, TimeoutError(text))
        self._offset = offset

    def first(self, offset: int, end: int) -> tuple[int, bytes] | None:
        """Return the first committed message at or after an offset and before another."""
        for chunk in self.messages(offset, end):
            if chunk:
                return chunk[0]
        return None

    def tail(self, begin: int | None = None) -> Tail:
        """Find the last committed message, searching further and further back.

        Raises:
            IntegrityError: the last message is not a message of the ledger.

        """
        end = self.end()
        begin = self.begin() if begin is None else begin
        distance = 4
        while True:
            start = max(begin, end - distance)
            last = None
            for chunk in self.messages(start, end):
                last = chunk[-1] if chunk else last
            if last is not None:
                offset, body = last
                size = position_of(body, offset) + 1
                return Tail(Head(size, hash_of(body)), offset, body, end)
            if start == begin:
                return Tail(EMPTY, -1, b"", end)
            distance *= 8

    def close(self) -> None:
        """Disconnect."""
        with suppress(KafkaError, OSError):
            self._consumer.close(autocommit=False, timeout_ms=1000)

    @property
    def _timeout_ms(self) -> int:
        return int(self._settings.read_seconds * 1000)


def genesis_of(url: str) -> bytes | None:
    """Return the first message of a topic, or None.

    Raises:
        InputError: there is no such topic.
        AvailabilityError: the broker does not answer or rejects the request.

    """
    settings = KafkaSettings.from_url(url)
    require_topic(settings)
    with (
        closing(TopicReaders(settings)) as readers,
        readers.reader(is_checked=True) as reader,
    ):
        first_message = reader.first(reader.begin(), reader.end())
    return None if first_message is None else first_message[1]


class TopicReaders:
    """Pool of connected readers; a read borrows one and returns it."""

    def __init__(
        self, settings: KafkaSettings, make: Callable[..., TopicReader] | None = None
    ) -> None:
        """Start empty; ``make`` connects a reader, by default to the brokers of the settings."""
        self._settings = settings
        self._make = make or TopicReader
        self._lock = Lock()
        self._free: dict[tuple[bool, bool], list[TopicReader]] = defaultdict(list)
        self._is_closed = False

    @contextmanager
    def reader(self, *, is_scan: bool = False, is_checked: bool = False) -> Iterator[TopicReader]:
        """Lend a reader; a reader with an error is not lent again.

        Raises:
            AvailabilityError: the broker does not answer or rejects the request.

        """
        with self._lock:
            free = self._free[is_scan, is_checked]
            reader = free.pop() if free else None
        is_well = False
        try:
            reader = reader or self._make(self._settings, is_scan=is_scan, is_checked=is_checked)
            yield reader
            is_well = True
        except GeneratorExit:
            is_well = True
            raise
        except (KafkaError, OSError) as error:
            raise unreachable(self._settings, error) from error
        finally:
            if reader is not None:
                self._take_back(reader, free, is_well=is_well)

    def close(self) -> None:
        """Disconnect the free readers at once and the others when they are returned."""
        with self._lock:
            self._is_closed = True
            free = [reader for readers in self._free.values() for reader in readers]
            for readers in self._free.values():
                readers.clear()
        for reader in free:
            reader.close()

    def _take_back(self, reader: TopicReader, free: list[TopicReader], *, is_well: bool) -> None:
        with self._lock:
            is_kept = is_well and not self._is_closed and len(free) < IDLE_READERS_MAX
            if is_kept:
                free.append(reader)
        if not is_kept:
            reader.close()
