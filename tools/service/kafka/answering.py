"""Writes answers, and which commands they answer, in one transaction.

Guaranteed: a reader of committed records sees each answer once, whatever is killed in between; a
writer that was overtaken writes none. What became of a transaction that failed need not be known:
the commands are read again from where the answers end, and the ledger answers them as before.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from kafka.errors import KafkaError

from ledger.log.kafka.client import bounded
from ledger.log.kafka.producer import Transactional
from tools.service.kafka.topics import group_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kafka import TopicPartition
    from kafka.structs import OffsetAndMetadata

__all__ = ["Answering", "Outgoing"]


class Outgoing(NamedTuple):
    """A record to be written; ``like`` is the partition of the command."""

    topic: str
    like: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]


class Answering(Transactional):
    """The right to answer the commands of a topic."""

    def commit_answers(
        self, records: Sequence[Outgoing], offsets: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        """Write records and what they answer; on return they are committed.

        Commands of one partition have their answers in one, so that what is in order by key there
        is so here, however many partitions there are.

        Raises:
            KafkaError: the outcome is unknown.

        """
        try:
            self._commit_answers(records, offsets)
        except KafkaError:
            raise
        except Exception as error:
            raise KafkaError(str(error) or repr(error)) from error

    def _commit_answers(
        self, records: Sequence[Outgoing], offsets: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        producer: Any = self._producer
        seconds, group = self._settings.commit_seconds, group_of(self._settings.topic)
        deadline = monotonic() + seconds
        producer.begin_transaction()
        sent = [
            producer.send(
                one.topic,
                key=one.key,
                value=one.value,
                headers=one.headers,
                partition=one.like % len(producer.partitions_for(one.topic)),
            )
            for one in records
        ]
        self._replicated(sent, deadline)
        bounded(
            lambda: producer.send_offsets_to_transaction(dict(offsets), group),
            seconds,
            "telling what is answered",
        )
        self.commit()
