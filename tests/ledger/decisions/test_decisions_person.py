"""What binds a person outlives the account (SAZKA 8(11), 9(5), 12a).

``anna`` is the first account of a person, ``anna2`` the second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec
import pytest

from ledger.core.clock import HOUR, MINUTE
from tests.ledger.decisions.decisions_casino import close, prague

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}
SECOND = {"account": "anna2"}


def again(casino: Casino, account: str = "anna2", **facts: Any) -> dict[str, Any]:
    """Fill in the form for another account of the person of ``anna``."""
    return casino.registration(account, identity="CZ anna", **facts)


def come_back(casino: Casino, account: str = "anna2") -> None:
    """Open another account, ready for play but for what binds the person."""
    casino.do("open_account", **again(casino, account))
    casino.add_method(account, "bank", "account")
    casino.decline_measures(account)


def exclude(casino: Casino, account: str = "anna", **facts: Any) -> None:
    casino.do("impose_exclusion", **{"account": account, "ground": "operator", **facts})


def assert_may_not_play(casino: Casino, account: str) -> None:
    *_, logged_in = casino.log_in(account)
    assert (logged_in.mode, logged_in.reason) == ("restricted", "excluded")
    casino.refuse_bet("EXCLUDED", casino.open_round(), account=account)
    money = {"account": account, "amount": 1, "method": "bank"}
    casino.refuse("EXCLUDED", "deposit", deposit=casino.new_name("late"), **money)
    casino.do("log_out", account=account)


def test_measures_of_a_closed_account_stay_as_they_bind_the_next_one(casino: Casino) -> None:
    casino.do("set_limit", account="anna", measure="a", value=500_00)
    close(casino)
    for value in (100_00, 900_00):
        casino.refuse("ACCOUNT_CLOSED", "set_limit", account="anna", measure="a", value=value)
    for measure in "ab":
        casino.refuse("ACCOUNT_CLOSED", "decline_limit", account="anna", measure=measure)
    casino.do("open_account", **again(casino))
    casino.refuse("LOOSER_THAN_BEFORE", "set_limit", **SECOND, measure="a", value=500_01)
    casino.do("set_limit", **SECOND, measure="a", value=500_00)


@pytest.mark.law("L-46")
def test_measures_bind_the_next_account_over_one_without_any_in_between(casino: Casino) -> None:
    rules = msgspec.to_builtins(casino.ledger._ledger_state.rules)
    rules["periods"]["objection"]["days"] = 0
    casino.do("publish_operator_rules", name="short", rules=rules)
    casino.do("set_limit", account="anna", measure="a", value=500_00)
    close(casino)
    casino.do("open_account", **again(casino))
    close(casino, "anna2")
    casino.do("open_account", **again(casino, "anna3"))
    casino.refuse("LOOSER_THAN_BEFORE", "set_limit", account="anna3", measure="a", value=500_01)
    casino.do("set_limit", account="anna3", measure="a", value=500_00)


@pytest.mark.law("SAZKA 7(1)", "L-32")
def test_an_exclusion_holds_on_every_later_account(casino: Casino) -> None:
    exclude(casino)
    close(casino)
    come_back(casino)
    assert_may_not_play(casino, "anna2")
    close(casino, "anna2")
    come_back(casino, "anna3")
    assert_may_not_play(casino, "anna3")
    with casino.as_reopened():
        assert_may_not_play(casino, "anna3")


def test_an_exclusion_with_an_end_ends_for_the_later_account_too(casino: Casino) -> None:
    exclude(casino, until="2026-06-01T00:00:00+02:00")
    close(casino)
    *_, handed_on = casino.do("open_account", **again(casino))
    assert (handed_on.ground, handed_on.until) == ("operator", prague("2026-06-01"))
    casino.at("2026-06-01 00:00")
    assert casino.log_in("anna2")[-1].mode == "full"


def test_what_is_over_is_not_handed_on(casino: Casino) -> None:
    exclude(casino, until="2026-02-03T00:00:00+01:00")
    exclude(casino, ground="court")
    casino.do("end_exclusion", **ANNA, ground="court")
    close(casino)
    come_back(casino)
    assert casino.account("anna2").exclusions == {}


def test_an_exclusion_survives_the_erasure_of_the_person(casino: Casino) -> None:
    exclude(casino)
    close(casino)
    casino.erase()
    come_back(casino)
    assert_may_not_play(casino, "anna2")


def test_an_exclusion_named_for_the_closed_account_binds_the_account_of_today(
    casino: Casino,
) -> None:
    close(casino)
    come_back(casino)
    casino.log_in("anna2")
    imposed, logged_out = casino.do("impose_exclusion", **ANNA, ground="operator")
    assert (imposed.account, logged_out.account) == ("anna2", "anna2")
    assert_may_not_play(casino, "anna2")
    casino.do("end_exclusion", **ANNA, ground="operator")
    casino.refuse("NO_EXCLUSION", "end_exclusion", **SECOND, ground="operator")
    assert casino.log_in("anna2")[-1].mode == "full"


def test_an_exclusion_imposed_between_two_accounts_is_handed_on(casino: Casino) -> None:
    close(casino)
    exclude(casino)
    come_back(casino)
    assert_may_not_play(casino, "anna2")


@pytest.mark.law("SAZKA 9(5)")
@pytest.mark.parametrize(
    ("code", "facts"),
    [
        ("LISTED_IN_REGISTER", {}),
        ("UNDER_AGE", {"birth_date": "2015-01-01"}),
    ],
)
def test_who_is_found_listed_at_a_second_registration_is_barred_on_the_first_account(
    casino: Casino, code: str, facts: dict[str, Any]
) -> None:
    form = again(casino, register="listed", **facts)
    refused, checked, imposed, logged_out = casino.refuse(code, "open_account", **form)
    assert refused.account == "anna2"
    assert (checked.account, checked.occasion, checked.answer) == ("anna", "registration", "listed")
    assert (imposed.account, imposed.ground, imposed.until) == ("anna", "register", None)
    assert (logged_out.account, logged_out.cause) == ("anna", "exclusion")
    casino.refuse_bet("EXCLUDED", casino.open_round())


def test_a_second_registration_never_lifts_a_bar(casino: Casino) -> None:
    casino.do("check_register", **ANNA, register="listed")
    (_refused,) = casino.refuse("SECOND_ACCOUNT", "open_account", **again(casino))
    casino.refuse_bet("EXCLUDED", casino.open_round())


def test_a_refused_registration_of_a_stranger_says_nothing_of_others(casino: Casino) -> None:
    stranger = casino.registration("bara", register="listed")
    (_refused,) = casino.refuse("LISTED_IN_REGISTER", "open_account", **stranger)


@pytest.mark.parametrize("command", ["check_register", "log_in"])
def test_an_answer_of_the_register_for_the_closed_account_bars_the_account_of_today(
    casino: Casino, command: str
) -> None:
    close(casino)
    come_back(casino)
    casino.log_in("anna2")
    casino.do("take_seat", **SECOND, table="r1")
    if command == "log_in":
        form = {**ANNA, "session": "old", "register": "listed"}
        casino.refuse("ACCOUNT_CLOSED", "log_in", **form)
    else:
        casino.do("check_register", **ANNA, register="listed")
    casino.refuse_bet("EXCLUDED", casino.open_round(), account="anna2")


def test_the_last_answer_counts_for_the_next_registration_while_the_register_is_away(
    casino: Casino,
) -> None:
    close(casino)
    casino.do("check_register", **ANNA, register="listed")
    away = again(casino, register="unavailable")
    casino.refuse("LISTED_IN_REGISTER", "open_account", **away)
    _opened, _verified, _checked, ended = casino.do("open_account", **again(casino))
    assert (ended.account, ended.ground) == ("anna", "register")
    assert casino.account("anna2").exclusions == {}


def test_a_clear_answer_of_the_last_account_counts_while_the_register_is_away(
    casino: Casino,
) -> None:
    close(casino)
    *_, checked = casino.do("open_account", **again(casino, register="unavailable"))
    assert (checked.answer, checked.live) == ("clear", False)


@pytest.mark.law("SAZKA 12a(4)")
def test_nobody_opens_an_account_while_the_panic_button_blocks_play(casino: Casino) -> None:
    casino.do("request_cancellation", **ANNA, ground="12(4)")
    (confirmed,) = casino.do("confirm_cancellation", **ANNA, notice="by e-mail")
    casino.clock.moment = confirmed.objections_until - HOUR
    casino.do("press_panic_button", **ANNA)
    casino.clock.moment = confirmed.objections_until
    casino.do("close_account", **ANNA)
    casino.refuse("PANIC_BLOCK", "open_account", **again(casino))
    casino.wait(minutes=47 * HOUR / MINUTE, microseconds=-1)
    casino.refuse("PANIC_BLOCK", "open_account", **again(casino))
    casino.wait(microseconds=1)
    casino.do("open_account", **again(casino))


@pytest.mark.law("SAZKA 11(1)a")
def test_the_cash_of_24_hours_is_that_of_the_person(casino: Casino) -> None:
    casino.do("request_cancellation", **ANNA, ground="12(4)")
    (confirmed,) = casino.do("confirm_cancellation", **ANNA, notice="by e-mail")
    casino.clock.moment = confirmed.objections_until
    cash = {"method": "cash", "document_shown": True}
    casino.do("withdraw", **ANNA, **cash, withdrawal="w1", amount=1_000_000)
    casino.do("close_account", **ANNA)
    come_back(casino)
    casino.do("deposit", **SECOND, deposit="d2", amount=100, method="bank")
    more = {**SECOND, **cash, "amount": 100}
    casino.refuse("CASH_LIMIT", "withdraw", **more, withdrawal="w2")
    casino.wait(minutes=24 * 60)
    casino.do("withdraw", **more, withdrawal="w3")


def test_the_cash_paid_in_is_that_of_the_person(house: Casino) -> None:
    house.register(regime="temporary")
    house.clock.moment = house.account().temporary_until - MINUTE
    house.pay_in(3_000, method="cash", document_shown=True)
    house.wait(minutes=1)
    house.do("end_temporary_account", **ANNA)
    house.do("open_account", **again(house))
    cash = {**SECOND, "method": "cash", "document_shown": True}
    house.refuse("CASH_LIMIT", "deposit", **cash, deposit="d2", amount=700_001)
    house.do("deposit", **cash, deposit="d3", amount=700_000)
