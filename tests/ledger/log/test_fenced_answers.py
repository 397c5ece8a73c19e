"""A writer that was fenced and does not know it yet: it answers nothing and destroys nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from kafka.errors import ProducerFencedError

from ledger.core.clock import StoppedClock
from ledger.core.errors import FencedError, InputError
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_casino import Casino, command
from tests.simulation.simulated_broker import Broker
from tests.simulation.simulated_disk import Disk
from tests.simulation.simulated_template import GONE, template
from tests.simulation.simulated_topic_log import SimulatedTopicLog
from tests.simulation.simulated_world import World

if TYPE_CHECKING:
    from concurrent.futures import Future
    from pathlib import Path

    from ledger.receipts import Receipt
    from ledger.steps import Steps

ERASURE = command("erase_person", account=GONE[0], command_id=f"{1:032x}")


class Driven:
    """Calls the steps of a writer in the thread of the test, one command at a time."""

    waiting = 0

    def __init__(self, steps: Steps) -> None:
        self._steps = steps

    def put(self, task: Any) -> None:
        batch = self._steps.decide([task])
        while batch is not None:
            batch = self._steps.decide([self._steps.store(batch)])

    def close(self) -> None:
        """Nothing is queued."""


class Two:
    """A topic and two hosts with one key store."""

    def __init__(self, directory: Path) -> None:
        self.broker = Broker(World(0), lambda _: False)
        self.broker.put([message.body for message in template().messages])
        self._directory = directory
        template().write_keys(directory)

    def log(self, name: str) -> SimulatedTopicLog:
        disk = Disk(self.broker.world, lambda _: False, name)
        return SimulatedTopicLog(self.broker, disk, template().messages)

    def lead(self, log: SimulatedTopicLog) -> Ledger:
        clock = StoppedClock(template().begin + self.broker.world.now)
        return Ledger(log, KeyStore(self._directory), clock=clock, scheduler=Driven)

    def has_key(self, person: str) -> bool:
        keys = KeyStore(self._directory)
        found = keys.has_key(person)
        keys.close()
        return found


@pytest.fixture
def two(tmp_path: Path) -> Two:
    return Two(tmp_path / "keys")


def answer(ledger: Ledger, name: str, /, **facts: Any) -> Future[Receipt]:
    return ledger.submit(command(name, **facts))


def registered(ledger: Ledger, name: str = "dora2") -> str:
    """Register the erased person again, and return the pseudonym."""
    facts = Casino.registration(None, name, identity=f"CZ {GONE[0]}")  # type: ignore[arg-type]
    assert answer(ledger, "open_account", **facts).result(0).refused is None
    return ledger._ledger_state.account_or_new(name).person


def test_an_error_from_an_old_state_is_not_answered(two: Two) -> None:
    first = two.lead(two.log("one"))
    deposit = {"account": "new", "deposit": "d", "amount": 100, "method": "bank"}
    with pytest.raises(InputError, match="account new is unknown"):
        answer(first, "deposit", **deposit).result(0)
    second = two.lead(two.log("two"))
    answer(second, "open_account", **Casino.registration(None, "new")).result(0)  # type: ignore[arg-type]
    with pytest.raises(FencedError, match="took over"):
        answer(first, "deposit", **deposit).result(0)
    assert isinstance(first.broken, FencedError)


def test_late_requests_of_earlier_transactions_do_nothing_after_a_confirmation(two: Two) -> None:
    log = two.log("one")
    ledger, size = two.lead(log), len(two.broker.entries)
    answer(ledger, "file_complaint", account="anna", case="c", grounds="late").result(0)
    epoch, entries = two.broker.epoch, len(two.broker.entries)
    assert entries > size
    two.broker.world.pause(1_000_000)
    log.confirm()
    for is_commit in (True, False):
        with pytest.raises(ProducerFencedError):
            two.broker.end_transaction(epoch, is_commit=is_commit)
    assert len(two.broker.entries) == entries + 1, "the marker, and no message"
    answer(ledger, "file_complaint", account="anna", case="d", grounds="late").result(0)


def test_a_repeated_erasure_does_not_destroy_the_key_of_a_return(two: Two) -> None:
    first = two.lead(two.log("one"))
    first.submit(ERASURE).result(0)
    second = two.lead(two.log("two"))
    person = registered(second)
    with pytest.raises(FencedError, match="took over"):
        first.submit(ERASURE).result(0)
    assert two.has_key(person)
    assert second.submit(ERASURE).result(0).command_id, "the writer that leads repeats the receipt"
    assert two.has_key(person), "and destroys nothing either"


def test_a_writer_that_is_fenced_as_it_starts_does_not_destroy_the_key_of_a_return(
    two: Two,
) -> None:
    two.lead(two.log("one")).submit(ERASURE).result(0)
    late = two.log("late")
    person = registered(two.lead(two.log("two")))
    with pytest.raises(FencedError, match="took over"):
        two.lead(late)
    assert two.has_key(person)
