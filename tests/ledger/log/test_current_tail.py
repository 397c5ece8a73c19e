"""A writer that takes over a topic starts from its true end, and raises no false alarm about it."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from greenlet import GreenletExit

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.core.message import Head
from tests.ledger.chain_cases import Chain, landed
from tests.simulation.simulated_broker import Broker
from tests.simulation.simulated_disk import Disk
from tests.simulation.simulated_lease import SimulatedFollower
from tests.simulation.simulated_topic_log import SimulatedNote, SimulatedTopicLog
from tests.simulation.simulated_world import World


class Faults:
    """Lets one kind of fault happen all the time."""

    def __init__(self) -> None:
        self.kind = ""

    def __call__(self, kind: str) -> bool:
        return kind == self.kind


@pytest.fixture
def faults() -> Faults:
    return Faults()


@pytest.fixture
def broker(faults: Faults) -> Broker:
    return Broker(World(0), faults)


def host(broker: Broker, name: str = "one") -> Disk:
    return Disk(broker.world, lambda _: False, name)


def test_a_commit_that_readers_do_not_see_yet_is_not_lost(broker: Broker) -> None:
    """Brokers answer a commit before they write its marker; the writer may end in between."""
    disk, chain = host(broker), Chain()
    log = SimulatedTopicLog(broker, disk)
    log.append(chain.add(landed(1)))
    while broker.state != "ending":
        log.append(chain.add(landed(2)))
    assert broker.stable < broker.decided, "readers do not see the last one"
    with_note = SimulatedTopicLog(broker, disk)
    assert with_note.head() == chain.head


def _chain_of_two_leaders(broker: Broker) -> Chain:
    """Append before and after a change of leader."""
    chain, writer = Chain(), SimulatedTopicLog(broker, host(broker))
    writer.append(chain.add(landed(1)))
    broker.world.pause(1_000_000)
    broker.fail_over()
    broker.world.pause(4_000_000)
    writer.append(chain.add(landed(2)))
    return chain


def test_a_writer_with_no_note_sees_what_an_old_leader_does_not_know(
    broker: Broker, faults: Faults
) -> None:
    chain = _chain_of_two_leaders(broker)
    broker.stale_until = broker.world.now + 2_000_000
    faults.kind = "stale answer"
    second = SimulatedTopicLog(broker, host(broker, "two"))
    assert second.head() == chain.head


def test_a_reader_that_an_old_leader_answers_asks_again_and_raises_no_alarm(
    broker: Broker, faults: Faults
) -> None:
    """Only an end that stays behind the one seen before is that of a truncated topic."""
    chain = _chain_of_two_leaders(broker)
    broker.world.pause(1_000_000)
    reader = SimulatedTopicLog(broker)
    assert reader.head() == chain.head
    faults.kind = "stale answer"
    broker.stale_until = broker.world.now + 2_000_000
    with pytest.raises(AvailabilityError, match="does not know the end"):
        reader.head()
    broker.world.pause(2_000_000)
    assert reader.head() == chain.head
    broker.stale_until = broker.world.now + 60_000_000
    with pytest.raises(AvailabilityError, match="does not know the end"):
        reader.head()
    broker.world.pause(10_000_000)
    with pytest.raises(IntegrityError, match="truncated or recreated"):
        reader.head()


def test_a_tail_that_stays_behind_the_note_is_an_alarm(broker: Broker) -> None:
    disk, chain = host(broker), Chain()
    log = SimulatedTopicLog(broker, disk)
    log.append(chain.add(landed(1)))
    log.append(chain.add(landed(2)))
    broker.world.pause(1_000_000)
    del broker.entries[-2:]
    broker.replicated = len(broker.entries)
    with pytest.raises(IntegrityError, match="the brokers lost messages"):
        SimulatedTopicLog(broker, disk)


def test_a_writer_leaves_in_order_unless_it_has_stopped(broker: Broker) -> None:
    older, newer = (SimulatedTopicLog(broker, host(broker, name)) for name in ("one", "two"))
    with pytest.raises(FencedError):
        older.append(Chain().add(landed(1)))
    for log in (older, newer):
        log.close()
    assert older._writer is not None
    assert newer._writer is not None
    assert not older._writer._transactions.is_closed  # type: ignore[attr-defined] # simulated
    assert newer._writer._transactions.is_closed  # type: ignore[attr-defined] # simulated


def test_a_noted_head_survives_one_that_a_killed_writer_did_not_sync() -> None:
    """The killed one wrote over the older place, the next one over the newer, and power fails."""
    for seed in range(60):
        faults = Faults()
        disk = Disk(World(seed), faults, "one")
        note = SimulatedNote(disk)
        for size in (1, 2):
            note.write(Head(size, bytes([size] * 32)))
        faults.kind, disk.on_death = "process dies at a write", _die
        with pytest.raises(GreenletExit):
            note.write(Head(3, bytes([3] * 32)))
        faults.kind = ""
        note, disk.on_death = SimulatedNote(disk), lambda _, disk=disk: disk.crash()
        faults.kind = "power fails in a sync"
        note.write(note.head)
        faults.kind = ""
        assert SimulatedNote(disk).head.size >= 2, f"seed {seed}"


def _die(_: bool) -> None:
    raise GreenletExit


def test_a_standby_never_notes_a_head_behind_the_one_it_knows(
    broker: Broker, faults: Faults
) -> None:
    """A broker that was cut off answers with an older end."""
    machine = SimpleNamespace(disk=host(broker))
    chain, writer = Chain(), SimulatedTopicLog(broker, machine.disk)
    writer.append(chain.add(landed(1)))
    broker.world.pause(1_000_000)
    broker.fail_over()
    broker.world.pause(4_000_000)
    writer.append(chain.add(landed(2)))
    broker.world.pause(1_000_000)
    faults.kind = "stale answer"
    follower = SimulatedFollower(broker, machine)  # type: ignore[arg-type]
    assert follower._log is not None
    assert follower._log.head().size == 1
    follower.follow()
    assert SimulatedNote(machine.disk).head == follower._note.head == chain.head  # type: ignore[union-attr]
