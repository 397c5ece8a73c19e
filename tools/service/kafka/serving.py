"""A topic of commands, and the thread that reads it while the writer leads.

What comes in: records whose value is one command in JSON. What goes out: to the topic of receipts
an answer to each, as over HTTP; to the topic of dead letters whatever could not be decided, with
its reason. Promised: a command is decided once, by its ``command_id``, and those of a partition in
their order; each record has one answer, however often the writer is killed; what can't be decided
keeps no client waiting. Refused: a command without ``command_id``, and all that the other doors
refuse. See docs/adr/0031-commands-from-kafka.md.
"""

from __future__ import annotations

from contextlib import closing
from secrets import randbelow
from threading import Event, Thread
from time import perf_counter
from typing import TYPE_CHECKING, Any

from ledger.core.errors import KINDS, FencedError, InputError
from ledger.events.command import name_of
from ledger.log.kafka.producer import MARKS_MAX
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.topic import owner_of
from tools.sanitize import json_line
from tools.service.authentication import ANYONE, Client, RejectedClientError
from tools.service.command_intake import CommandIntake
from tools.service.kafka.answering import Answering, Outgoing
from tools.service.kafka.reading import Reading
from tools.service.kafka.topics import (
    dead_letters_of,
    receipts_of,
    require_guarded_topic,
    require_topics,
)
from tools.service.lines import LINE_BYTES_MAX, Line, error_answer
from tools.web.problems import MEDIA_TYPE, document_of, problem_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from kafka.consumer.fetcher import ConsumerRecord

    from ledger.events.command import Command
    from ledger.writer import Receipt
    from tools.service.authentication import ClientAuthenticator
    from tools.service.command_intake import Service

    _Begun = list[tuple[ConsumerRecord, CommandIntake, Line]]

__all__ = ["KEY_BYTES_MAX", "CommandConsumer"]

JSON = "application/json"
KEY_BYTES_MAX = 4096
POLL_MS = 200
RETRY_SECONDS = 1.0
UNANSWERED = {"availability", "fenced", "integrity"}
"""What is no answer: the command is read again, here or by the next leader."""


class CommandConsumer:
    """A topic where commands come."""

    def __init__(
        self, url: str, door: ClientAuthenticator, tell: Callable[..., None], *, plain: bool
    ) -> None:
        """Look at the topics; nothing is read before :meth:`lead`.

        Args:
            url: of the topic of commands, as a log on Kafka is named.
            door: whose list says whose topic it is.
            tell: gets what operators should know.
            plain: trust brokers without authentication.

        Raises:
            InputError: the URL or a topic is not as it has to be.
            AuthorizationError: no client of the list has the topic.
            AvailabilityError: no broker answers.

        """
        self._settings = KafkaSettings.from_url(url)
        self.topic = self._settings.topic
        require_guarded_topic(self._settings, door, plain=plain)
        require_topics(self._settings)
        self._tell = tell
        self._mark = randbelow(MARKS_MAX)
        self._has_written = self._is_away = False
        self._after: Future[Receipt] | None = None
        self._closing = Event()
        self._thread = Thread(target=self._run, name="commands-from-kafka", daemon=True)

    def lead(self, service: Service) -> None:
        """Take commands from now on."""
        self._service = service
        self._thread.start()

    def close(self) -> None:
        """Answer what was read and end; may be called twice."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join(self._service.limits.drain_seconds)

    @property
    def _is_over(self) -> bool:
        return self._closing.is_set() or self._service.stop.is_set

    def _run(self) -> None:
        while not self._is_over:
            try:
                self._require_right()
                self._serve()
            except (FencedError, InputError) as error:
                self._service.stop(error)
            except Exception as error:  # noqa: BLE001 - brokers come back; other doors stay open
                self._report_reading(str(error) or repr(error))
                self._closing.wait(RETRY_SECONDS)

    def _require_right(self) -> None:
        """Refuse to come back after another writer has answered from this topic."""
        if self._has_written and owner_of(self._settings) not in {None, self._mark}:
            raise FencedError(
                f"another writer answers the commands of topic {self.topic}: this one has stopped"
            )

    def _serve(self) -> None:
        answering = Answering(self._settings, self._mark)
        self._has_written = True
        try:
            chain = self._service.ledger.chain
            with closing(Reading(self._settings, chain, self._report_expired)) as reading:
                self._report_reading(None)
                self._go_between(reading, answering)
        except BaseException:
            answering.abandon()
            raise
        answering.close()

    def _go_between(self, reading: Reading, answering: Answering) -> None:
        """Decide the next commands while those before are being answered."""
        begun: _Begun = []
        self._after = None
        while begun or not self._is_over:
            records = [] if self._is_over else reading.poll(0 if begun else POLL_MS)
            later = self._begin(records)
            if begun and not self._answer(begun, reading, answering):
                reading.rewind()
                later, self._after = [], None
                self._closing.wait(RETRY_SECONDS)
            begun = later

    def _begin(self, records: Sequence[ConsumerRecord]) -> _Begun:
        """Send commands on to the ledger, each behind the one before."""
        begun: _Begun = []
        client = self._client() if records else ANYONE
        for record in records:
            headers = {name.encode(): value or b"" for name, value in record.headers}
            within = self._service.tracing.continued(headers)
            way = _Way(self._service, client, within, self._after)
            line = _begun(way, record)
            if not isinstance(line.answer, dict):
                self._after = line.answer
            begun.append((record, way, line))
        return begun

    def _client(self) -> Client:
        """Find the client of the commands now; a client taken off the list may send nothing."""
        try:
            return self._service.door.admit_topic(self.topic)
        except RejectedClientError:
            return Client(self.topic, frozenset())

    def _answer(self, begun: _Begun, reading: Reading, answering: Answering) -> bool:
        """Answer commands up to the first that could not be stored; return whether that was all."""
        outgoing: list[Outgoing] = []
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
        """Tell, once, that the brokers can't be used, and that they can be again."""
        is_away, self._is_away = self._is_away, why is not None
        self._service.metrics.topic_reading.labels(self.topic).set(not self._is_away)
        if self._is_away and not is_away:
            self._tell("commands_away", topic=self.topic, text=why)
        elif is_away and not self._is_away:
            self._tell("commands_back", topic=self.topic)

    def _report_expired(self, partition: int, first: int, stop: int) -> None:
        text = f"offsets {first} to {stop - 1} of partition {partition}"
        self._tell("commands_expired", topic=self.topic, text=text)


class _Way(CommandIntake):
    """The way in of commands that have to say who they are, because they may come twice."""

    def submit(self, command: Command) -> Future[Receipt]:
        """Send a command on.

        Raises:
            InputError: it has no ``command_id``.
            AuthorizationError: no role of the client may send it.

        """
        if command.command_id is None:
            raise InputError(
                f"{name_of(command)} came over Kafka without command_id, by which it is decided "
                "once: give it one and send it again"
            )
        return super().submit(command)


def _begun(way: CommandIntake, record: ConsumerRecord) -> Line:
    """Put a command into the ledger's queue; what is wrong with it is the answer."""
    size = len(record.key or b"")
    if size > KEY_BYTES_MAX:
        error = InputError(f"the key of the record has {size} bytes, {KEY_BYTES_MAX} at most")
        return Line(record.offset, error_answer(error), perf_counter())
    text = record.value or b""
    return way.begin(record.offset, text if len(text) <= LINE_BYTES_MAX else None)


def _outgoing(record: ConsumerRecord, answer: dict[str, Any]) -> list[Outgoing]:
    """Return the records that answer one: its answer, and the dead letter if it is one."""
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
    found = [Outgoing(receipts_of(record.topic), record.partition, key, text, headers)]
    if kind == MEDIA_TYPE:
        value = None if len(value or b"") > LINE_BYTES_MAX else value
        headers = [("problem", text), *place]
        found.append(Outgoing(dead_letters_of(record.topic), record.partition, key, value, headers))
    return found
