"""The optional fast client: a long read through confluent-kafka (``gameledger[fast]``).

Only reading messages uses this client; locating them, and checking that they continue the chain,
uses kafka-python. Appends never go through it.
"""

from __future__ import annotations

import logging
from contextlib import closing
from importlib.util import find_spec
from time import monotonic
from typing import TYPE_CHECKING, Any

from kafka.errors import KafkaConnectionError, TopicAuthorizationFailedError

from ledger.core.errors import InputError, IntegrityError
from ledger.log.kafka.reader import damaged
from ledger.log.kafka.topic import unreachable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["fast_messages", "is_fast"]

CHUNK_MESSAGES = 4096
QUEUED_KIBIBYTES = 32_768
FETCH_BYTES = 16 << 20
FULL_QUEUE_MS = 5
"""Pause while the queue is full; librdkafka's default of a second makes a scan half as fast."""
WAIT_SECONDS = 0.2

_LOGGER = logging.getLogger("gameledger.kafka.fast")
_LOGGER.addHandler(logging.NullHandler())


def is_fast(settings: KafkaSettings) -> bool:
    """Return whether long reads go through the fast client.

    Raises:
        InputError: it is configured but not installed.

    """
    is_there = find_spec("confluent_kafka") is not None
    if settings.scan_client == "confluent" and not is_there:
        raise InputError("scan_client=confluent needs confluent-kafka: install gameledger[fast]")
    return is_there and settings.scan_client != "kafka-python"


def fast_messages(
    settings: KafkaSettings, offset: int, end: int
) -> Iterator[list[tuple[int, bytes]]]:
    """Return the committed (offset, message) from one offset up to another, in chunks.

    Raises:
        IntegrityError: the topic no longer holds the offset.
        AvailabilityError: no message arrived within ``read_seconds``.
        KafkaError: the broker rejects the request.

    """
    from confluent_kafka import Consumer, KafkaException, TopicPartition  # noqa: PLC0415 - optional

    try:
        with closing(Consumer(_options(settings))) as consumer:
            consumer.assign([TopicPartition(settings.topic, 0, offset)])
            deadline = monotonic() + settings.read_seconds
            reached = offset
            while reached < end:
                chunk: list[tuple[int, bytes]] = []
                records: list[Any] = consumer.consume(CHUNK_MESSAGES, WAIT_SECONDS)
                for message in records:
                    error = message.error()
                    if error is None:
                        chunk.append((message.offset(), message.value()))
                    else:
                        _raise_if_serious(settings, error, reached)
                        reached = max(reached, message.offset() or 0)
                if chunk:
                    deadline = monotonic() + settings.read_seconds
                    reached = max(reached, chunk[-1][0] + 1)
                    yield chunk if reached <= end else [pair for pair in chunk if pair[0] < end]
                elif reached < end and monotonic() > deadline:
                    text = f"nothing came from offset {reached} in {settings.read_seconds:g} s"
                    raise unreachable(settings, TimeoutError(text))
    except KafkaException as error:
        raise KafkaConnectionError(str(error)) from error


def _raise_if_serious(settings: KafkaSettings, error: Any, offset: int) -> None:
    """Ignore the end of the partition and errors that librdkafka recovers from."""
    from confluent_kafka import KafkaError as Code  # noqa: PLC0415 - optional

    if error.code() in {Code.OFFSET_OUT_OF_RANGE, Code._AUTO_OFFSET_RESET}:  # noqa: SLF001 - its name
        text = f"topic {settings.topic} no longer holds offset {offset}"
        raise IntegrityError(
            f"{text}: it was truncated, expired or recreated; stop every writer, verify"
        )
    if error.code() in {Code._BAD_COMPRESSION, Code._BAD_MSG, Code.INVALID_MSG}:  # noqa: SLF001 - the same
        raise damaged(settings, offset, error.str())
    if error.code() == Code.TOPIC_AUTHORIZATION_FAILED:
        raise TopicAuthorizationFailedError(settings.topic)
    if error.fatal() or error.code() == Code._AUTHENTICATION:  # noqa: SLF001 - the same
        raise KafkaConnectionError(error.str())


def _options(settings: KafkaSettings) -> dict[str, Any]:
    ours = settings.connection()
    options = {
        "bootstrap.servers": settings.bootstrap,
        "client.id": ours["client_id"],
        "group.id": "gameledger-reads-without-a-group",
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        "enable.partition.eof": True,
        "auto.offset.reset": "error",
        "isolation.level": "read_committed",
        "allow.auto.create.topics": False,
        "queued.max.messages.kbytes": QUEUED_KIBIBYTES,
        "fetch.message.max.bytes": max(FETCH_BYTES, settings.message_bytes_max),
        "fetch.queue.backoff.ms": FULL_QUEUE_MS,
        "security.protocol": settings.security_protocol,
        "ssl.ca.location": ours.get("ssl_cafile"),
        "ssl.certificate.location": ours.get("ssl_certfile"),
        "ssl.key.location": ours.get("ssl_keyfile"),
        "sasl.mechanism": ours.get("sasl_mechanism"),
        "sasl.username": ours.get("sasl_plain_username"),
        "sasl.password": ours.get("sasl_plain_password"),
        "logger": _LOGGER,
    }
    return {name: value for name, value in options.items() if value is not None}
