"""Open transactions in a topic: what stands behind the first is hidden from readers until it ends.

A writer's own transactions last for a commit. One of another producer, or one that its coordinator
has forgotten, may stay open: then readers see nothing new, and the writer can't store.
"""

from __future__ import annotations

from contextlib import closing
from time import time
from typing import TYPE_CHECKING

from kafka import TopicPartition

from ledger.core.clock import to_datetime
from ledger.core.errors import InputError
from ledger.log.kafka.client import bounded
from ledger.log.kafka.topic import admin_of

if TYPE_CHECKING:
    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["open_transaction_of"]


def open_transaction_of(settings: KafkaSettings, *, seconds_min: float = 0.0) -> InputError | None:
    """Return the first open transaction in the topic, with the command that aborts it as a note.

    Args:
        settings: the topic.
        seconds_min: how long its producer must have sent nothing.

    Raises:
        KafkaError: the leader of the partition does not answer.

    """
    place = TopicPartition(settings.topic, 0)
    with closing(admin_of(settings)) as admin:
        producers = bounded(
            lambda: admin.describe_producers([place])[place].active_producers,
            2 * settings.request_seconds,
            "describing the producers of the topic",
        )
    due = (time() - seconds_min) * 1000
    open_ones = [
        one
        for one in producers
        if one.current_transaction_start_offset >= 0 and one.last_timestamp <= due
    ]
    if not open_ones:
        return None
    first = min(open_ones, key=lambda one: one.current_transaction_start_offset)
    offset = first.current_transaction_start_offset
    since = to_datetime(first.last_timestamp * 1000)
    error = InputError(
        f"a transaction of producer {first.producer_id} is open in topic {settings.topic} at "
        f"offset {offset}, and readers see nothing behind it; nothing was sent in it since "
        f"{since:%Y-%m-%d %H:%M:%S} UTC. Find its program, and abort it"
    )
    error.add_note(
        f"kafka-transactions.sh --bootstrap-server {settings.bootstrap} abort "
        f"--topic {settings.topic} --partition 0 --start-offset {offset}"
    )
    return error
