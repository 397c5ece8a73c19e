"""A provider that sends messages in the worst order, and the product's adapter, which follows them.

What runs is the product: the spool on SQLite, the follower and an adapter. Replaced are the
provider's requests and the connection to the writer, which keeps the order of commands.
"""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from greenlet import GreenletExit, getcurrent

from docs.examples.aurora import Aurora
from docs.examples.aurora_evening import disordered, evening
from ledger.core.clock import StoppedClock
from ledger.core.errors import AvailabilityError, InputError
from ledger.decisions.decider import decode_command, encode_command
from ledger.events.encoding import decode
from ledger.receipts import Receipt
from tests.simulation.simulated_loop import SimulatedAnswer
from tests.simulation.simulated_template import PLAYERS
from tests.simulation.simulated_world import SECOND, Process
from tools.feed.following import Follower
from tools.feed.provider import UnmappedError
from tools.feed.spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from ledger.events.command import Command
    from tests.simulation.simulation import Simulation

TABLE = "AUR-2"
SYNCED_WITH_EACH_CHANGE = 2
"""The level FULL of SQLite's ``synchronous``: a commit is synced."""
ATTEMPTS = 3
ATTEMPT = 20 * SECOND


class _Sent(NamedTuple):
    command: Command
    answer: SimulatedAnswer


class Connection:
    """Sends commands in their order until they are answered; see ``tools.service.client``."""

    broken = None

    def __init__(self, feed: Feed, process: Process) -> None:
        self._feed, self._process = feed, process
        self._waiting: list[_Sent] = []

    def submit(self, command: Command) -> SimulatedAnswer:
        """Queue a command; what is queued at one moment is sent together."""
        command = decode_command(encode_command(command))
        answer = SimulatedAnswer()
        if not self._waiting:
            self._process.spawn(self._send)
        self._waiting.append(_Sent(command, answer))
        return answer

    def _send(self) -> None:
        sent, self._waiting = self._waiting, []
        world, network = self._feed.world, self._feed.network
        for _ in range(ATTEMPTS):
            left = [each for each in sent if not each.answer.done()]
            if not left:
                return

            def back(number: int, answer: Any, left: list[_Sent] = left) -> None:
                future = left[number].answer
                if isinstance(answer, Receipt) and not future.done():
                    future.set_result(answer)
                elif isinstance(answer, InputError) and not future.done():
                    future.set_exception(answer)

            network.send([each.command for each in left], back)
            deadline = world.now + ATTEMPT
            while world.now < deadline and not all(each.answer.done() for each in left):
                world.pause(SECOND // 2)
        for each in sent:
            if not each.answer.done():
                each.answer.set_exception(AvailabilityError("no writer answers: repeat"))


class SimulatedSpool(Spool):
    """The product's spool; a loss of power takes what it did not sync with each change."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._transaction = self._file.transaction
        self._file.transaction = self._synced  # type: ignore[method-assign]

    @contextmanager
    def _synced(self) -> Iterator[Any]:
        process = getattr(getcurrent(), "process", None)
        if process is not None and process.is_dead:
            raise GreenletExit  # it is at the end of a block that a killed process never reaches
        with self._transaction() as file:
            yield file
        ((level,),) = self._file.rows("PRAGMA synchronous")
        if level >= SYNCED_WITH_EACH_CHANGE:
            self.sync()

    def sync(self) -> None:
        """Bring the files to the platter, which is a folder of its own."""
        path = self._file._path
        shutil.rmtree(platter_of(path), ignore_errors=True)
        platter_of(path).mkdir()
        for file in files_of(path):
            shutil.copy(file, platter_of(path))


def files_of(path: Path) -> list[Path]:
    """Return the files of a spool that last."""
    return [path, *path.parent.glob(f"{path.name}-wal")]


def platter_of(path: Path) -> Path:
    """Return the folder with what was synced."""
    return path.with_suffix(".platter")


class Feed:
    """A provider, and the process that takes its messages and follows them."""

    name = "feed"

    def __init__(self, simulation: Simulation) -> None:
        self.world, self.network = simulation.world, simulation.network
        self._simulation, self._happens = simulation, simulation.happens
        self._chance = self.world.stream("feed")
        self.provider = Aurora("aurora", {TABLE: "r2"})
        self._path = simulation.keys.parent / "feed.sqlite"
        spool = SimulatedSpool(self._path)
        spool.sync()
        spool.close()
        self._spool: Spool | None = None
        at = datetime.fromtimestamp(simulation.begin.begin / SECOND, UTC) - timedelta(minutes=2)
        rounds = simulation.plan.feed
        tables = evening(
            seed=simulation.plan.seed,
            tables={TABLE: PLAYERS[: self._chance.randrange(1, 3)]},
            rounds=rounds,
            at=at,
            faults=True,
        )
        share = self._chance.choice((0.0, 0.3))
        self.messages = disordered(tables, self._chance, share=share)
        self._is_sent = False
        self.starts = 0
        self.process: Process | None = None
        Process(self.world, "provider").spawn(self._provide)
        Process(self.world, "operator of the feed").spawn(self._operate)

    @property
    def is_done(self) -> bool:
        """Whether each message was sent, and followed or told to the ledger."""
        return self._is_sent and not self._rows("state IN ('waiting', 'aside')")

    def conclude(self, messages: list[tuple[int, bytes]]) -> None:
        """Judge the end: each message is in the chain, or told to be none, once."""
        fail = self._simulation.checks.fail
        recorded = [decode(body) for _, body in messages]
        found = {each.envelope.command_id for each in recorded}
        told = [
            (each.event.message, each.event.reason, each.event.number)
            for each in recorded
            if each.event.type == "FeedMessageUnmapped"
        ]
        if len(told) != len(set(told)):
            fail("feed", f"something is told twice: {told}")
        aside = {row[:3] for row in self._rows("state = 'told'", "message, reason, number")}
        if aside != set(told):
            fail("feed", f"the spool told {sorted(aside)}, the chain has {sorted(told)}")
        bodies = {each.identifier: each.body for each in self.messages}
        if lost := set(bodies) - {name for (name,) in self._rows("1", "message")}:
            fail("feed", f"{sorted(lost)} were acknowledged, and the spool does not know them")
        follower = self._follower()
        for name, reason, _ in told:
            if reason == "late" and follower._identifier(name, 0).bytes in found:
                fail("feed", f"{name} was followed, and counts as late")
        for (name,) in self._rows("state = 'followed'", "message"):
            is_there = follower._identifier(name, 0).bytes in found
            if self.provider.commands(bodies[name], ()) and not is_there:
                fail("feed", f"{name} counts as followed, and is not in the chain")

    def kill(self) -> None:
        """End the process of the feed."""
        if self._spool is not None:
            self._spool.close()
        self._spool = None
        if self.process is not None:
            self.process.kill()

    def lose_power(self) -> None:
        """End everything; what the spool has not synced is gone."""
        self.kill()
        for file in files_of(self._path):
            file.unlink()
        for file in platter_of(self._path).iterdir():
            shutil.copy(file, self._path.parent)

    def _follower(self, ledger: Any = None) -> Follower:
        clock = StoppedClock(self._now())
        self._spool = SimulatedSpool(self._path)
        return Follower(self._spool, self.provider, ledger, clock)

    def _now(self) -> int:
        return self._simulation.begin.begin + self.world.now

    def _rows(self, condition: str, columns: str = "1") -> list[tuple[Any, ...]]:
        spool = Spool(self._path)
        rows = spool._file.rows(f"SELECT {columns} FROM messages WHERE {condition}")  # noqa: S608 - ours
        spool.close()
        return rows

    def _operate(self) -> None:
        """Start what has ended, and end it now and then."""
        while True:
            if self.process is None or self.process.is_dead:
                self.starts += 1
                self.process = process = Process(self.world, f"feed/{self.starts}")
                process.spawn(lambda process=process: self._follow(process))
            self.world.pause(self._chance.randrange(SECOND, 5 * SECOND))
            if self._happens("feed is killed"):
                self.kill()
            if self._happens("power fails under the spool"):
                self.lose_power()

    def _follow(self, process: Process) -> None:
        follower = self._follower(Connection(self, process))
        while True:
            follower._clock.moment = self._now()  # type: ignore[attr-defined]
            try:
                while follower.step():
                    pass
            except AvailabilityError as error:
                self.world.log(process.name, str(error)[:60])
            self.world.pause(SECOND)

    def _provide(self) -> None:
        """Send each message until it is acknowledged."""
        for message in self.messages:
            self.world.pause(self._chance.randrange(SECOND // 4))
            while not self._put(message.identifier, message.body):
                self.world.pause(self._chance.randrange(SECOND, 3 * SECOND))
        self._is_sent = True

    def _put(self, identifier: str, body: bytes) -> bool:
        """Take a message as the port does; return whether that was acknowledged."""
        if self.process is None or self.process.is_dead or self._happens("message is lost"):
            return False
        try:
            place, why = self.provider.place(body), ""
        except UnmappedError as error:
            place, why = None, str(error)
        spool = SimulatedSpool(self._path)
        spool.put(identifier, body, place, why, self._now())
        spool.close()
        return not self._happens("acknowledgement is lost")
