"""A topic of commands: records to it, and what its receipts and dead letters hold."""

from __future__ import annotations

import json
import time
from contextlib import closing
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from kafka import KafkaConsumer, KafkaProducer, TopicPartition

from tests.tools.cli_cases import command

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.workshop.broker import Cluster

SECONDS_MAX = 120
NUMBERS = count(1)


class Answer(NamedTuple):
    """A record of receipts or dead letters."""

    partition: int
    offset: int
    key: bytes | None
    value: bytes | None
    headers: dict[str, bytes]

    @property
    def of(self) -> tuple[int, int]:
        """Partition and offset of the command."""
        found = (self.headers["command-partition"], self.headers["command-offset"])
        return int(found[0]), int(found[1])

    @property
    def document(self) -> Any:
        return json.loads(self.value or b"null")


class Topic:
    """A topic of commands, as the platform sees it."""

    def __init__(self, broker: Cluster, name: str) -> None:
        self.broker, self.name, self.url = broker, name, broker.url(name)

    def send(self, *values: Any, key: str | bytes | None = "a-1", **more: Any) -> list[int]:
        """Send objects as JSON, and bytes as they are; return their offsets."""
        with closing(self.producer()) as producer:
            sent = [
                producer.send(
                    self.name,
                    value if isinstance(value, bytes | None) else json.dumps(value).encode(),
                    key=key.encode() if isinstance(key, str) else key,
                    **more,
                )
                for value in values
            ]
            return [one.get(SECONDS_MAX).offset for one in sent]

    def producer(self) -> KafkaProducer:
        return KafkaProducer(
            bootstrap_servers=self.broker.bootstrap.split(","),
            acks="all",
            linger_ms=5,
            max_request_size=1 << 23,
        )

    def answers(
        self, wanted: int, *, of: str = "receipts", isolation: str = "read_committed"
    ) -> list[Answer]:
        """Wait for so many records, and a little longer for one too many."""
        found = []
        with closing(
            KafkaConsumer(
                bootstrap_servers=self.broker.bootstrap.split(","),
                isolation_level=isolation,
                auto_offset_reset="earliest",
                enable_auto_commit=False,
            )
        ) as consumer:
            topic = f"{self.name}.{of}"
            parts = [TopicPartition(topic, one) for one in consumer.partitions_for_topic(topic)]
            consumer.assign(parts)
            consumer.seek_to_beginning(*parts)
            deadline = time.monotonic() + SECONDS_MAX
            while time.monotonic() < deadline:
                records = [
                    record
                    for some in consumer.poll(timeout_ms=300, max_records=5000).values()
                    for record in some
                ]
                if not records and len(found) >= wanted:
                    break
                found += [
                    Answer(one.partition, one.offset, one.key, one.value, dict(one.headers))
                    for one in records
                ]
        is_right = len(found) == wanted or isolation != "read_committed"
        assert is_right, f"{len(found)} of {wanted}: {found[-3:]}"
        return sorted(found)


def deposit(name: str, identifier: int | None = None, **more: Any) -> dict[str, Any]:
    """A deposit with a ``command_id``."""
    number = next(NUMBERS) if identifier is None else identifier
    facts = {"account": "a-1", "deposit": name, "amount": 100, "method": "card-1"}
    return command("deposit", **{**facts, **more}, command_id=str(UUID(int=7 << 100 | number)))


def once(answers: Iterable[Answer]) -> list[Answer]:
    """Require one answer for each command, and those of a partition in the order of commands."""
    found = sorted(answers)
    assert len({one.of for one in found}) == len(found)
    assert found == sorted(found, key=lambda one: (one.partition, one.of))
    return found
