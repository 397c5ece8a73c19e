"""The ways on which commands come in besides the ledger itself: HTTP, and a topic of commands.

What runs is the product: its application over HTTP, and its intake from a topic. Replaced are the
connections, the event loop and the brokers of the topic.
"""

from __future__ import annotations

import asyncio
import json
from functools import cache, partial
from http import HTTPStatus
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec
from kafka.errors import InvalidProducerEpochError

from ledger.core.errors import KINDS, AvailabilityError, InputError, LedgerError
from ledger.decisions.decider import encode_command
from ledger.log.standby import LockStandby
from ledger.receipts import Receipt
from tests.simulation.simulated_broker import Client
from tests.simulation.simulated_loop import SimulatedLoop
from tests.simulation.simulated_world import SECOND
from tools.service.authentication import ClientAuthenticator
from tools.service.command_intake import Service
from tools.service.http.app import ENDING, App
from tools.service.kafka.intake import TopicIntake
from tools.service.leader_health import LeaderHealth
from tools.service.limits import Limits
from tools.service.metrics import Metrics
from tools.service.stop import Stop
from tools.service.tracing import Tracing
from tools.web.problems import MEDIA_TYPE, PREFIX

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ledger.events.command import Command
    from tests.simulation.simulated_broker import Broker
    from tests.simulation.simulated_checks import Checks
    from tests.simulation.simulated_host import Host
    from tests.simulation.simulated_world import Process
    from tools.service.kafka.answer_producer import AnswerRecord

    Reply = Callable[[int, Any], None]

TOPIC = "commands"
BODY_SECONDS_MAX = 0.01
RECORDS_MAX = 8
LIMITS = Limits(line_seconds=0.1)
"""A client that stalls is given up while what it sent is being stored."""
NDJSON = (b"content-type", b"application/x-ndjson")


@cache
def _metrics() -> Metrics:
    return Metrics()


class CommandPorts:
    """The doors of one writer; they open when it leads and end with its process."""

    def __init__(self, host: Host, process: Process, topic: SimulatedCommands) -> None:
        assert host.ledger is not None
        self._world = world = host.world
        self._checks = topic.checks
        self._happens, self._chance = host.happens, world.stream(f"doors of {process.name}")
        self.stop, door = Stop(), ClientAuthenticator()
        service = Service(
            host.ledger,
            door,
            LIMITS,
            self.stop,
            lambda *_: None,
            metrics := _metrics(),
            Tracing(),
            LeaderHealth(LockStandby(Path()), self.stop, lambda *_, **__: None, metrics),
        )
        self.app = App(door, LIMITS, lambda _: "")
        self.app.service = service
        self._loop = SimulatedLoop(world, process)
        intake = TopicIntake(
            topic.of(process),
            service,
            lambda *_, **__: None,
            lambda: False,
            lambda seconds: world.pause(round(seconds * SECOND)),
        )
        process.spawn(intake.run)

    def post(self, commands: list[Command], reply: Reply) -> None:
        """Send a request with one command, or with many, whose answers come line by line.

        The identifier of one stands in it, or is that of the request.
        """
        if len(commands) > 1:
            body = b"\n".join(encode_command(command) for command in commands)
            self.exchange([NDJSON], body, lambda *_: None, partial(self._answered, reply))
            return
        (command,) = commands
        headers = [(b"content-type", b"application/json")]
        if self._chance.random() < 0.5:
            headers.append((b"idempotency-key", str(command.command_id).encode()))
            command = msgspec.structs.replace(command, command_id=None)

        def done(status: int, content: bytes) -> None:
            if content:
                reply(0, answer_of(status, content))

        self.exchange(headers, encode_command(command), done)

    @staticmethod
    def _answered(reply: Reply, part: bytes) -> None:
        """Give the answers of a stream to the lines that they name; 0 is for the connection."""
        for text in part.splitlines():
            answer = json.loads(text)
            if "line" not in answer:  # the request is refused as a whole
                reply(0, read_problem(text))
            elif answer["line"] and answer["status"] == "error":
                reply(answer["line"] - 1, KINDS[answer["kind"]](answer["text"]))
            elif answer["line"]:
                reply(answer["line"] - 1, read_answer(text))

    def exchange(
        self,
        headers: list[tuple[bytes, bytes]],
        body: bytes,
        done: Callable[[int, bytes], None],
        heard: Callable[[bytes], None] = lambda _: None,
    ) -> None:
        """Send a request in parts; its status and content come to ``done``, parts to ``heard``."""
        cuts = sorted(self._chance.randrange(len(body)) for _ in range(1 + body.count(b"\n")))
        parts = [body[at:to] for at, to in pairwise([0, *cuts, len(body)])]
        self._loop.run(self._request(headers, parts, done, heard))

    async def _request(
        self,
        headers: list[tuple[bytes, bytes]],
        parts: list[bytes],
        done: Callable[[int, bytes], None],
        heard: Callable[[bytes], None],
    ) -> None:
        status, content, sent, is_cut = 0, b"", b"", False

        async def receive() -> dict[str, Any]:
            nonlocal is_cut, sent
            if sent and self._happens("client stalls"):
                await asyncio.get_running_loop().create_future()
            await asyncio.sleep(self._chance.random() * BODY_SECONDS_MAX)
            if not parts or (len(parts) == 1 and self._happens("connection is cut")):
                is_cut = True
                return {"type": "http.disconnect"}
            sent += (part := parts.pop(0))
            return {"type": "http.request", "body": part, "more_body": bool(parts)}

        async def send(message: Any) -> None:
            nonlocal status, content
            status = message.get("status", status)
            content += message.get("body", b"")
            if not is_cut:
                heard(message.get("body", b""))

        path = "/v1/commands"
        scope = {"type": "http", "method": "POST", "path": path, "raw_path": path.encode()}
        scope |= {"query_string": b"", "root_path": "", "headers": headers, "http_version": "1.1"}
        scope |= {ENDING: asyncio.Event(), "close": lambda: None}
        await self.app.asgi(scope, receive, send)
        if not is_cut and not self.stop.is_set and status == HTTPStatus.OK and NDJSON in headers:
            self._require_answers(sent, content)
        done(status, content)

    def _require_answers(self, sent: bytes, content: bytes) -> None:
        """Judge that each line that arrived whole is answered, whatever ended the request."""
        answered = {json.loads(text)["line"] for text in content.splitlines()}
        if missing := set(range(1, sent.count(b"\n") + 1)) - answered:
            self._checks.report("answers", f"lines {sorted(missing)} of a stream have none")


def answer_of(status: int, content: bytes) -> Receipt | LedgerError:
    """Read the answer to one command."""
    return read_answer(content) if status in {200, 201} else read_problem(content)


def read_answer(content: bytes | None) -> Receipt:
    """Read a receipt from JSON."""
    return msgspec.convert(json.loads(content or b""), Receipt)


def read_problem(content: bytes | None) -> LedgerError:
    """Read an error from a problem document."""
    problem = json.loads(content or b"")
    if problem["status"] == HTTPStatus.REQUEST_TIMEOUT:
        return AvailabilityError(problem["detail"])
    kind = problem["type"].removeprefix(PREFIX)
    return KINDS.get(kind, LedgerError)(problem["detail"])


class Record(NamedTuple):
    """A command in the topic."""

    offset: int
    value: bytes
    topic: str = TOPIC
    partition: int = 0
    key: bytes | None = None
    headers: tuple[Any, ...] = ()


class SimulatedCommands:
    """A topic of commands with one partition, its answers and the right to write them."""

    def __init__(self, broker: Broker, checks: Checks) -> None:
        self.broker, self.checks = broker, checks
        self.records: list[Record] = []
        self.committed = self.epoch = 0
        self._owner = ""
        self._applied: set[tuple[int, int]] = set()
        self._replies: dict[int, tuple[int, Reply]] = {}

    def put(self, number: int, command: Command, reply: Reply) -> None:
        """Append a command; its answer is given to who sent it."""
        offset = len(self.records)
        self.records.append(Record(offset, encode_command(command)))
        self._replies[offset] = (number, reply)

    def of(self, process: Process) -> _Topic:
        """Return the topic as a process sees it."""
        return _Topic(self, process.name)

    def init(self, owner: str) -> int:
        """Fence the writer that answered before."""
        self.epoch += 1
        self._owner = owner
        return self.epoch

    def owner(self) -> str:
        """Return who took the right to answer last."""
        return self._owner

    def apply(self, epoch: int, number: int, outgoing: Sequence[AnswerRecord], offset: int) -> None:
        """Write answers, and up to where commands are answered; the same again has no effect."""
        if epoch != self.epoch:
            raise InvalidProducerEpochError
        if (epoch, number) in self._applied:
            return
        self._applied.add((epoch, number))
        answers = [one for one in outgoing if one.topic.endswith("receipts")]
        places = [int(dict(one.headers)["command-offset"]) for one in answers]
        if places != list(range(self.committed, offset)):
            text = f"answers to {places} where {self.committed} to {offset - 1} are due"
            self.checks.report("answers", text)
        self.committed = offset
        for place, one in zip(places, answers, strict=True):
            is_problem = dict(one.headers)["content-type"] == MEDIA_TYPE.encode()
            answer = read_problem(one.value) if is_problem else read_answer(one.value)
            if not isinstance(answer, Receipt | InputError):
                text = f"command {place} has {answer!r} for good, and is not read again"
                self.checks.report("answers", text)
            sent, reply = self._replies[place]
            reply(sent, answer)


class _Topic:
    """See ``tools.service.kafka.intake.CommandTopic``."""

    name = TOPIC

    def __init__(self, topic: SimulatedCommands, process: str) -> None:
        self._topic, self._process = topic, process
        self._client = Client(topic.broker)

    def is_ours(self) -> bool:
        """Return whether this process took the right to answer last."""
        return bool(self._client.ask(self._topic.owner) == self._process)

    def answering(self) -> _Answering:
        """Take the right to answer."""
        epoch = self._client.ask(lambda: self._topic.init(self._process))
        return _Answering(self._topic, self._client, epoch)

    def reading(self, _chain: str, _expired: Any) -> _Reading:
        """Read from where the answers end."""
        return _Reading(self._topic, self._client)


class _Answering:
    def __init__(self, topic: SimulatedCommands, client: Client, epoch: int) -> None:
        self._topic, self._client, self._epoch = topic, client, epoch
        self._number = 0

    def commit_answers(self, records: Sequence[AnswerRecord], offsets: Mapping[Any, int]) -> None:
        (offset,) = offsets.values()
        self._number += 1
        number, epoch = self._number, self._epoch
        self._client.ask(lambda: self._topic.apply(epoch, number, records, offset))

    def abandon(self) -> None:
        """Send nothing more."""

    def close(self) -> None:
        """Send nothing more."""


class _Reading:
    def __init__(self, topic: SimulatedCommands, client: Client) -> None:
        self._topic, self._client = topic, client
        self._next = self._read = client.ask(lambda: topic.committed)

    def poll(self, timeout_ms: int) -> Any:
        topic = self._topic
        if len(topic.records) <= self._read:
            topic.broker.world.pause(timeout_ms * 1000)
        if len(topic.records) <= self._read:
            return []
        found = self._client.ask(lambda: topic.records[self._read : self._read + RECORDS_MAX])
        self._read += len(found)
        return found

    def answered(self, offsets: Mapping[Any, int]) -> None:
        (self._next,) = offsets.values()

    def behind(self, record: Record) -> tuple[str, int]:
        return TOPIC, record.offset + 1

    def rewind(self) -> None:
        self._read = self._next

    @property
    def waiting(self) -> int:
        return len(self._topic.records) - self._next

    def close(self) -> None:
        """Disconnect."""
