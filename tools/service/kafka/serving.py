"""A topic of commands, and the thread that reads it while the writer leads.

Input: the URL of a topic. Output: the answers of :mod:`tools.service.kafka.intake`. Rejected: a
topic with unsafe settings, or a topic of no listed client.
"""

from __future__ import annotations

from secrets import randbelow
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.log.kafka.producer import MARKS_MAX
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.topic import last_writer_mark_of
from tools.service.kafka.answer_producer import AnswerProducer
from tools.service.kafka.command_reader import CommandReader
from tools.service.kafka.intake import TopicIntake
from tools.service.kafka.topics import require_guarded_topic, require_topics

if TYPE_CHECKING:
    from collections.abc import Callable

    from tools.service.authentication import ClientAuthenticator
    from tools.service.command_intake import Service

__all__ = ["CommandConsumer"]


class _KafkaCommands:
    """A topic of commands in Kafka; see :class:`tools.service.kafka.intake.CommandTopic`."""

    def __init__(self, settings: KafkaSettings) -> None:
        """Prepare without connecting."""
        self._settings = settings
        self.name = settings.topic
        self._mark = randbelow(MARKS_MAX)

    def is_ours(self) -> bool:
        """Return whether no other writer has since become the one that answers."""
        return last_writer_mark_of(self._settings) in {None, self._mark}

    def answering(self) -> AnswerProducer:
        """Become the writer that answers: fence older writers."""
        return AnswerProducer(self._settings, self._mark)

    def reading(self, chain: str, expired: Callable[[int, int, int], None]) -> CommandReader:
        """Read from the first command that is not answered."""
        return CommandReader(self._settings, chain, expired)


class CommandConsumer:
    """A listener for commands from a topic."""

    def __init__(
        self,
        url: str,
        authenticator: ClientAuthenticator,
        notify: Callable[..., None],
        *,
        plain: bool,
    ) -> None:
        """Check the topics; nothing is read before :meth:`lead`.

        Args:
            url: of the topic of commands, in the form of a log's URL on Kafka.
            authenticator: the list of clients, one of which has the topic.
            notify: called with reports for operators.
            plain: trust brokers without authentication.

        Raises:
            InputError: the URL is invalid, or a topic has unsafe settings.
            AuthorizationError: no listed client has the topic.
            AvailabilityError: no broker answers.

        """
        self._settings = KafkaSettings.from_url(url)
        self.topic = self._settings.topic
        require_guarded_topic(self._settings, authenticator, plain=plain)
        require_topics(self._settings)
        self._notify = notify
        self._closing = Event()
        self._thread = Thread(target=self._run, name="commands-from-kafka", daemon=True)

    def lead(self, service: Service) -> None:
        """Take commands from now on."""
        self._service = service
        self._thread.start()

    def _run(self) -> None:
        closing = self._closing
        TopicIntake(
            _KafkaCommands(self._settings),
            self._service,
            self._notify,
            closing.is_set,
            closing.wait,
        ).run()

    def close(self) -> None:
        """Answer the commands that were read, and end; closing twice is allowed."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(self._service.limits.drain_seconds)
