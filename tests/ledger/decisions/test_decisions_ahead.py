"""The next batch is decided while the last one is being stored."""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError, FencedError, IntegrityError
from ledger.decisions.rounds.betting import PlaceBet
from ledger.log.memory import MemoryLog
from ledger.log.port import Query, events_at
from ledger.privacy import KeyStore, open_fields
from ledger.rules.retention import end_of_retention
from ledger.writer import Ledger
from tests.ledger.decisions.decisions_casino import CROWN, Casino, command
from tests.waiting import until

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from ledger.core.errors import LedgerError
    from ledger.core.message import Head, Message
    from ledger.events.command import Command
    from ledger.writer import Receipt


class SlowLog(MemoryLog):
    """A log whose appends last until they are let go on, and fail where a fault is set."""

    def __init__(self) -> None:
        super().__init__()
        self.appending, self.go_on = Event(), Event()
        self.go_on.set()
        self.sizes: list[int] = []
        self.fault: Exception | None = None

    def append(self, messages: Sequence[Message]) -> Head:
        self.confirm()
        self.sizes.append(len(messages))
        return super().append(messages)

    def confirm(self) -> None:
        self.appending.set()
        assert self.go_on.wait(120)
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault


@pytest.fixture
def log() -> SlowLog:
    return SlowLog()


@pytest.fixture
def casino(tmp_path: Path, log: SlowLog) -> Iterator[Casino]:
    """Give a casino with a player who has 100 crowns, and a round that is open."""
    casino = Casino(tmp_path, log)
    casino.open_house()
    casino.player(money=100)
    casino.do("open_round", round="q", table="r1")
    with casino.ledger:
        yield casino
        log.go_on.set()


def chips(number: int, crowns: int) -> PlaceBet:
    facts = {"account": "anna", "round": "q", "bet_code": "red"}
    return PlaceBet(bet=f"q-{number}", stake=crowns * CROWN, **facts)


def begun(casino: Casino, log: SlowLog, first: Command) -> Future[Receipt]:
    """Send chips and wait until they are being stored, which lasts."""
    log.go_on.clear()
    log.appending.clear()
    answer = casino.ledger.submit(first)
    assert log.appending.wait(120)
    return answer


def decided(casino: Casino) -> int:
    """Count what is decided and not being stored yet."""
    return len(casino.ledger._steps.decider._batch.answers)


def test_what_comes_while_a_batch_is_stored_is_decided_and_is_the_next_one(
    casino: Casino, log: SlowLog
) -> None:
    answers = [begun(casino, log, chips(0, 1))]
    before = log.head()
    answers += [casino.ledger.submit(chips(number, 1)) for number in range(1, 20)]
    until(lambda: decided(casino) == 19)
    assert log.head() == before, "nothing is visible before its commit"
    assert not any(answer.done() for answer in answers), "nothing is acknowledged before it"
    log.go_on.set()
    positions = [answer.result(10).first_position for answer in answers]
    assert positions == list(range(before.size, before.size + 20))
    assert log.sizes[-2:] == [1, 19]
    casino.assert_cold_is_hot()


def test_what_was_decided_on_a_batch_that_failed_is_decided_again_without_it(
    casino: Casino, log: SlowLog
) -> None:
    size = log.head().size
    first = begun(casino, log, chips(1, 60))
    second = casino.ledger.submit(chips(2, 60))
    after = casino.ledger.submit(chips(3, 1), after=first)
    again = casino.ledger.submit(chips(1, 20))
    until(lambda: decided(casino) == 3)
    log.fault = AvailabilityError("the disk is full")
    log.go_on.set()
    with pytest.raises(AvailabilityError, match="disk is full"):
        first.result(10)
    receipt = second.result(10)
    assert (receipt.refused, receipt.first_position) == (None, size), "its money is there again"
    with pytest.raises(AvailabilityError, match="send both again"):
        after.result(10)
    assert again.result(10).refused is None, "the name of what was not stored is free"
    assert [bet.stake for bet in casino.account().bets.values()] == [60 * CROWN, 20 * CROWN]
    casino.assert_cold_is_hot()


def test_a_person_whose_registration_could_not_be_stored_may_be_registered(
    casino: Casino, log: SlowLog
) -> None:
    first, again = (
        command("open_account", **casino.registration(name, identity="CZ bara"))
        for name in ("bara", "bara2")
    )
    lost = begun(casino, log, first)
    waiting = casino.ledger.submit(again)
    log.fault = AvailabilityError("the disk is full")
    log.go_on.set()
    with pytest.raises(AvailabilityError, match="disk is full"):
        lost.result(10)
    assert waiting.result(10).refused is None
    casino.assert_cold_is_hot()


def test_a_take_over_that_could_not_be_stored_is_recorded_with_the_next_decision(
    casino: Casino, log: SlowLog
) -> None:
    casino.ledger.execute(chips(0, 1))
    with Ledger(log, KeyStore(casino.keys), clock=casino.clock, writer="second") as second:
        log.fault = AvailabilityError("the disk is full")
        with pytest.raises(AvailabilityError, match="disk is full"):
            second.execute(chips(1, 1))
        second.execute(chips(1, 1))
        second.execute(chips(2, 1))
        found = log.find(Query(types=("WriterStarted",)))
        started = [recorded.event for recorded in events_at(log, found)]
    assert [event.epoch for event in started] == [1, 2]
    assert started[1].writer == "second"


def test_an_error_waits_until_it_is_confirmed_and_what_was_decided_since_stands(
    casino: Casino, log: SlowLog
) -> None:
    size, reads = log.head().size, casino.ledger._ledger_state.operator_state
    wrong = begun(casino, log, PlaceBet(account="x", round="q", bet_code="red", bet="b", stake=1))
    second = casino.ledger.submit(chips(2, 60))
    until(lambda: decided(casino) == 1)
    assert not wrong.done(), "it is true only if nobody else writes"
    log.fault = AvailabilityError("no broker answers")
    log.go_on.set()
    with pytest.raises(AvailabilityError, match="no broker answers"):
        wrong.result(10)
    assert second.result(10).first_position == size
    assert casino.ledger._ledger_state.operator_state is reads, "the state was not read again"
    casino.assert_cold_is_hot()


@pytest.mark.parametrize(
    "fault",
    [FencedError("another leads"), IntegrityError("altered"), AvailabilityError("it was closed")],
)
def test_a_writer_that_may_not_answer_answers_nothing_any_more(
    casino: Casino, log: SlowLog, fault: LedgerError, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, too, or nobody would start it again."""

    def stopped() -> Head:
        raise fault

    log.fault = fault
    monkeypatch.setattr(log, "head", stopped)
    with pytest.raises(type(fault)):
        casino.send("place_bet", account="x", round="q", bet_code="red", bet="b", stake=1)
    with pytest.raises(type(fault)):
        casino.ledger.execute(chips(1, 1))
    assert casino.ledger.broken is fault


def test_without_a_fault_the_same_chips_are_refused(casino: Casino, log: SlowLog) -> None:
    first = begun(casino, log, chips(1, 60))
    second = casino.ledger.submit(chips(2, 60))
    until(lambda: decided(casino) == 1)
    log.go_on.set()
    assert first.result(10).refused is None
    refused = second.result(10).refused
    assert refused is not None
    assert refused.code == "INSUFFICIENT_FUNDS"


def test_a_repeat_of_what_is_being_stored_gets_its_receipt(casino: Casino, log: SlowLog) -> None:
    bet = command(
        "place_bet", **casino.chips("q"), command_id="00000000-0000-0000-0000-000000000001"
    )
    first = begun(casino, log, bet)
    repeat = casino.ledger.submit(bet)
    until(lambda: decided(casino) == 1)
    assert not repeat.done()
    log.go_on.set()
    assert repeat.result(10) == first.result(10)


def test_a_damaged_log_ends_what_was_decided_ahead(casino: Casino, log: SlowLog) -> None:
    answers = [begun(casino, log, chips(1, 1)), casino.ledger.submit(chips(2, 1))]
    until(lambda: decided(casino) == 1)
    log.fault = IntegrityError("the log is damaged")
    log.go_on.set()
    for answer in [*answers, casino.ledger.submit(chips(3, 1))]:
        with pytest.raises(IntegrityError, match="damaged"):
            answer.result(10)


def test_what_asks_the_log_waits_until_all_before_it_is_stored(
    casino: Casino, log: SlowLog
) -> None:
    before = begun(casino, log, chips(1, 1))
    complaint = {"account": "anna", "case": "c", "grounds": "g"}
    answers = [casino.ledger.submit(command("file_complaint", **complaint)) for _ in range(2)]
    behind = casino.ledger.submit(chips(2, 1))
    until(lambda: casino.ledger.waiting == 3)
    assert decided(casino) == 0
    log.go_on.set()
    receipts = [answer.result(10) for answer in (before, answers[0], behind)]
    assert [one.first_position for one in receipts] == sorted(
        one.first_position for one in receipts
    )
    assert "exists already" in str(answers[1].exception(10))


def test_who_comes_back_right_behind_an_erasure_gets_a_new_key(
    casino: Casino, log: SlowLog
) -> None:
    casino.register("bara", identity="CZ 1")
    casino.do("request_cancellation", account="bara", ground="12(4)")
    casino.do("confirm_cancellation", account="bara", notice="receipt")
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", account="bara")
    casino.clock.moment = end_of_retention(casino.clock.moment)
    before = begun(casino, log, chips(1, 1))
    facts = casino.registration("cilka", identity="CZ 1")
    answers = [
        casino.ledger.submit(command("erase_person", account="bara")),
        casino.ledger.submit(command("open_account", **facts)),
    ]
    log.go_on.set()
    assert not any(answer.result(10).refused for answer in answers), before.result(10)
    old, new = casino.all_events("AccountOpened")[-2:]
    assert open_fields(casino.ledger._keys, old.person, old)["name"] is None
    assert open_fields(casino.ledger._keys, new.person, new)["name"] == facts["name"]
