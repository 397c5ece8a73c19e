"""The lease of a topic: the product's standby on two hosts, and a simulated group of consumers.

What runs is the product: ``ledger/log/kafka/standby.py`` with its lease and its follower. Replaced
are its thread, its locks, the consumer, the index on SQLite and the broker that coordinates the
group: it takes a member for dead that it has not heard of, and gives the partition to another one
once all that live have joined again. A poll that ends within a join may lose it, as that of
kafka-python does.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest import mock

from greenlet import getcurrent
from kafka.structs import MemberState, TopicPartition

from ledger.log.kafka import standby
from ledger.log.kafka.standby import KafkaStandby, _Follower
from tests.simulation.simulated_broker import Client
from tests.simulation.simulated_threads import (
    SimulatedCondition,
    SimulatedEvent,
    SimulatedThread,
)
from tests.simulation.simulated_topic_log import SETTINGS, NoLock, SimulatedNote, SimulatedTopicLog
from tests.simulation.simulated_world import SECOND

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.simulation.simulated_broker import Broker
    from tests.simulation.simulated_host import Host
    from tests.simulation.simulated_world import Process, World
    from tests.simulation.simulation import Simulation

LEASE_SECONDS = 10.0
POLL_MS = 1_000
LOST_JOINS = 0.3
LEAD = 90 * SECOND
"""So long after the last fault a writer leads, and no other one does."""
LOOK = 10 * SECOND
"""So long it is looked at."""


class Group:
    """The coordinator's side: members, and which one has the partition."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._heard: dict[str, int] = {}
        self._joined: set[str] | None = None
        self._until = 0
        self.owner = ""
        self.generation = 0

    def join(self, member: str) -> None:
        """Join, or join again; all others have to."""
        self._expire()
        self._heard[member] = self._world.now
        self._rebalance().add(member)
        self._complete()

    def result(self, member: str) -> tuple[int, bool] | None:
        """Return generation and whether the member has the partition; None if it is not known."""
        self._expire()
        if self._joined is not None or member not in self._heard:
            return None
        return self.generation, self.owner == member

    def heartbeat(self, member: str, generation: int) -> str:
        """Return the state of the group for a member."""
        self._expire()
        if member not in self._heard:
            return MemberState.UNJOINED
        self._heard[member] = self._world.now
        is_current = self._joined is None and generation == self.generation
        return MemberState.STABLE if is_current else MemberState.REBALANCING

    def leave(self, member: str) -> None:
        """Leave in order."""
        if self._heard.pop(member, None) is not None:
            self._rebalance().discard(member)
            self._complete()

    def _expire(self) -> None:
        now, lease = self._world.now, round(LEASE_SECONDS * SECOND)
        for member in [one for one, heard in self._heard.items() if now - heard > lease]:
            self.leave(member)
        if self._joined is not None and now > self._until:
            for member in [one for one in self._heard if one not in self._joined]:
                self.leave(member)

    def _rebalance(self) -> set[str]:
        if self._joined is None:
            self._joined, self._until = set(), self._world.now + round(3 * LEASE_SECONDS * SECOND)
        return self._joined

    def _complete(self) -> None:
        if self._joined is None or not self._joined >= self._heard.keys():
            return
        self._joined = None
        self.generation += 1
        if self.owner not in self._heard:
            self.owner = next(iter(self._heard), "")


class SimulatedConsumer:
    """A member of the group, as far as the lease uses a consumer."""

    def __init__(self, group: Group, broker: Broker) -> None:
        self._group, self._world = group, broker.world
        self._process: Process = getcurrent().process
        self._client = Client(broker)
        self._chance = self._world.stream(f"consumer of {self._process.name}")
        self._joins = self._generation = self._heard = 0
        self._member = ""
        self._is_asked = self._is_lost = False
        self._state = MemberState.UNJOINED
        self._coordinator = self

    def subscribe(self, _: list[str], *, listener: Any) -> None:
        """Register the listener of assignments."""
        self._listener = listener

    def poll(self, *, timeout_ms: int) -> None:
        """Keep the membership alive; join as far as this poll gets."""
        self._world.pause(timeout_ms * 1000)
        if self._state is MemberState.STABLE or self._is_lost:
            self._beat()
            return
        if not self._is_asked:
            if self._state is MemberState.UNJOINED:
                self._joins += 1
                self._member = f"{self._process.name} {self._joins}"
            self._state = MemberState.REBALANCING
            self._client.ask(partial(self._group.join, self._member))
            self._is_asked = True
        found = self._client.ask(partial(self._group.result, self._member))
        if found is None:
            self._is_lost = self._chance.random() < LOST_JOINS
            self._beat()
            return
        self._generation, has_partition = found
        self._state, self._is_asked = MemberState.STABLE, False
        given = {TopicPartition("chain", 0)} if has_partition else set()
        self._listener.on_partitions_assigned(given)

    def _beat(self) -> None:
        if self._world.now - self._heard < LEASE_SECONDS * SECOND / 4:
            return
        ask = partial(self._group.heartbeat, self._member, self._generation)
        state = self._client.ask(ask)
        self._heard = self._world.now
        if state is MemberState.UNJOINED:
            self._state, self._is_asked, self._is_lost = state, False, False
        elif self._state is MemberState.STABLE and state is MemberState.REBALANCING:
            self._state = state
            self._listener.on_partitions_revoked({("chain", 0)})

    def request_rejoin(self) -> None:
        """Join again if the join is not under way any more."""
        if self._is_lost:
            self._is_asked = self._is_lost = False

    def pause(self, *_: Any) -> None:
        """Read nothing."""

    def group_metadata(self) -> _Metadata:
        """Return the state of the membership."""
        return _Metadata(self._state)

    def close(self, **_: Any) -> None:
        """Leave the group, unless the process was killed."""
        if not self._process.is_dead:
            self._group.leave(self._member)


class _Metadata(NamedTuple):
    state: str


class SimulatedFollower(_Follower):
    """Follows and notes as the product; its index is in memory."""

    def __init__(self, broker: Broker, host: Host) -> None:  # no folder of its own
        self._log = SimulatedTopicLog(broker)
        self._note = SimulatedNote(host.disk)
        self._index = self._tree = mock.Mock()
        self._lock = NoLock()  # type: ignore[assignment]


@contextmanager
def leased(simulation: Simulation) -> Iterator[None]:
    """Let the hosts of a seed lead by a lease."""
    if not simulation.plan.has_lease:
        yield
        return
    group, broker = Group(simulation.world), simulation.broker
    hosts = {host.name: host for host in simulation.hosts}
    for host in simulation.hosts:
        host.make_standby = lambda host=host: KafkaStandby(
            SETTINGS, Path(host.name), lease_seconds=LEASE_SECONDS
        )
    parts: dict[str, Any] = {
        "Condition": lambda: SimulatedCondition(simulation.world),
        "Event": lambda: SimulatedEvent(simulation.world),
        "Thread": SimulatedThread,
        "connect": lambda *_, **__: SimulatedConsumer(group, broker),
        "_Follower": lambda _, directory: SimulatedFollower(broker, hosts[directory.name]),
        "POLL_MS": POLL_MS,
    }
    with ExitStack() as patched:
        for name, part in parts.items():
            patched.enter_context(mock.patch.object(standby, name, part))
        yield


class LeaseCheck:
    """Judges who leads, long after the last fault."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._faulty_until = 0

    @property
    def is_done(self) -> bool:
        """Whether it was looked at for long enough."""
        return self._simulation.world.now > self._faulty_until + LEAD + LOOK

    def look(self) -> None:
        """Judge now; what a fast clock has recorded has to be past."""
        world, moment = self._simulation.world, self._simulation.checks.moment
        hosts = self._simulation.hosts
        if world.is_faulty or any(host.offset or host.wall() < 1000 * moment for host in hosts):
            self._faulty_until = world.now
        elif world.now > self._faulty_until + LEAD:
            leading = [host.name for host in hosts if host.is_leading]
            if len(leading) != 1:
                self._simulation.checks.fail("lease", f"{leading or 'nobody'} leads")
