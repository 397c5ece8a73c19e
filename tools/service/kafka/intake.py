"""Take commands from a topic: the steps of the consumer, without the thread that drives them.

Input: records whose value is one command in JSON. Output: an answer to each in the topic of
receipts, as over HTTP; each command that could not be decided, with the reason, in the topic of
dead letters. Guaranteed: a command is decided once, by its ``command_id``, and the commands of a
partition in their order; each record has one answer, however often the writer is killed; an invalid
command delays no other. Rejected: a command without ``command_id``, and everything that the other
listeners reject. See docs/adr/0031-commands-from-kafka.md.
"""

from __future__ import annotations

from contextlib import closing
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from ledger.core.errors import KINDS, FencedError, InputError
from ledger.events.command import name_of
from ledger.log.kafka.topic import describe_error
from tools.sanitize import json_line
from tools.service.authentication import ANYONE, Client, RejectedClientError
from tools.service.command_intake import CommandIntake
from tools.service.kafka.answer_producer import AnswerRecord
from tools.service.kafka.topics import dead_letters_of, receipts_of
from tools.service.lines import LINE_BYTES_MAX, Line, error_answer
from tools.web.problems import MEDIA_TYPE, document_of, problem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Future

    from kafka import TopicPartition
    from kafka.consumer.fetcher import ConsumerRecord
    from kafka.structs import OffsetAndMetadata

    from ledger.events.command import Command
    from ledger.writer import Receipt
    from tools.service.command_intake import Service

    _Begun = list[tuple[ConsumerRecord, CommandIntake, Line]]

__all__ = ["KEY_BYTES_MAX", "Answers", "CommandTopic", "Commands", "TopicIntake"]

JSON = "application/json"
KEY_BYTES_MAX = 4096
POLL_MS = 200
RETRY_SECONDS = 1.0
UNANSWERED = {"availability", "fenced", "integrity"}
"""Kinds that are no answer: the command is read again, here or by the next leader."""


class Answers(Protocol):
    """Answering side; see :class:`tools.service.kafka.answer_producer.AnswerProducer`."""

    def commit_answers(
        self, records: Sequence[AnswerRecord], offsets: Mapping[TopicPartition, OffsetAndMetadata]
    ) -> None:
        """Write records and the offsets of the commands they answer, in one transaction."""

    def abandon(self) -> None:
        """Release the producer without waiting."""

    def close(self) -> None:
        """Disconnect cleanly."""


class Commands(Protocol):
    """Reading side; see :class:`tools.service.kafka.command_reader.CommandReader`."""

    def poll(self, timeout_ms: int) -> list[ConsumerRecord]:
        """Return the next commands; none if none arrived within the timeout."""

    def answered(self, offsets: Mapping[TopicPartition, OffsetAndMetadata]) -> None:
        """Store the offsets up to which commands are answered."""

    def behind(self, record: ConsumerRecord) -> tuple[TopicPartition, OffsetAndMetadata]:
        """Return partition and offset to store once a command and all before it are answered."""

    def rewind(self) -> None:
        """Read again from the first command that is not answered."""

    @property
    def waiting(self) -> int:
        """Number of commands that are not answered."""

    def close(self) -> None:
        """Disconnect."""


class CommandTopic(Protocol):
    """Operations on the brokers that the intake needs; a simulator implements them, too."""

    name: str

    def is_ours(self) -> bool:
        """Return whether no other writer has since become the one that answers."""

    def answering(self) -> Answers:
        """Become the writer that answers: fence older writers."""

    def reading(self, chain: str, expired: Callable[[int, int, int], None]) -> Commands:
        """Read from the first command that is not answered."""


class TopicIntake:
    """Take commands from a topic while the writer leads.

    Args:
        topic: the topic, on brokers or simulated.
        service: the leading writer.
        notify: called with a state and its facts, for operators.
        is_closing: returns whether the intake is to end.
        wait: waits for a number of seconds, or until the intake is to end.

    """

    def __init__(
        self,
        topic: CommandTopic,
        service: Service,
        notify: Callable[..., None],
        is_closing: Callable[[], bool],
        wait: Callable[[float], object],
    ) -> None:
        """Read nothing yet."""
        self._topic, self.topic = topic, topic.name
        self._service, self._notify = service, notify
        self._is_closing, self._wait = is_closing, wait
        self._has_written = self._is_away = False
        self._after: Future[Receipt] | None = None

    @property
    def _is_over(self) -> bool:
        return self._is_closing() or self._service.stop.is_set

    def run(self) -> None:
        """Take commands until the end; failures of brokers are retried."""
        while not self._is_over:
            try:
                self._require_right()
                self._serve()
            except (FencedError, InputError) as error:
                self._service.stop(error)
            except Exception as error:  # noqa: BLE001 - brokers come back; other listeners continue
                self._report_reading(describe_error(error, self.topic))
                self._wait(RETRY_SECONDS)

    def _require_right(self) -> None:
        """Refuse to resume after another writer has answered from this topic."""
        if self._has_written and not self._topic.is_ours():
            raise FencedError(
                f"another writer answers the commands of topic {self.topic}: this one has stopped"
            )

    def _serve(self) -> None:
        answering = self._topic.answering()
        self._has_written = True
        try:
            chain = self._service.ledger.chain
            with closing(self._topic.reading(chain, self._report_expired)) as reading:
                self._report_reading(None)
                self._go_between(reading, answering)
        except BaseException:
            answering.abandon()
            raise
        answering.close()

    def _go_between(self, reading: Commands, answering: Answers) -> None:
        """Decide the next commands while the previous ones are being answered."""
        begun: _Begun = []
        self._after = None
        while begun or not self._is_over:
            records = [] if self._is_over else reading.poll(0 if begun else POLL_MS)
            later = self._begin(records)
            if begun and not self._answer(begun, reading, answering):
                reading.rewind()
                later, self._after = [], None
                self._wait(RETRY_SECONDS)
            begun = later

    def _begin(self, records: Sequence[ConsumerRecord]) -> _Begun:
        """Submit commands to the ledger, each after the previous one."""
        begun: _Begun = []
        client = self._admitted_client() if records else ANYONE
        for record in records:
            headers = {name.encode(): value or b"" for name, value in record.headers}
            within = self._service.tracing.continued(headers)
            way = _IdempotentIntake(self._service, client, within, self._after)
            line = _submitted(way, record)
            if not isinstance(line.answer, dict):
                self._after = line.answer
            begun.append((record, way, line))
        return begun

    def _admitted_client(self) -> Client:
        """Return the client of the topic now; a client removed from the list may send nothing."""
        try:
            return self._service.authenticator.admit_topic(self.topic)
        except RejectedClientError:
            return Client(self.topic, frozenset())

    def _answer(self, begun: _Begun, reading: Commands, answering: Answers) -> bool:
        """Answer commands up to the first that could not be stored; return whether all were."""
        outgoing: list[AnswerRecord] = []
        offsets: dict[Any, Any] = {}
        for record, way, line in begun:
            answer = way.answer(line)
            if answer.get("kind") in UNANSWERED:
                break
            outgoing += _outgoing(record, answer)
            offsets.update([reading.behind(record)])
        if outgoing:
            answering.commit_answers(outgoing, offsets)
            reading.answered(offsets)
        metrics = self._service.metrics
        dead = sum(one.topic == dead_letters_of(self.topic) for one in outgoing)
        metrics.dead_letters.labels(self.topic).inc(dead)
        metrics.topic_behind.labels(self.topic).set(reading.waiting)
        return len(outgoing) - dead == len(begun)

    def _report_reading(self, why: str | None) -> None:
        """Report once when the brokers become unavailable and once when they are back."""
        is_away, self._is_away = self._is_away, why is not None
        self._service.metrics.topic_reading.labels(self.topic).set(not self._is_away)
        if self._is_away and not is_away:
            self._notify("commands_away", topic=self.topic, text=why)
        elif is_away and not self._is_away:
            self._notify("commands_back", topic=self.topic)

    def _report_expired(self, partition: int, first: int, stop: int) -> None:
        text = f"offsets {first} to {stop - 1} of partition {partition}"
        self._notify("commands_expired", topic=self.topic, text=text)


class _IdempotentIntake(CommandIntake):
    """Command intake that requires a ``command_id``, because Kafka may deliver a command twice."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Submit a command.

        Raises:
            InputError: the command has no ``command_id``.
            AuthorizationError: no role of the client allows the command.

        """
        if command.command_id is None:
            raise InputError(
                f"{name_of(command)} came over Kafka without command_id, by which it is decided "
                "once: give it one and send it again"
            )
        return super().submit(command)


def _submitted(way: CommandIntake, record: ConsumerRecord) -> Line:
    """Put a command into the ledger's queue; the answer to an invalid command is its error."""
    size = len(record.key or b"")
    if size > KEY_BYTES_MAX:
        error = InputError(f"the key of the record has {size} bytes, {KEY_BYTES_MAX} at most")
        return Line(record.offset, error_answer(error), perf_counter())
    text = record.value or b""
    return way.begin(record.offset, text if len(text) <= LINE_BYTES_MAX else None)


def _outgoing(record: ConsumerRecord, answer: dict[str, Any]) -> list[AnswerRecord]:
    """Return the records for one command: its answer, and a dead letter if it failed."""
    key, value = record.key, record.value
    place = [
        ("command-partition", str(record.partition).encode()),
        ("command-offset", str(record.offset).encode()),
    ]
    key = None if len(key or b"") > KEY_BYTES_MAX else key
    del answer["line"]
    if answer["status"] != "error":
        kind, text = JSON, json_line(answer).encode()
    else:
        problem = problem_of(KINDS[answer["kind"]](answer["text"]))
        kind, text = MEDIA_TYPE, json_line(document_of(problem)).encode()
    headers = [("content-type", kind.encode()), *place]
    found = [AnswerRecord(receipts_of(record.topic), record.partition, key, text, headers)]
    if kind == MEDIA_TYPE:
        value = None if len(value or b"") > LINE_BYTES_MAX else value
        headers = [("problem", text), *place]
        found.append(
            AnswerRecord(dead_letters_of(record.topic), record.partition, key, value, headers)
        )
    return found
