"""One seed: the whole system as steps, faults by chance, and every invariant after every step."""

from __future__ import annotations

import time
import traceback
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NamedTuple

from gameledger_client import _writer

from ledger import batch_decider, writer
from ledger.core.errors import IntegrityError, LedgerError
from ledger.events.encoding import decode_envelope
from ledger.log.index.tag_index import message_of
from ledger.log.port import Query, events_at
from ledger.privacy import KeyStore, open_fields
from ledger.receipts import ReceiptFuture
from ledger.state.ledger_state import LedgerState
from ledger.verification.verify import verify
from tests.simulation.simulated_broker import Broker
from tests.simulation.simulated_checks import Checks, NamedError, ViolationError
from tests.simulation.simulated_clients import Network, Notary, Office, Player, Studio
from tests.simulation.simulated_disk import Disk
from tests.simulation.simulated_disk_log import FILE, DiskLog
from tests.simulation.simulated_feed import Feed
from tests.simulation.simulated_host import Host
from tests.simulation.simulated_lease import LeaseCheck, leased
from tests.simulation.simulated_library import VirtualTime
from tests.simulation.simulated_loop import SimulatedAnswer
from tests.simulation.simulated_mirror import SimulatedMirror
from tests.simulation.simulated_plan import Chosen, Plan
from tests.simulation.simulated_ports import CommandPorts, SimulatedCommands
from tests.simulation.simulated_readers import Reader
from tests.simulation.simulated_sqlite_log import SimulatedSqliteLog, require_index
from tests.simulation.simulated_template import folder, template
from tests.simulation.simulated_topic_log import SimulatedTopicLog
from tests.simulation.simulated_witness import SimulatedWitness
from tests.simulation.simulated_world import SECOND, Process, StepsExhaustedError, World

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from ledger.core.message import Head, Message
    from ledger.log.port import Log
    from projections.store.tables import Store
    from tests.simulation.simulated_access import Access
    from tests.simulation.simulated_plan import Dropped
    from tests.simulation.simulated_projection import Projection

TROUBLE = 120 * SECOND
"""Faults end after so much time."""
RECOVERY = 600 * SECOND
"""By then, after the last fault, every client has its answer and a writer leads."""
VERIFIED_SEEDS = 10
"""One in so many seeds ends with the product's whole verification."""


class Result(NamedTuple):
    """What a seed came to; ``failure`` is empty if everything held."""

    plan: Plan
    failure: str
    text: str
    is_named: bool
    steps: int
    seconds: float
    faults: Counter[str]
    receipts: int
    digest: str
    trace: list[str]


class Simulation:
    """The parts of a seed, put together."""

    def __init__(self, plan: Plan, directory: Path, store: Store | None = None) -> None:
        self.plan = plan
        self.world = world = World(plan.seed)
        self.happens = Chosen(world, plan)
        self.checks = Checks(world)
        self.begin = template()
        self.keys = directory / "keys"
        self.begin.write_keys(self.keys)
        names = ("one", "two") if plan.medium == "topic" else ("one",)
        self.hosts = [
            Host(world, Disk(world, self.happens, name, plan.latency), self.begin.begin)
            for name in names
        ]
        self.broker = Broker(world, self.happens)
        self.broker.is_split = plan.chunks
        if plan.medium == "disk":
            self.hosts[0].disk.put(FILE, self.begin.record)
        elif plan.medium == "topic":
            self.broker.put([message.body for message in self.begin.messages])
        self._offset = len(self.broker.entries)
        self._looked_at, self._is_fed = 0, not plan.feed
        self.checks.media = [self.broker, *(host.disk for host in self.hosts)]
        for host in self.hosts:
            host.disk.on_noted = partial(self._acknowledge, host)
            host.on_destroyed = self.checks.destroyed
            host.on_started = self._require_destroyed
            if plan.doors != ("ledger",):
                host.open_doors = partial(self._open_doors, host)
        self.network = Network(world, self.happens, self.hosts)
        self.network.doors, self.network.has_library = plan.doors, plan.has_library
        self.network.topic = SimulatedCommands(self.broker, self.checks)
        self.network.size_of_truth = lambda: self.checks.head.size
        self.network.on_stale = partial(self.checks.report, "stale")
        context = (plan, world, self.network, self.checks)
        studio = Studio("studio", *context)
        players = [Player(f"player{n}", studio, *context) for n in range(plan.clients)]
        self.clients = [studio, Office("office", *context), *players]
        if plan.reads or plan.has_mirror:
            self.clients.append(Notary(self, *context))
        self.feed = Feed(self) if plan.feed else None
        self.access = _access(self) if plan.reads else None
        self.lease = LeaseCheck(self) if plan.has_lease else None
        self.projection = None if store is None else _projection(self, store)
        self.reader = Reader(self)
        self.witness = SimulatedWitness(self)
        self.mirror = SimulatedMirror(self) if plan.has_mirror else None
        world.after_step.append(self.look)
        Process(world, "operator").spawn(self._operate)
        Process(world, "chaos").spawn(self._trouble)

    def open_log(self, host: Host) -> Log:
        """Open the log as the writer of a host."""
        log: Log
        since = self.checks.head
        if self.plan.medium == "disk":
            log = DiskLog(host.disk, self.begin.messages)
        elif self.plan.medium == "sqlite":
            log = SimulatedSqliteLog(self.keys.parent / "log", host.disk)
        else:
            log = SimulatedTopicLog(self.broker, host.disk, self.begin.messages)
        messages = list(log.read())
        self.checks.leads(host.name, messages, is_reliable=not host.disk.is_violated)
        self.checks.compare(messages, since)
        return self._watched(log, host)

    def _watched(self, log: Log, host: Host) -> Log:
        """Let the checks learn what a writer appends, and what it acknowledges."""
        assert host.process is not None
        append, writer = log.append, host.process.name

        def watched(messages: Sequence[Message]) -> Head:
            self.checks.appending(writer, messages)
            places = f"{messages[0].position} to {messages[-1].position}"
            try:
                head = append(messages)
            except Exception as error:
                self.world.log(writer, f"does not append {places}: {type(error).__name__}")
                raise
            self.world.log(writer, f"appended {places}")
            self._acknowledge(host, head)
            return head

        log.append = watched  # type: ignore[method-assign]
        return log

    def _acknowledge(self, host: Host, head: Head) -> None:
        self.checks.acknowledged(host.name, head, is_reliable=not host.disk.is_violated)

    def open_reader(self) -> Log | None:
        """Open the log to read; None while nothing serves it."""
        if self.plan.medium == "topic":
            return SimulatedTopicLog(self.broker, begin=self.begin.messages)
        return self.hosts[0].log

    def _open_doors(self, host: Host, process: Process) -> CommandPorts:
        assert self.network.topic is not None
        return CommandPorts(host, process, self.network.topic)

    def look(self) -> None:
        """Judge what became durable in the last step."""
        checks = self.checks
        if self.plan.medium != "topic":
            log = self.hosts[0].log
            with suppress(LedgerError):  # it is closed, or has stopped
                if log is not None and log.head().size > len(checks.hashes):
                    checks.committed(log.read(len(checks.hashes)))
            return
        stable, entries = self.broker.decided, self.broker.entries
        if self._offset < stable:
            place = count(len(checks.hashes))
            fresh = [
                entry.body
                for entry in entries[self._offset : stable]
                if entry.is_committed and entry.body is not None
            ]
            self._offset = stable
            checks.committed(zip(place, fresh, strict=False))

    def run(self) -> None:
        """Run to the end.

        Raises:
            ViolationError: something does not hold.
            NamedError: the system noticed damage, and stopped.

        """
        world = self.world
        world.run(until=TROUBLE, is_over=self._is_over)
        world.is_faulty = False
        world.log("world", "faults end")
        world.run(until=world.now + RECOVERY, is_over=self._is_over)
        if not self._is_over():
            waiting = [client.name for client in self.clients if not client.is_done]
            fed = f"{waiting}; feed done {self._is_fed}"
            if self.access is not None:
                fed += f"; readers done {self.access.is_done}"
            self.checks.fail("liveness", f"without an answer: {fed}; leader {self.leader}")
        self._conclude()

    @property
    def leader(self) -> Host | None:
        """The host whose writer works."""
        leading = [host for host in self.hosts if host.is_leading]
        return max(leading, key=lambda host: host.started_at, default=None)

    def _is_over(self) -> bool:
        if self.feed is not None and self.world.now >= self._looked_at:
            self._looked_at = self.world.now + SECOND
            self._is_fed = self.feed.is_done
        is_done = all(client.is_done for client in self.clients) and self._is_fed
        others = [part for part in (self.access, self.lease) if part is not None]
        is_done = is_done and all(part.is_done for part in others)
        return is_done and self.leader is not None

    def _conclude(self) -> None:
        leader = self.leader
        assert leader is not None
        assert leader.ledger is not None
        assert leader.log is not None
        messages = list(leader.log.read())
        self.checks.compare(messages)
        owners = {
            envelope.command_id: envelope.actor
            for _, body in messages[len(self.begin.messages) :]
            if not (envelope := decode_envelope(body)).decision_index
        }
        hot, keys = leader.ledger._ledger_state, KeyStore(self.keys)
        cold = LedgerState(leader.log, keys)
        wallets = {}
        for name in sorted(hot._accounts):
            if (account := cold.account_or_new(name)) != hot._accounts[name]:
                self.checks.fail("state", f"{name} is not what its events say")
            wallets[name] = account.wallet
        if cold.operator_state != hot.operator_state:
            self.checks.fail("state", "the house is not what its events say")
        self._require_readable(leader.log, keys)
        if isinstance(leader.log, SimulatedSqliteLog):
            require_index(leader.log, [message_of(*each) for each in messages], self.checks)
        keys.close()
        self.checks.conclude(wallets, owners)
        self.reader.conclude(messages)
        if self.feed is not None:
            self.feed.conclude(messages)
        if self.projection is not None:
            self.projection.conclude(messages)
        if self.access is not None:
            self.access.conclude()
        if self.mirror is not None:
            self.mirror.conclude(leader.log)
        if self.plan.seed % VERIFIED_SEEDS == 0:
            verify(messages, since=self.checks.head)

    def _require_destroyed(self, host: Host) -> None:
        """Judge that a writer that has started left no key of an erased person."""
        assert host.ledger is not None
        kept = [
            person
            for person in sorted(host.ledger._ledger_state.operator_state.erased)
            if host.ledger._keys._stored(person) is not None
        ]
        if kept:
            self.checks.fail("key", f"{host.name} leads, and {kept} are erased and readable")

    def _require_readable(self, log: Log, keys: KeyStore) -> None:
        """Judge that nothing was sealed under a lost key, and that the erased can't be read."""
        begin = len(self.begin.messages)
        for recorded in events_at(log, log.find(Query(types=("AccountOpened",)))):
            event = recorded.event
            texts = open_fields(keys, event.person, event).values()
            is_gone = event.person in self.checks.erased and recorded.position < begin
            if is_gone != (None in texts):
                what = "can be read still" if is_gone else "can't be read any more"
                self.checks.fail("key", f"message {recorded.position} {what}")

    # The operator, and what troubles him

    def _operate(self) -> None:
        """Start what has ended; end what can't go on."""
        world, chance = self.world, self.world.stream("operator")
        while True:
            for host in self.hosts:
                if isinstance(host.fault, IntegrityError):
                    self.checks.named(host.fault)
                if host.is_up and host.ledger is not None and host.ledger.broken is not None:
                    if isinstance(host.ledger.broken, IntegrityError):
                        self.checks.named(host.ledger.broken)
                    host.kill()
                if host.doors is not None and host.doors.stop.is_set:
                    host.kill()
            if self.lease is not None:
                self._lead_by_lease(self.lease)
            elif not any(host.is_up for host in self.hosts):
                self.network.leader = chance.randrange(len(self.hosts))
                self.hosts[self.network.leader].start(self.open_log, self.keys)
            elif not self.hosts[self.network.leader].is_up:
                self.network.leader = next(n for n, host in enumerate(self.hosts) if host.is_up)
            for host in self.hosts:
                if not world.is_faulty and (host.offset or (host.is_up and host.offset_at_start)):
                    host.offset = host.offset_at_start = 0  # as the error of the clock asks for
                    host.kill()
            world.pause(chance.randrange(SECOND, 3 * SECOND))

    def _lead_by_lease(self, lease: LeaseCheck) -> None:
        """Start each host that is down, and tell clients which one leads."""
        for number, host in enumerate(self.hosts):
            if not host.is_up:
                host.start(self.open_log, self.keys)
            elif host.is_leading:
                self.network.leader = number
        lease.look()

    def _trouble(self) -> None:
        """Kill, cut off and set clocks, now and then."""
        world, chance, happens = self.world, self.world.stream("chaos"), self.happens
        while world.is_faulty:
            world.pause(chance.randrange(min(5 * SECOND, 50 * self.plan.thinking)))
            host = chance.choice(self.hosts)
            if happens("process is killed"):
                host.kill()
            if happens("power fails"):
                host.lose_power()
            if happens("leader changes"):
                self.broker.fail_over()
                if chance.random() < 0.5:  # what cut a broker off may cut off a writer, too
                    world.call_in(chance.randrange(6 * SECOND), host.die_of_the_network)
                self._offset = min(self._offset, len(self.broker.entries))
            if happens("clean restart"):
                host.close()
            if happens("second writer starts") and not host.is_up and len(self.hosts) > 1:
                host.start(self.open_log, self.keys)
                self.network.leader = self.hosts.index(host)
            if happens("clock is set"):
                host.set_clock(chance.choice((-90, -2, -0.1, 0, 0.1, 2, 90)))


@contextmanager
def batches(decisions_max: int) -> Iterator[None]:
    """Let a batch have at most so many decisions."""
    before = batch_decider.BATCH_DECISIONS_MAX, batch_decider.AHEAD_DECISIONS_MAX
    pause, _writer.PAUSE_SECONDS = _writer.PAUSE_SECONDS, 2.0  # which takes an eighth of the steps
    _writer.time = VirtualTime  # type: ignore[assignment]
    writer.ReceiptFuture = SimulatedAnswer  # type: ignore[misc] # also with a bug in the class below it
    batch_decider.BATCH_DECISIONS_MAX = decisions_max
    batch_decider.AHEAD_DECISIONS_MAX = 4 * decisions_max
    try:
        yield
    finally:
        batch_decider.BATCH_DECISIONS_MAX, batch_decider.AHEAD_DECISIONS_MAX = before
        writer.ReceiptFuture = ReceiptFuture  # type: ignore[misc]
        _writer.time, _writer.PAUSE_SECONDS = time, pause  # type: ignore[assignment]


def _projection(simulation: Simulation, store: Store) -> Projection:
    from tests.simulation.simulated_projection import Projection  # noqa: PLC0415 - few seeds need the engine

    return Projection(simulation, store)


def _access(simulation: Simulation) -> Access:
    from tests.simulation.simulated_access import Access  # noqa: PLC0415 - it loads the whole application

    return Access(simulation)


@contextmanager
def _serving(plan: Plan) -> Iterator[None]:
    """Replace the threads of the access service, if the seed has one."""
    if not plan.reads:
        yield
        return
    from tests.simulation.simulated_access import served  # noqa: PLC0415 - as above

    with served():
        yield


@contextmanager
def _tables(plan: Plan, directory: Path, store: Store | None) -> Iterator[Store | None]:
    """Give new tables, if the seed has the engine and there are none."""
    if store is not None or not plan.has_engine:
        yield store
        return
    from projections.store.tables import Store  # noqa: PLC0415 - few seeds need the engine

    with Store.open(directory / "tables") as opened:
        yield opened


def simulate(plan: Plan, store: Store | None = None) -> Result:
    """Run a seed to its end, or to the first thing that does not hold.

    With a store, which is empty, or with one that the plan asks for, the projector follows with the
    real engine.
    """
    failure = text = ""
    is_named = False
    with (
        folder() as directory,
        batches(plan.batch),
        _serving(plan),
        _tables(plan, directory, store) as tables,
    ):
        simulation = Simulation(plan, directory, tables)
        try:
            with leased(simulation):
                simulation.run()
        except NamedError as error:
            is_named, text = True, str(error)
        except ViolationError as error:
            failure, text = error.name, str(error)
        except StepsExhaustedError as error:
            failure, text = "no rest", str(error)
        except Exception as error:  # noqa: BLE001 - a bug of ours, which a seed has found
            failure, text = f"crashed: {type(error).__name__}", traceback.format_exc()
        finally:
            world = simulation.world
            world.after_step.clear()
            world.close()
            for host in simulation.hosts:
                host.kill()
            if simulation.access is not None:
                simulation.access.close()
            if simulation.mirror is not None:
                simulation.mirror.close()
            if simulation.projection is not None:
                simulation.projection.close()
    return Result(
        plan=plan,
        failure=failure,
        text=text,
        is_named=is_named,
        steps=world.steps,
        seconds=world.now / SECOND,
        faults=simulation.happens.counted,
        receipts=len(simulation.checks.receipts),
        digest=world.digest,
        trace=world.trace,
    )


def simulate_seed(seed: int) -> Result:
    """Run a seed with all that it draws but the engine, which takes seconds."""
    return simulate(replace(Plan.draw(seed), has_engine=False))


def shrunk(plan: Plan, runs_max: int = 200) -> Plan:
    """Drop commands and occasions of faults for as long as the plan fails in the same way.

    A plan with less may come to more: it is not taken then.
    """
    smallest = simulate(plan)
    runs = 0
    candidates = _parts(smallest)
    size = max(1, len(candidates) // 2)
    while runs < runs_max:
        kept = list(candidates)
        for start in range(0, len(candidates), size):
            part = candidates[start : start + size]
            runs += 1
            if runs >= runs_max:
                break
            result = simulate(smallest.plan.without(part))
            is_same = result.failure == smallest.failure
            if is_same and happened(result) <= happened(smallest):
                smallest = result
                kept = [each for each in kept if each not in part]
        candidates = kept
        if size == 1:
            break
        size = max(1, size // 2)
    return smallest.plan


def happened(result: Result) -> int:
    """Count what a seed came to: faults and receipts."""
    return result.faults.total() + result.receipts


def _parts(result: Result) -> list[Dropped]:
    """Return what happened and could be left out."""
    parts: list[Any] = []
    for line in result.trace:
        _, part, words = line.split(" ", 2)
        if part == "fault":
            kind, _, number = words.rpartition(" ")
            parts.append((kind, int(number)))
    plan = result.plan
    names = ["studio", *(f"player{number}" for number in range(plan.clients))]
    commands = [(name, number) for name in names for number in range(plan.length)]
    streams = [(f"{name} stream", number) for name in names for number in range(plan.streams)]
    return [*parts, *commands, *streams]
