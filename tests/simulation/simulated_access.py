"""The access service as a part of a seed: readers ask it, and it dies between any two steps.

What runs is the product: the application with its guard and routes, questions to the log, and the
chain of accesses with its keys. Replaced are threads, the event loop, connections, and the disk
below the chain of accesses. Questions that need tables are not asked. Judged is each answer when
its first byte is sent: a record of it is on the disk, synced, and what it shows is in the history.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import tempfile
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

import anyio.to_thread
import structlog

from ledger.core.clock import DAY, StoppedClock, SystemClock
from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.events import event_types as e
from ledger.events.encoding import decode, hash_of, previous_hash_of
from ledger.log.index.tag_index import message_of
from ledger.log.opening import opening_of
from projections.evidence.page import data_in
from projections.evidence.verify import verify as verify_evidence
from tests.simulation.simulated_disk import Disk
from tests.simulation.simulated_disk_log import (
    FILE,
    DiskLog,
    UnknownOutcomeError,
    record_of,
    records,
)
from tests.simulation.simulated_loop import SimulatedLoop
from tests.simulation.simulated_plan import VIOLATIONS
from tests.simulation.simulated_ports import read_problem
from tests.simulation.simulated_template import put_keys, template
from tests.simulation.simulated_threads import SimulatedCondition, SimulatedEvent
from tests.simulation.simulated_world import SECOND, Process
from tools.access.access_service import AccessService
from tools.access.app import application
from tools.access.chain import TURN_SECONDS, AccessChain
from tools.access.readers import Readers, digest_of
from tools.access.refusals import Refusals
from tools.access.scopes import ROLES
from tools.access.sessions import FailedTokens, Sessions
from tools.access.sources import Sources

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.message import Message
    from ledger.log.port import Log
    from ledger.privacy import KeyStore
    from tests.simulation.simulated_disk import Faults
    from tests.simulation.simulation import Simulation

TOKEN = b"of-the-inspector"
READER = "inspector"
PATIENCE = 40 * SECOND
REFUSED = "of=nothing"
"""What no question has; it is refused before anything is asked, whether that is recorded or not."""
OPENED = e.ChainOpened(
    operator="1", operator_name="O", chain="a", format_version=1, hash_algorithm="SHA-256"
)
ASKERS = ("inspector of records", "inspector of accesses")


class AccessLog(DiskLog):
    """Stops for good after an append of unknown outcome, as the log on SQLite does."""

    def append(self, messages: Any) -> Any:
        """Append; see :class:`ledger.log.sqlite.SqliteLog`."""
        try:
            return super().append(messages)
        except UnknownOutcomeError as error:
            raise AvailabilityError("the outcome of an append is unknown") from error


class SimulatedAccessChain(AccessChain):
    """The product's chain of accesses on a simulated disk; its thread runs when there is need."""

    def __init__(
        self, process: Process, disk: Disk, folder: Path, clock: Any, readers: Readers
    ) -> None:
        self._disk, self._world, self._process = disk, process.world, process
        super().__init__(folder, OPENED, readers.learn, serving=False, clock=clock)
        self._queueing = SimulatedCondition(self._world)  # type: ignore[assignment]
        self._writing = SimulatedCondition(self._world)  # type: ignore[assignment]
        self._current = SimulatedEvent(self._world, self._begin)  # type: ignore[assignment]
        self._current.set()

    def _begin(self) -> None:
        self._process.spawn(self._give_turns_until_current, round(TURN_SECONDS * SECOND))

    def _give_turns_until_current(self) -> None:
        while not self._current.is_set() and self._look():
            self._world.pause(round(TURN_SECONDS * SECOND))

    def _open_log(self) -> Log:
        return AccessLog(self._disk, access_template()[0])

    def end(self) -> None:
        """Close its files, as the system does when a process ends."""
        self.keys.close()
        os.close(self._turn)


class SimulatedSources(Sources):
    """The log alone; there are no tables."""

    def __init__(self, simulation: Simulation) -> None:  # no thread, no tables
        self._simulation, self._kept = simulation, None
        if simulation.plan.medium == "topic":
            self._kept = simulation.open_reader()
        self.prepare = lambda _: None
        self.opening = opening_of(self.log)

    @property
    def log(self) -> Log:  # type: ignore[override]
        """The log of the writer that runs on the same disk, or one of its own."""
        found = self._kept or self._simulation.open_reader()
        if found is None:
            raise AvailabilityError("no process has the log open")
        return found

    @property
    def folder(self) -> Path:
        """Where saved questions would be."""
        return self._simulation.keys.parent

    def keys_at_hand(self) -> AbstractContextManager[KeyStore | None]:
        """Lend no keys."""
        return nullcontext()

    def release_memory(self) -> None:
        """There is no engine."""


class Access:
    """A machine with the service, its operator, and readers."""

    def __init__(self, simulation: Simulation) -> None:
        self.simulation, self.world = simulation, simulation.world
        self.happens = simulation.happens
        self.disk = Disk(self.world, _within_contract(self.happens), "access", 1_000)
        self.disk.on_death = self._die
        self._folder = simulation.keys.parent / "access"
        messages, keys = access_template()
        self._folder.mkdir(mode=0o700)
        put_keys(self._folder / "keys", keys)
        self.disk.put(FILE, record_of([message.body for message in messages]))
        self.process: Process | None = None
        self.loop: SimulatedLoop | None = None
        self._chain: SimulatedAccessChain | None = None
        self._starts = self._offset = 0
        self._accesses: dict[bytes, e.Event] = {}
        self.shown: set[str] = set()
        self._readers = [Asker(name, self) for name in ASKERS]
        Process(self.world, "operator of the access service").spawn(self._operate)

    @property
    def is_done(self) -> bool:
        """Whether each question has an answer."""
        return all(reader.is_done for reader in self._readers)

    def recorded(self) -> dict[str, e.AccessRecorded]:
        """Return what is on the disk, synced: accesses by their purpose."""
        found = {}
        for _, bodies in records(bytes(self.disk.files[FILE].durable)):
            for body in bodies:
                if body not in self._accesses:
                    self._accesses[body] = decode(body).event
                if isinstance(event := self._accesses[body], e.AccessRecorded):
                    found[event.purpose] = event
        return found

    def conclude(self) -> None:
        """Judge the end: accesses of all that was shown are there, in one chain."""
        fail, before = self.simulation.checks.fail, bytes(32)
        for _, bodies in records(bytes(self.disk.files[FILE].durable)):
            for body in bodies:
                if previous_hash_of(body) != before:
                    fail("unrecorded", "the chain of accesses is broken")
                before = hash_of(body)
        if lost := sorted(self.shown - set(self.recorded())):
            fail("unrecorded", f"the records of {lost} are gone")

    # The process

    def _operate(self) -> None:
        world, chance = self.world, self.world.stream("operator of the access service")
        while True:
            if self.process is None:
                self._starts += 1
                process = self.process = Process(world, f"access/{self._starts}")
                process.spawn(lambda process=process: self._open(process))
            elif not world.is_faulty and self.simulation.hosts[0].offset != self._offset:
                self._die()  # a clock that was set right again asks for a new start
            elif self.happens("access service is killed"):
                self._die(chance.random() < 0.3)
            world.pause(chance.randrange(SECOND, 3 * SECOND))

    def _open(self, process: Process) -> None:
        host = self.simulation.hosts[0]
        self._offset = host.offset
        clock = SystemClock(host.wall, lambda: self.world.now * 1000)
        readers = Readers()
        try:
            sources = SimulatedSources(self.simulation)
            self._chain = SimulatedAccessChain(process, self.disk, self._folder, clock, readers)
        except (AvailabilityError, FencedError, IntegrityError) as error:
            if isinstance(error, IntegrityError):
                self.simulation.checks.named(error)
            self.world.log(process.name, f"does not start: {type(error).__name__}")
            self._die()
            return
        parts = (Sessions(clock), FailedTokens(clock), Refusals(self._chain, clock))
        _app().state.service = AccessService(
            sources, self._chain, readers, *parts, cookie="gameledger", clock=clock
        )
        self.loop = SimulatedLoop(self.world, process)

    def _die(self, with_power: bool = False) -> None:  # noqa: FBT002 - as of a host
        if with_power:
            self.disk.crash()
        process, chain = self.process, self._chain
        self.process = self.loop = self._chain = None
        if chain is not None:
            chain.end()
        if process is not None:
            process.kill()

    def close(self) -> None:
        """End at the end of a seed."""
        if self._chain is not None:
            self._chain.end()

    def exchange(self, path: str, query: str, purpose: str, done: Any) -> bool:
        """Send a request, whose status, headers and content come to ``done``, if it is answered."""
        if self.loop is None:
            return False
        self.loop.run(self._request(path, query, purpose, done))
        return True

    async def _request(self, path: str, query: str, purpose: str, done: Any) -> None:
        begun: dict[str, Any] = {}
        content, given = b"", [{"type": "http.request", "body": b"", "more_body": False}]

        async def receive() -> dict[str, Any]:
            if given:
                return given.pop()
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]

        async def send(message: Any) -> None:
            nonlocal content
            if message["type"] == "http.response.start":
                if self.happens("access service dies at an answer"):
                    self.world.call_in(0, self._die)
                    await asyncio.get_running_loop().create_future()
                if message["status"] < 500 and query != REFUSED:
                    self._judge(purpose, message)
                begun.update(message)
            content += message.get("body", b"")
            if message["type"] == "http.response.body" and not message.get("more_body"):
                done(begun["status"], content)

        headers = {"authorization": b"Bearer " + TOKEN, "gameledger-purpose": purpose.encode()}
        scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode()}
        scope |= {"query_string": query.encode(), "root_path": "", "http_version": "1.1"}
        scope |= {"headers": [(name.encode(), value) for name, value in headers.items()]}
        scope |= {"scheme": "http", "server": ("access", 80), "client": ("reader", 1)}
        await _app()(scope, receive, send)

    def _judge(self, purpose: str, started: Any) -> None:
        """Judge that an access is recorded, and that the answer rests on the history."""
        fail, headers = self.simulation.checks.fail, dict(started["headers"])
        found = self.recorded().get(purpose)
        if found is None:
            fail("unrecorded", f"{purpose} was answered before it was recorded")
        assert found is not None
        self.shown.add(purpose)
        place = int(headers.get(b"gameledger-position", found.size))
        head = headers.get(b"gameledger-head", found.head.encode()).decode()
        if (found.size, found.head) != (place, head):
            fail("unrecorded", f"{purpose} rests on {place}, and its record says {found.size}")
        self.simulation.checks.seen(place - 1, bytes.fromhex(head), READER)


class Asker:
    """Asks one question after the other, each until it has its answer."""

    def __init__(self, name: str, access: Access) -> None:
        self.name, self._access, self._world = name, access, access.world
        self._checks = access.simulation.checks
        self._chance = self._world.stream(name)
        self._answer: tuple[int, bytes] | None = None
        self._attempts = 0
        self.is_done = False
        self._part = Process(self._world, name).spawn(self._ask)

    def _ask(self) -> None:
        plan = self._access.simulation.plan
        for number in range(plan.reads):
            self._world.pause(self._chance.randrange(10 * plan.thinking))
            if (self.name, number) not in plan.dropped:
                self._until_answered()
        self.is_done = True

    def _until_answered(self) -> None:
        path, query = self._chance.choice(_questions(self._chance, self._checks.head.size))
        while not self._is_answered(path, query):
            self._world.pause(self._chance.randrange(SECOND, 3 * SECOND))

    def _is_answered(self, path: str, query: str) -> bool:
        self._answer, self._attempts = None, self._attempts + 1
        purpose = f"{self.name} {self._attempts}"

        def done(status: int, content: bytes, attempt: int = self._attempts) -> None:
            if attempt == self._attempts:
                self._answer = status, content
                self._world.signal(self._part)

        if not self._access.exchange(path, query, purpose, done):
            return False
        deadline = self._world.now + PATIENCE
        while self._answer is None and self._world.now < deadline:
            self._world.park(deadline - self._world.now)
        if self._answer is None:
            return False
        status, content = self._answer
        self._world.log(self.name, f"{path}?{query} {status} {len(content)}")
        if status == 200:
            self._compare(path, query, content)
        elif status >= 500:
            if isinstance(error := read_problem(content), IntegrityError):
                self._checks.named(error)
            if not isinstance(error, AvailabilityError | FencedError):
                raise error
            return False
        return True

    def _compare(self, path: str, query: str, content: bytes) -> None:
        """Judge that what was shown is in the history."""
        if path == "/api/log":
            place = int(query.partition("since=")[2].partition("&")[0])
            while content:
                length = int.from_bytes(content[:4], "big")
                self._checks.seen(place, hash_of(content[4 : 4 + length]), self.name)
                place, content = place + 1, content[4 + length :]
            return
        if path.endswith("/evidence"):
            for one in verify_evidence(data_in(content)).events:
                self._checks.seen(one.position, one.hash, self.name)
            return
        answer = json.loads(content)["answer"]
        for one in answer.get("events", [answer]):
            if "hash" in one:
                self._checks.seen(one["position"], bytes.fromhex(one["hash"]), self.name)
            if "message" in one and hash_of(bytes.fromhex(one["message"])).hex() != one["hash"]:
                self._checks.fail("another history", f"message {one['position']} is another")


def _questions(chance: Any, size: int) -> list[tuple[str, str]]:
    """Return some; not every one has an answer."""
    place = chance.randrange(size + 1)
    return [
        ("/api/events", f"after={place}&limit=20"),
        ("/api/events", "type=RoundOpened&limit=5"),
        (f"/api/events/{place}", ""),
        (f"/api/events/{place}/message", ""),
        ("/api/log", f"since={max(size - 40, 0)}&form=raw"),
        ("/api/checkpoints", ""),
        (f"/api/rounds/q{chance.randrange(3)}/evidence", ""),
        ("/api/accesses", "limit=5"),
        ("/api/events", REFUSED),
    ]


def _within_contract(happens: Faults) -> Faults:
    """Leave out what the disk of this machine is not tried with."""
    return lambda kind: kind not in VIOLATIONS and happens(kind)


@cache
def _app() -> Any:
    return application(None)


@cache
def access_template() -> tuple[list[Message], dict[str, bytes]]:
    """Make a chain of accesses with one reader, and the key of the month."""
    clock = StoppedClock(template().begin)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        with AccessChain(folder, OPENED, lambda _: None, serving=False, clock=clock) as chain:
            chain.record(
                e.ReaderAdded(
                    reader=READER,
                    roles=tuple(ROLES),
                    token_digest=digest_of(TOKEN.decode()),
                    certificate="",
                    expires_at=template().begin + 1000 * DAY,
                )
            )
            chain.sealed("")
            messages = [message_of(*one) for one in chain._require_log().read()]
        keys = {path.name: path.read_bytes() for path in (folder / "keys").iterdir()}
    return messages, keys


@contextmanager
def served() -> Iterator[None]:
    """Let threads of the application's pool be parts of its process, and say nothing."""

    async def run_sync(func: Any, *args: Any, **_: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(None, func, *args)

    before = structlog.get_config()
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    try:
        with mock.patch.object(anyio.to_thread, "run_sync", run_sync):
            yield
    finally:
        structlog.configure(**before)
