"""One transactional producer: a batch of messages in one transaction, every step with a time limit.

Wraps the needed part of kafka-python and avoids three of its traps (3.0.12):
``commit_transaction()`` has no timeout, so it runs in a thread and the wait for it is limited;
``close()`` waits for messages that cannot be sent, so an abandoned producer is forced to end; the
error that fenced a producer is often wrapped, so it is read from the producer itself.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING, Any

from kafka import KafkaProducer
from kafka.errors import (
    InvalidProducerEpochError,
    KafkaError,
    KafkaTimeoutError,
    ProducerFencedError,
    for_code,
)
from kafka.producer.transaction_manager import InitProducerIdHandler, TransactionState

from ledger.log.kafka.client import bounded, connect, require_parts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["MARKS_MAX", "TopicProducer", "TransactionalProducer", "producer_options"]

BATCH_BYTES = 1 << 20
"""Maximum bytes of one request, unless a single message is larger."""
OVERHEAD_BYTES = 4096
RECORD_OVERHEAD_BYTES = 64
"""More than a record takes besides its message."""
MARKS_MAX = 30_000
LINGER_MS = 1000
"""A batch waits for the flush that ends it, so that a transaction takes few requests."""

_PARTS = (
    "_sender.force_close",
    "_sender.wakeup",
    "_transaction_manager._enqueue_request",
    "_transaction_manager._lock",
    "_transaction_manager._sequence_numbers",
    "_transaction_manager._transition_to",
    "_transaction_manager.last_error",
    "_transaction_manager.transaction_timeout_ms",
)
"""Private parts of the library that are used here; there is no public way."""

_FENCED = (ProducerFencedError, InvalidProducerEpochError)


def producer_options(settings: KafkaSettings) -> dict[str, Any]:
    """Return the options of a producer of the log; the benchmark's baseline uses the same."""
    commit_ms = int(settings.commit_seconds * 1000)
    request_ms = int(settings.request_seconds * 1000)
    return {
        **settings.connection(),
        "transactional_id": settings.transactional_id,
        "transaction_timeout_ms": settings.transaction_ms,
        "acks": "all",
        "enable_idempotence": True,
        "allow_auto_create_topics": False,
        "compression_type": None if settings.compression == "none" else settings.compression,
        "batch_size": BATCH_BYTES,
        "linger_ms": LINGER_MS,
        "max_request_size": settings.message_bytes_max + OVERHEAD_BYTES,
        "max_block_ms": commit_ms,
        "delivery_timeout_ms": max(commit_ms, request_ms + LINGER_MS) + 1,
        "retry_backoff_ms": 1,
    }


class _Renewal(InitProducerIdHandler):  # type: ignore[misc]  # the library has no types
    """Request that raises the producer epoch without taking the right from a newer writer.

    The library's own request would take it.
    """

    def handle_response(self, response: Any) -> None:
        """Treat a stale epoch as fencing."""
        if for_code(response.error_code) is InvalidProducerEpochError:
            self.fatal_error(ProducerFencedError())
        else:
            super().handle_response(response)


class TransactionalProducer:
    """The right to write for a topic, until a newer writer takes it."""

    def __init__(self, settings: KafkaSettings, mark: int) -> None:
        """Take the right: fence older writers, and end their open transactions.

        Args:
            settings: the topic.
            mark: number of this writer, which ``ledger.log.kafka.topic.last_writer_mark_of`` reads.
                It is encoded in the milliseconds of the transaction timeout, which is all that a
                broker reports about the last owner; the epoch alone does not identify the
                requester.

        Raises:
            InputError: the installed kafka-python has not the parts that are used here.
            KafkaError: the broker does not answer or rejects the request.

        """
        self._settings = settings
        options = {
            **producer_options(settings),
            "transaction_timeout_ms": settings.transaction_ms + mark,
        }
        self._producer = connect(KafkaProducer, **options)
        try:
            require_parts(self._producer, _PARTS)
            self._producer.init_transactions()
        except BaseException:
            self.abandon()
            raise

    def is_fenced_by(self, error: BaseException) -> bool:
        """Return whether an error means that another writer has taken the right."""
        manager: Any = self._producer._transaction_manager  # noqa: SLF001 - it keeps the first
        return isinstance(error, _FENCED) or isinstance(manager.last_error, _FENCED)

    def commit(self) -> None:
        """Commit the sent messages.

        Raises:
            KafkaError: the outcome is unknown.

        """
        bounded(self._producer.commit_transaction, self._settings.commit_seconds, "the commit")

    def abort(self) -> None:
        """Abort the transaction.

        Raises:
            KafkaError: the outcome is unknown.

        """
        bounded(self._producer.abort_transaction, self._settings.commit_seconds, "giving up")

    def renew(self) -> None:
        """Raise the epoch of this producer, between transactions (KIP-360).

        Only the newest producer can. The brokers replicate it, no message is written, and requests
        of earlier transactions that come late are rejected from then on.

        Raises:
            KafkaError: another producer took the right, or the outcome is unknown.

        """
        manager: Any = self._producer._transaction_manager  # noqa: SLF001 - the library renews
        with manager._lock:  # noqa: SLF001 - by itself only, after errors
            manager._transition_to(TransactionState.BUMPING_PRODUCER_EPOCH)  # noqa: SLF001
            manager._sequence_numbers.clear()  # noqa: SLF001 - each epoch counts from 0
            renewal = _Renewal(manager, manager.transaction_timeout_ms, is_epoch_bump=True)
            manager._enqueue_request(renewal)  # noqa: SLF001
        self._producer._sender.wakeup()  # noqa: SLF001
        seconds = self._settings.commit_seconds
        if not renewal.result.wait(timeout_ms=int(seconds * 1000)):
            raise KafkaTimeoutError(f"the right to write was not confirmed within {seconds:g} s")

    def abandon(self) -> None:
        """Release without waiting; the next writer ends the open transaction."""
        with suppress(Exception):
            self._producer._sender.force_close()  # noqa: SLF001 - close() would wait for the flush
        with suppress(Exception):
            self._producer.close(timeout=0)

    def close(self) -> None:
        """Disconnect cleanly."""
        with suppress(Exception):
            self._producer.close(timeout=self._settings.request_seconds)

    def _replicated(self, sent: Sequence[Any], deadline: float) -> list[int]:
        """Wait until the sent messages are replicated; return their offsets."""
        self._producer.flush(max(deadline - monotonic(), 0.001))
        return [future.get(max(deadline - monotonic(), 0.001)).offset for future in sent]


class TopicProducer(TransactionalProducer):
    """The right to append to the topic of a log."""

    def send(self, bodies: Sequence[bytes]) -> list[int]:
        """Begin a transaction and send messages; return their offsets once all are replicated.

        Messages that take several requests begin an epoch: a request to end an earlier transaction
        that arrives between two of them, a second time or late, would commit half of them.

        Raises:
            KafkaError: the outcome is unknown; the caller must look it up.

        """
        size = sum(map(len, bodies)) + RECORD_OVERHEAD_BYTES * len(bodies)
        if size > BATCH_BYTES:
            self.renew()
        deadline = monotonic() + self._settings.commit_seconds
        self._producer.begin_transaction()
        topic = self._settings.topic
        sent = [self._producer.send(topic, body, partition=0) for body in bodies]
        offsets = self._replicated(sent, deadline)
        if offsets != list(range(offsets[0], offsets[0] + len(offsets))):
            raise KafkaError("the messages of a transaction do not lie side by side")
        return offsets
