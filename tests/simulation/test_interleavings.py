"""The threads of the real writer under every order of their steps that is near, and random others.

Three claims: a receipt is given only once its decision is stored; what was decided on a batch that
was not stored leaves nothing; a cancelled wait, and a close, take no command back. Each line of the
writer and its steps, and each access to the log, is a step; with random orders each line of the
deciding side, too.
"""

from __future__ import annotations

import os
import random
from concurrent.futures import InvalidStateError
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

from ledger import batch_decider, steps, writer
from ledger.core.clock import StoppedClock
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.log.memory import MemoryLog
from ledger.privacy import KeyStore
from ledger.receipts import Receipt, ReceiptFuture
from ledger.state.ledger_state import LedgerState
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_casino import command
from tests.simulation.interleaving import Controlled, Lock, Queue, Scheduler, deviations
from tests.simulation.simulated_bugs import with_bug
from tests.simulation.simulated_template import folder, template

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from ledger.core.message import Head, Message

COARSE = frozenset({str(writer.__file__), str(steps.__file__)})
FINE = COARSE | {str(batch_decider.__file__)}
SHARE = 0.05
SCHEDULES_MAX = int(os.environ.get("GAMELEDGER_INTERLEAVINGS", "30"))
"""Of those that differ at one step, spread evenly over all; as many random ones follow."""


class WatchedLog(MemoryLog):
    """A log whose accesses are steps; the appends with some numbers fail, before or after."""

    def __init__(self, scheduler: Scheduler, failing: Collection[int]) -> None:
        super().__init__()
        self.scheduler, self._failing = scheduler, failing
        self.appends = 0

    def append(self, messages: Sequence[Message]) -> Head:
        self.appends += 1
        number = self.appends
        self.scheduler.step()
        if number in self._failing:
            raise AvailabilityError("the disk is full")
        self.scheduler.step()  # while it is synced
        return super().append(messages)

    def confirm(self) -> None:
        self.scheduler.step()

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        self.scheduler.step()
        return super().commands(command_ids)


def bet(number: int, account: str) -> Any:
    facts = {"round": "q", "bet_code": "red", "stake": 100}
    return command(
        "place_bet", **facts, account=account, bet=f"q-{number}", command_id=name(number)
    )


def name(number: int) -> str:
    return f"{number:032x}"


FIRST = (command("open_round", round="q", table="r1", command_id=name(1)), bet(2, "anna"))
SECOND = (bet(2, "anna"), bet(3, "bara"))
OTHER = command("file_complaint", account="anna", case="c", grounds="late", command_id=name(4))


class Run:
    """One order of steps: two clients send and wait no longer, then the writer closes."""

    def __init__(self, keys: Path, scheduler: Scheduler, failing: Collection[int]) -> None:
        self.scheduler, self.keys = scheduler, keys
        self.log = WatchedLog(scheduler, failing)
        MemoryLog.append(self.log, template().messages)
        self.answers: list[ReceiptFuture] = []
        self.early: list[str] = []

    def play(self) -> None:
        """Run it, and judge it."""
        scheduler, log, early = self.scheduler, self.log, self.early

        class Watched(ReceiptFuture):
            def set_result(self, result: Receipt) -> None:
                if log._head.size <= result.last_position:
                    early.append(f"a receipt of {result.last_position} at {log._head.size}")
                super().set_result(result)

        with pytest.MonkeyPatch.context() as patched:
            made = SimpleNamespace(
                Lock=lambda: Lock(scheduler),
                Thread=lambda **facts: Controlled(scheduler, **facts),
            )
            patched.setattr(writer, "threading", made)
            patched.setattr(writer, "SimpleQueue", lambda: Queue(scheduler))
            patched.setattr(writer, "ReceiptFuture", Watched)
            keys, clock = KeyStore(self.keys), StoppedClock(template().begin)
            self.ledger = Ledger(log, keys, clock=clock, entropy=bytes, writer="w")
            clients = [
                Controlled(scheduler, lambda: self._send(FIRST), "first"),
                Controlled(scheduler, lambda: self._send((*SECOND, OTHER)), "second"),
            ]
            for client in clients:
                client.start()
            Controlled(scheduler, lambda: self._close(clients), "closing").start()
            scheduler.run()
        self._judge()

    def _send(self, commands: Sequence[Any]) -> None:
        for each in commands:
            answer = self.ledger.submit(each)
            self.answers.append(answer)
            self.scheduler.step()
            assert not answer.cancel(), "the wait may end, the command does not"

    def _close(self, clients: Sequence[Controlled]) -> None:
        for client in clients:
            client.join()
        self.ledger.close()

    def _judge(self) -> None:
        assert not self.early, self.early
        log = self.log
        log._is_closed = False
        stored = set(log._commands)
        for answer in self.answers:
            assert answer.done(), "whatever was sent is answered before the writer has closed"
            if (error := answer.exception()) is None:
                assert bytes.fromhex(answer.result().command_id.replace("-", "")) in stored
            else:
                assert isinstance(error, AvailabilityError | InputError), error
        keys = KeyStore(self.keys)
        hot, cold = self.ledger._ledger_state, LedgerState(log, keys)
        assert cold.operator_state == hot.operator_state
        for account in ("anna", "bara"):
            assert cold.account_or_new(account) == hot.account_or_new(account)
        keys.close()


@pytest.fixture
def keys() -> Iterator[Path]:
    with folder() as place:
        template().write_keys(place / "keys")
        yield place / "keys"


def explore(keys: Path, failing: Collection[int]) -> int:
    """Play the order without a change, those with one, then random ones; return how many."""
    first = Scheduler({}, COARSE)
    Run(keys, first, failing).play()
    near = list(deviations(first.steps))
    chosen = near[:: -(-len(near) // SCHEDULES_MAX)]
    for schedule in chosen:
        played(keys, Scheduler(schedule, COARSE), failing, schedule)
    for seed in range(SCHEDULES_MAX):
        chance = random.Random(f"{seed}/interleaving")
        played(keys, Scheduler({}, FINE, (chance, SHARE)), failing, seed)
    tried = f"{len(chosen)} of {len(near)} with one change, {SCHEDULES_MAX} at random"
    print(f"appends that fail: {failing}; orders: {tried}")  # noqa: T201 - `make interleave` shows it
    return 1 + len(chosen) + SCHEDULES_MAX


def played(keys: Path, scheduler: Scheduler, failing: Collection[int], of: object) -> None:
    try:
        Run(keys, scheduler, failing).play()
    except BaseException as error:
        error.add_note(f"order of steps: {of}, appends that fail: {failing}")
        raise


@pytest.mark.parametrize("failing", [(), (1,), (2,), (1, 2)], ids=str)
def test_the_writer_holds_in_every_order_that_is_tried(
    keys: Path, failing: Collection[int]
) -> None:
    assert explore(keys, failing) > SCHEDULES_MAX


def test_a_schedule_gives_the_same_run_again(keys: Path) -> None:
    runs = [Scheduler({}, FINE, (random.Random(5), SHARE)) for _ in range(2)]
    for scheduler in runs:
        Run(keys, scheduler, (1,)).play()
    assert runs[0].steps == runs[1].steps
    assert len(runs[0].steps) > 100


def lost_wake_up(patched: Any) -> None:
    """Let the deciding side overlook that a batch was stored while it looked at its queue."""

    def late(self: Any) -> None:
        while (batch := self._decided.get()) is not None:
            stored = self._steps.store(batch)
            if not self._queue.empty():
                self._queue.put(stored)
            else:
                self._steps._is_storing = False

    patched.setattr(writer.WriterThreads, "_store", late)


@pytest.mark.parametrize(
    "bug",
    [
        "answers are sent before the sync",
        "what was decided on a failed batch is stored",
        "a cancelled wait takes the command back",
    ],
)
def test_a_bug_of_the_writer_is_found(keys: Path, bug: str) -> None:
    failing = (1,) if "failed batch" in bug else ()
    with with_bug(bug), pytest.raises((AssertionError, InvalidStateError, IntegrityError)):
        explore(keys, failing)


def test_a_wake_up_that_is_lost_is_found(keys: Path) -> None:
    with pytest.MonkeyPatch.context() as patched:
        lost_wake_up(patched)
        with pytest.raises(AssertionError):
            explore(keys, ())
