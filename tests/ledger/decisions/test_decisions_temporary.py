"""A temporary account ends after 30 days (ZHH 77(4), (5) and 80 in the wording of 2016)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY
from tests.ledger.decisions.decisions_casino import sentence_of

if TYPE_CHECKING:
    from ledger.events.event_types import Event
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}
PERMANENT = {**ANNA, "regime": "permanent", "internet": True, "land_based": False}


@pytest.fixture
def temporary(house: Casino) -> Casino:
    """Give a house whose participant anna has a temporary account with 2,000 CZK."""
    house.register(regime="temporary")
    house.add_method("anna", "bank", "account")
    house.add_method("anna", "card", "card")
    house.decline_measures()
    house.pay_in(2_000)
    house.log_in()
    house.do("take_seat", **ANNA, table="r1")
    return house


def pass_30_days(casino: Casino) -> None:
    casino.clock.moment = casino.account().opened_at + 30 * DAY


def end(casino: Casino) -> list[Event]:
    return casino.do("end_temporary_account", **ANNA)


def deposit(amount: int = 1, method: str = "bank") -> dict[str, object]:
    return {**ANNA, "deposit": "late", "amount": amount, "method": method}


@pytest.mark.law("L-28")
def test_bets_and_deposits_end_with_the_30_days_whether_or_not_anybody_ended_the_account(
    temporary: Casino,
) -> None:
    pass_30_days(temporary)
    temporary.wait(microseconds=-1)
    round_ = temporary.open_round()
    temporary.bet(round_)
    temporary.do("deposit", **{**deposit(), "deposit": "in-time"})
    temporary.wait(microseconds=1)
    temporary.refuse_bet("TEMPORARY_OVER", round_)
    temporary.refuse("TEMPORARY_OVER", "deposit", **deposit())
    temporary.do("log_out", **ANNA)
    *_, logged_in = temporary.log_in()
    assert (logged_in.mode, logged_in.reason) == ("restricted", "temporary_over")


def test_chips_that_would_become_a_bet_after_the_30_days_go_back(temporary: Casino) -> None:
    pass_30_days(temporary)
    temporary.wait(microseconds=-1)
    round_ = temporary.open_round()
    temporary.bet(round_)
    temporary.wait(microseconds=1)
    _closed, returned = temporary.close(round_)
    assert (returned.cause, returned.paragraph) == ("temporary_over", "ZHH 77, 80")


def test_money_that_came_after_the_30_days_goes_back(temporary: Casino) -> None:
    pass_30_days(temporary)
    late = {**deposit(), "received": True}
    _refused, returned = temporary.refuse("TEMPORARY_OVER", "deposit", **late)
    assert (returned.amount, returned.credited) == (1, False)


def test_who_registered_in_time_keeps_everything(temporary: Casino) -> None:
    temporary.do("change_account_mode", **PERMANENT)
    pass_30_days(temporary)
    temporary.bet(temporary.open_round())
    temporary.do("deposit", **deposit())
    temporary.do("withdraw", **ANNA, withdrawal="w", amount=1, method="bank")
    temporary.refuse("TEMPORARY_NOT_OVER", "end_temporary_account", **ANNA)


def test_nobody_registers_after_the_30_days_and_nobody_becomes_temporary_again(
    temporary: Casino,
) -> None:
    back = {**PERMANENT, "regime": "temporary"}
    temporary.do("change_account_mode", **back)
    pass_30_days(temporary)
    temporary.refuse("TEMPORARY_OVER", "change_account_mode", **PERMANENT)
    end(temporary)
    temporary.refuse("ACCOUNT_CLOSED", "change_account_mode", **PERMANENT)
    temporary.register("bara")
    temporary.fail("never becomes temporary", "change_account_mode", **back | {"account": "bara"})


@pytest.mark.law("L-28")
def test_the_end_is_recorded_once_and_not_too_early(temporary: Casino) -> None:
    (refused,) = temporary.refuse("TEMPORARY_NOT_OVER", "end_temporary_account", **ANNA)
    assert "2026-03-04T12:00" in sentence_of(refused)
    pass_30_days(temporary)
    logged_out, returned, ended = end(temporary)
    assert logged_out.cause == "automatic"
    assert (returned.amount, returned.method, returned.way) == (200_000, "bank", "account")
    assert ended.ground == "ZHH 80(1)"
    temporary.refuse("ACCOUNT_CLOSED", "end_temporary_account", **ANNA)
    temporary.refuse("ACCOUNT_CLOSED", "log_in", **ANNA, session="again", register="clear")
    temporary.assert_cold_is_hot()


def test_a_bet_that_is_not_evaluated_puts_the_end_off_and_a_complaint_does_not(
    temporary: Casino,
) -> None:
    pass_30_days(temporary)
    temporary.wait(microseconds=-1)
    round_ = temporary.open_round()
    temporary.bet(round_)
    temporary.close(round_)
    temporary.wait(microseconds=1)
    (refused,) = temporary.refuse("TEMPORARY_NOT_OVER", "end_temporary_account", **ANNA)
    assert "a bet is not evaluated" in sentence_of(refused)
    temporary.settle(round_, number=4)
    temporary.do("file_complaint", **ANNA, case="c", grounds="it was 3", round=round_)
    _out, returned, _ended = end(temporary)
    assert returned.amount == 190_000
    answer = {**ANNA, "case": "c", "upheld": False, "explanation": "it was 4"}
    temporary.do("decide_complaint", **answer)


@pytest.mark.law("L-28")
@pytest.mark.parametrize("way", ["end", "cancellation"])
def test_the_unspent_deposits_go_back_and_wins_do_not(temporary: Casino, way: str) -> None:
    temporary.play(stake=500)  # 3 is red: 2,500 CZK in the wallet, 2,000 CZK of them deposits
    if way == "cancellation":
        temporary.do("request_cancellation", **ANNA, ground="12(4)")
        temporary.do("confirm_cancellation", **ANNA, notice="by e-mail")
        temporary.clock.moment = temporary.account().cancellation.objections_until
        _out, returned, _closed = temporary.do("close_account", **ANNA)
    else:
        pass_30_days(temporary)
        _out, returned, _closed = end(temporary)
    assert returned.amount == 200_000
    assert temporary.account().wallet == 50_000


def test_each_deposit_goes_back_the_way_it_came_where_there_is_no_payment_account(
    house: Casino,
) -> None:
    house.register(regime="temporary")
    house.add_method("anna", "card", "card")
    house.pay_in(700, method="card")
    house.pay_in(300, method="cash", document_shown=True)
    pass_30_days(house)
    to_card, by_post, _closed = end(house)
    assert (to_card.method, to_card.amount) == ("card", 70_000)
    assert (by_post.way, by_post.amount) == ("postal", 30_000)


def test_a_running_cancellation_does_not_lengthen_a_temporary_account(temporary: Casino) -> None:
    temporary.clock.moment += 29 * DAY
    temporary.do("request_cancellation", **ANNA, ground="12(4)")
    pass_30_days(temporary)
    *_, ended = end(temporary)
    assert type(ended).__name__ == "AccountClosed"


@pytest.mark.law("L-27")
def test_an_unverified_person_gets_no_temporary_account_either(house: Casino) -> None:
    unverified = house.registration(regime="temporary", verified_how="")
    house.refuse("IDENTITY_NOT_VERIFIED", "open_account", **unverified)
