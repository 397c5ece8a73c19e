"""Read a topic of commands from the first command that is not answered.

Consumer group membership does not assign partitions: the leader reads all of them, and the
group's offsets only record which commands are answered. So nothing is rebalanced, and a new leader
reads at once. Guaranteed: buffered records are bounded in number and bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kafka import KafkaConsumer, TopicPartition
from kafka.structs import OffsetAndMetadata

from ledger.core.errors import InputError
from ledger.log.kafka.client import connect
from tools.service.kafka.topics import group_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from kafka.consumer.fetcher import ConsumerRecord

    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["CommandReader"]

RECORDS_MAX = 256
PARTITION_BYTES, FETCH_BYTES = 1 << 20, 8 << 20
"""What is fetched at once, of one partition and of all."""
METADATA_MS = 30_000
"""How soon partitions are noticed that were added."""


class CommandReader:
    """The commands of a topic that have no answer yet, in the order of each partition."""

    def __init__(
        self, settings: KafkaSettings, chain: str, expired: Callable[[int, int, int], None]
    ) -> None:
        """Connect.

        Args:
            settings: of the topic.
            chain: chain that the commands are for.
            expired: called with commands that the topic dropped before they were read: partition,
                first offset, and the offset after the last.

        Raises:
            KafkaError: no broker answers.

        """
        self._topic, self._chain, self._expired = settings.topic, chain, expired
        self._timeout_ms = int(settings.request_seconds * 1000)
        self._next: dict[TopicPartition, int] = {}
        """Of each partition, the first offset without an answer."""
        self._read: dict[TopicPartition, int] = {}
        """And the first that was not given to anybody."""
        self._consumer = connect(
            KafkaConsumer,
            **settings.connection(),
            group_id=group_of(settings.topic),
            enable_auto_commit=False,
            auto_offset_reset="none",
            isolation_level="read_committed",
            allow_auto_create_topics=False,
            metadata_max_age_ms=METADATA_MS,
            max_poll_records=RECORDS_MAX,
            max_partition_fetch_bytes=PARTITION_BYTES,
            fetch_max_bytes=FETCH_BYTES,
        )

    def poll(self, timeout_ms: int) -> list[ConsumerRecord]:
        """Return the next commands; none if none arrived within the timeout.

        Raises:
            InputError: the topic holds the commands of another chain.
            KafkaError: the broker does not answer, or no longer holds the next command.

        """
        partitions = self._consumer.partitions_for_topic(self._topic)
        if len(partitions) > len(self._next):
            self._take(partitions)
        found = self._consumer.poll(timeout_ms=timeout_ms)
        self._read.update({place: records[-1].offset + 1 for place, records in found.items()})
        return [record for records in found.values() for record in records]

    def answered(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Store the offsets up to which commands are answered."""
        self._next.update({partition: one.offset for partition, one in offsets.items()})

    def behind(self, record: ConsumerRecord) -> tuple[TopicPartition, OffsetAndMetadata]:
        """Return partition and offset to store once a command and all before it are answered."""
        place = TopicPartition(record.topic, record.partition)
        return place, OffsetAndMetadata(record.offset + 1, self._chain, -1)

    def rewind(self) -> None:
        """Read again from the first command that is not answered."""
        self._read = dict(self._next)
        self._seek()

    @property
    def waiting(self) -> int:
        """Number of offsets of the topic that are not answered, as of the last fetch."""
        ends = {partition: self._consumer.highwater(partition) for partition in self._next}
        return sum(max((ends[one] or 0) - offset, 0) for one, offset in self._next.items())

    def close(self) -> None:
        """Disconnect."""
        self._consumer.close(timeout_ms=self._timeout_ms)

    def _take(self, numbers: set[int]) -> None:
        """Begin to read new partitions, each after its last answered command."""
        partitions = [TopicPartition(self._topic, number) for number in sorted(numbers)]
        first = self._consumer.beginning_offsets(partitions, self._timeout_ms)
        end = self._consumer.end_offsets(partitions, self._timeout_ms)
        for partition in partitions:
            if partition not in self._next:
                due = self._due(partition, first[partition], end[partition])
                self._next[partition] = self._read[partition] = due
        self._consumer.assign(partitions)
        self._seek()

    def _seek(self) -> None:
        for partition, offset in self._read.items():
            self._consumer.seek(partition, offset)

    def _due(self, partition: TopicPartition, first: int, end: int) -> int:
        found = self._consumer.committed(partition, metadata=True, timeout_ms=self._timeout_ms)
        if found is None:
            return first
        if found.metadata not in {"", self._chain}:
            raise InputError(
                f"topic {self._topic} holds the commands of chain {found.metadata}, and this one "
                f"is {self._chain}: give it a topic of its own"
            )
        if found.offset < first:
            self._expired(partition.partition, found.offset, first)
        return int(found.offset) if first <= found.offset <= end else first
