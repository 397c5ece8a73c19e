"""Write answers, and the offsets of the commands they answer, in one Kafka transaction.

Guaranteed: a reader of committed records sees each answer once, even if a process is killed in
between; a fenced writer writes no answer. The outcome of a failed transaction need not be known:
the commands are read again from the first unanswered one, and the ledger repeats their answers.
"""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple

from kafka.errors import KafkaError

from ledger.log.kafka.client import bounded
from ledger.log.kafka.producer import TransactionalProducer
from tools.service.kafka.topics import group_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from kafka import TopicPartition
    from kafka.structs import OffsetAndMetadata

__all__ = ["AnswerProducer", "AnswerRecord"]


class AnswerRecord(NamedTuple):
    """A record to be written; ``like`` is the partition of the command."""

    topic: str
    like: int
    key: bytes | None
    value: bytes | None
    headers: list[tuple[str, bytes]]


class AnswerProducer(TransactionalProducer):
    """The fenced producer that may answer the commands of a topic."""

    def commit_answers(
        self, records: Sequence[AnswerRecord], offsets: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        """Write records and the offsets of the commands they answer; on return they are committed.

        The answers to commands of one partition are written to one partition, so the order by key
        is kept, whatever the numbers of partitions are. Each transaction has an epoch of its own: a
        request to end the one before it that arrives again, between its requests, would commit
        answers without their offsets, and a crash then would let them be written twice.

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
        self, records: Sequence[AnswerRecord], offsets: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        producer: Any = self._producer
        seconds, group = self._settings.commit_seconds, group_of(self._settings.topic)
        self.renew()
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
