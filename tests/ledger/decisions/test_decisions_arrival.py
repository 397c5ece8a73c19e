"""Commands that arrive in another order than they were sent: a cancellation before its bet.

Whatever the order, a bet takes money only if no cancellation was recorded before it.
"""

from __future__ import annotations

from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.errors import InputError
from ledger.decisions.rounds.betting import WithdrawBet
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from tests.ledger.decisions.decisions_casino import CROWN, Casino, command

if TYPE_CHECKING:
    from ledger.writer import Receipt

STAKE = 50 * CROWN


def back(round_: str, number: int = 1, **facts: Any) -> dict[str, Any]:
    return {"account": "anna", "round": round_, "bet": f"{round_}-{number}", **facts}


def chips(round_: str, number: int = 1) -> dict[str, Any]:
    return back(round_, number, bet_code="red", stake=STAKE)


def refuse_cancelled(casino: Casino, round_: str, number: int = 1) -> None:
    receipt = casino.send("place_bet", **chips(round_, number))
    assert receipt.refused is not None
    assert (receipt.refused.code, receipt.refused.paragraph) == ("BET_NOT_ALLOWED", "SAZKA 2")
    assert receipt.refused.sentence == "the bet was cancelled before it arrived."
    (refused,) = casino.events_of(receipt)
    assert isinstance(refused, e.BetRefused)
    assert (refused.bet, refused.stake) == (f"{round_}-{number}", STAKE)


@pytest.mark.law("SAZKA 2", "SAZKA 13(4)")
def test_a_bet_that_comes_after_its_cancellation_takes_nothing(casino: Casino) -> None:
    round_ = casino.open_round()
    before = casino.account().wallet
    for _ in range(2):
        (refused,) = casino.refuse("BET_NOT_ON_TABLE", "withdraw_bet", **back(round_))
        assert isinstance(refused, e.BetRefused)
        assert (refused.bet, refused.account, refused.stake) == (f"{round_}-1", "anna", 0)
    refuse_cancelled(casino, round_)
    refuse_cancelled(casino, round_)
    casino.do("place_bet", **chips(round_, 2))
    assert casino.account().wallet == before - STAKE
    casino.assert_cold_is_hot()


def test_a_repeated_cancellation_has_the_receipt_of_the_first(casino: Casino) -> None:
    facts = {**back(casino.open_round()), "command_id": str(uuid4())}
    first = casino.send("withdraw_bet", **facts)
    assert casino.send("withdraw_bet", **facts) == first


def test_a_cancellation_holds_in_the_log_and_before_its_round(casino: Casino) -> None:
    casino.refuse("BET_NOT_ON_TABLE", "withdraw_bet", **back("early"))
    with casino.as_reopened():
        casino.do("open_round", round="early", table="r1")
        refuse_cancelled(casino, "early")
    casino.fail("round early is unknown", "place_bet", **chips("early"))
    casino.do("open_round", round="early", table="r1")
    refuse_cancelled(casino, "early")


def test_a_cancellation_after_the_close_is_recorded(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.close(round_)
    casino.refuse("BET_NOT_ON_TABLE", "withdraw_bet", **back(round_))
    casino.refuse("BET_AFTER_CLOSE", "place_bet", **chips(round_))


def test_a_cancellation_under_the_name_of_another_round_or_account_is_an_input_error(
    casino: Casino,
) -> None:
    round_ = casino.open_round()
    casino.fail("has no bet", "withdraw_bet", **back(round_) | {"bet": "another-1"})
    casino.fail("nobody is unknown", "withdraw_bet", **back(round_) | {"account": "nobody"})


def test_an_additional_wager_that_was_cancelled_is_not_added(casino: Casino) -> None:
    casino.player("bara", table="")
    casino.add_game("sazka.blackjack_synot", "b1", "bara")
    round_ = casino.open_round("b1")
    bet = casino.bet(round_, account="bara", bet_code="main", box="1")
    wager = {"account": "bara", "round": round_, "bet": f"{bet}:double:1"}
    casino.refuse("BET_NOT_ON_TABLE", "withdraw_bet", **wager)
    casino.close(round_)
    for index, (recipient, card) in enumerate(
        (("1", "5C"), ("dealer", "7D"), ("1", "6C"), ("dealer", ""))
    ):
        casino.do(
            "deal_card", round=round_, index=index, recipient=recipient, card=card,
            face_up=bool(card),
        )  # fmt: skip
    before = casino.account("bara").wallet
    receipt = casino.send("decide", account="bara", round=round_, decision="double", hand="1")
    assert receipt.refused is not None
    assert "cancelled" in receipt.refused.sentence
    assert casino.account("bara").wallet == before


@pytest.mark.law("SAZKA 15(1)")
def test_a_payment_without_a_bet_is_refused_and_recorded(casino: Casino) -> None:
    round_ = casino.open_round()
    before = casino.account().wallet
    casino.refuse("BET_NOT_ON_TABLE", "settle_round", round="none")
    for name in (round_, "none"):
        bet = {"round": name, "bet": f"{name}-1"}
        casino.refuse("BET_NOT_SETTLED", "correct_win", **bet, difference=1, cause="c")
        casino.refuse("BET_NOT_SETTLED", "correct_bet", **bet, difference=1, cause="c")
        withheld = {"amount": 1, "paragraph": "SAZKA 17(2)", "cause": "tampering"}
        casino.refuse("BET_NOT_SETTLED", "withhold_prize", **bet, **withheld)
    assert casino.account().wallet == before
    casino.do("open_round", round="none", table=casino_table(casino))


def casino_table(casino: Casino) -> str:
    """Return a table without a round."""
    casino.add_game("69games.lucky_wheel", "w1")
    return "w1"


@pytest.mark.law("SAZKA 11(1)a")
def test_a_withdrawal_that_comes_after_its_cancellation_is_refused(casino: Casino) -> None:
    before = casino.account()
    wallet, named = before.wallet, {"account": "anna", "withdrawal": "w"}
    for _ in range(2):
        casino.refuse("WITHDRAWAL_NOT_PENDING", "cancel_withdrawal", **named, reason="r")
        (refused,) = casino.refuse(
            "WITHDRAWAL_NOT_PENDING", "withdraw", **named, amount=100, method="bank"
        )
        assert isinstance(refused, e.WithdrawalRefused)
    with casino.as_reopened():
        casino.refuse("WITHDRAWAL_NOT_PENDING", "withdraw", **named, amount=100, method="bank")
    assert casino.account().wallet == wallet
    other = named | {"withdrawal": "other"}
    casino.do("withdraw", **other, amount=100, method="bank")
    casino.do("cancel_withdrawal", **other, reason="r")
    (again,) = casino.refuse("WITHDRAWAL_NOT_PENDING", "cancel_withdrawal", **other, reason="r")
    assert isinstance(again, e.CommandRefused)
    casino.fail("exists already", "withdraw", **other, amount=100, method="bank")


@pytest.mark.law("SAZKA 10(3)")
@pytest.mark.parametrize("received", [False, True])
def test_a_deposit_that_comes_after_its_return_is_refused(
    casino: Casino, *, received: bool
) -> None:
    wallet, named = casino.account().wallet, {"account": "anna", "deposit": "late"}
    casino.refuse("DEPOSIT_NOT_CREDITED", "return_deposit", **named, reason="r")
    facts = named | {"amount": 100, "method": "bank", "received": received}
    events = casino.refuse("DEPOSIT_NOT_CREDITED", "deposit", **facts)
    kinds = [type(event) for event in events]
    assert kinds == [e.DepositRefused, *[e.DepositReturned] * received]
    assert casino.account().wallet == wallet


@pytest.mark.law("SAZKA 14(1)")
def test_a_correction_that_comes_before_its_card_contradicts_the_card(casino: Casino) -> None:
    casino.player("bara", table="")
    casino.add_game("baccarat.commission", "b1", "bara")
    round_ = casino.open_round("b1")
    casino.close(round_)
    fix = {"round": round_, "index": 0, "actual": "KS", "by": "inspector"}
    events = casino.do("correct_card", **fix)
    assert [type(event) for event in events] == [e.CardRecordCorrected, e.ContradictionRecorded]
    for index, (recipient, card) in enumerate(
        (("player", "9C"), ("banker", "7D"), ("player", "QH"), ("banker", "2S"))
    ):
        casino.do(
            "deal_card", round=round_, index=index, recipient=recipient, card=card, face_up=True
        )
    casino.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    casino.do("correct_card", **fix | {"actual": "9C"})
    casino.do("record_result", round=round_)
    casino.assert_cold_is_hot()


STEP = st.tuples(
    st.sampled_from(["place_bet", "withdraw_bet", "open_round"]),
    st.sampled_from(["q", "early"]),
    st.integers(1, 2),
)


@given(steps=st.lists(STEP, max_size=12), is_batch=st.booleans())
def test_no_order_takes_money_for_a_bet_behind_its_cancellation(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, int]], *, is_batch: bool
) -> None:
    casino = Casino(tmp_path_factory.mktemp("arrival"), MemoryLog())
    casino.open_house()
    casino.player(money=10_000)
    before = casino.account().wallet
    commands = []
    for kind, round_, number in steps:
        facts: dict[str, Any] = {"round": round_, "table": "r1"}
        if kind != "open_round":
            facts = chips(round_, number) if kind == "place_bet" else back(round_, number)
        commands.append(command(kind, **facts))
    receipts: list[Receipt | None] = []
    with casino.ledger if is_batch else nullcontext():
        answers = [casino.ledger.submit(one) for one in commands] if is_batch else []
        receipts += [None if answer.exception(10) else answer.result() for answer in answers]
        for one in () if is_batch else commands:
            receipts.append(None)
            with suppress(InputError):
                receipts[-1] = casino.ledger.execute(one)
            casino.ledger = casino.reopened()
            casino.log = casino.ledger._log
        events = [casino.events_of(receipt) if receipt else [] for receipt in receipts]
        taken = before - casino.account().wallet
    on_table, cancelled = dict[str, int](), set[str]()
    for one, recorded in zip(commands, events, strict=True):
        if isinstance(one, WithdrawBet):
            assert recorded, "a cancellation leaves a record in every order"
            cancelled.add(one.bet)
            on_table.pop(one.bet, None)
        for event in recorded:
            if isinstance(event, e.BetPlaced):
                assert event.bet not in cancelled
                on_table[event.bet] = event.stake
    assert taken == sum(on_table.values())
