"""Interface between the writer of a topic and its brokers and clock, replaceable by a simulator."""

from __future__ import annotations

import time
from secrets import randbelow
from typing import TYPE_CHECKING, Protocol

from ledger.log.kafka.producer import MARKS_MAX, TopicProducer
from ledger.log.kafka.topic import last_writer_mark_of
from ledger.log.kafka.transactions import open_transaction_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.errors import InputError
    from ledger.log.kafka.settings import KafkaSettings

__all__ = ["Brokers", "KafkaBrokers", "WriteLease"]


class WriteLease(Protocol):
    """The right to append to a topic, valid until a newer writer takes it; see ``producer``."""

    def send(self, bodies: Sequence[bytes]) -> list[int]:
        """Begin a transaction and send messages; return their offsets once all are replicated."""

    def commit(self) -> None:
        """Commit the sent messages."""

    def abort(self) -> None:
        """Abort the transaction."""

    def renew(self) -> None:
        """Confirm the right between transactions; late requests of earlier ones become invalid."""

    def abandon(self) -> None:
        """Release without waiting."""

    def close(self) -> None:
        """Disconnect cleanly."""

    def is_fenced_by(self, error: BaseException) -> bool:
        """Return whether an error means that another writer has taken the right."""


class Brokers(Protocol):
    """The brokers of a topic; each request raises ``KafkaError`` if it fails."""

    def new_writer_mark(self) -> int:
        """Return a number that identifies a writer; another writer is unlikely to have it."""

    def acquire(self, mark: int) -> WriteLease:
        """Take the right to write: fence older writers and end their open transactions."""

    def last_writer_mark(self) -> int | None:
        """Return the mark of the writer that took the right last; None if none ever did."""

    def open_transaction(self) -> InputError | None:
        """Describe the first open transaction in the topic; None if there is none."""

    def now(self) -> float:
        """Return seconds of a clock that cannot be set."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class KafkaBrokers:
    """The real brokers that the settings name."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Store the settings; the first request connects."""
        self._settings = settings

    def new_writer_mark(self) -> int:
        """Return a random number."""
        return randbelow(MARKS_MAX)

    def acquire(self, mark: int) -> WriteLease:
        """Take the right to write."""
        return TopicProducer(self._settings, mark)

    def last_writer_mark(self) -> int | None:
        """Return the mark of the last writer."""
        return last_writer_mark_of(self._settings)

    def open_transaction(self) -> InputError | None:
        """Describe the first open transaction in the topic."""
        return open_transaction_of(self._settings)

    def now(self) -> float:
        """Return seconds of the monotonic clock."""
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait."""
        time.sleep(seconds)
