"""Panic button, exclusions, the offer of a long exclusion (SAZKA 12a)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.ledger.decisions.decisions_casino import prague

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

DAYS_2 = 48 * 60


@pytest.mark.law("SAZKA 12a(1)", "L-49")
def test_the_panic_button_blocks_bets_for_48_hours_to_the_microsecond(casino: Casino) -> None:
    (pressed,) = casino.do("press_panic_button", account="anna")
    assert pressed.until == casino.clock.moment + DAYS_2 * 60_000_000
    casino.wait(minutes=DAYS_2, microseconds=-1)
    casino.refuse_bet("PANIC_BLOCK", casino.open_round())
    casino.wait(microseconds=1)
    casino.bet(casino.open_round())


@pytest.mark.law("SAZKA 12a(1)", "L-49")
def test_a_press_under_rules_with_a_shorter_block_does_not_shorten_an_earlier_one(
    house: Casino,
) -> None:
    house.change_rules(panic_hours=72)
    house.player()
    (first,) = house.do("press_panic_button", account="anna")
    house.change_rules(panic_hours=48)
    (second,) = house.do("press_panic_button", account="anna")
    assert second.until == first.until == house.account().panic_until
    house.wait(minutes=DAYS_2)
    house.refuse_bet("PANIC_BLOCK", house.open_round())


@pytest.mark.law("SAZKA 12a(1)")
def test_48_hours_are_48_hours_when_the_clocks_change(casino: Casino) -> None:
    casino.at("2026-03-28 12:00")
    casino.do("press_panic_button", account="anna")
    assert casino.account().panic_until == prague("2026-03-30 13:00")


@pytest.mark.law("L-49")
def test_the_panic_button_can_be_pressed_again(casino: Casino) -> None:
    casino.do("press_panic_button", account="anna")
    casino.wait(minutes=47 * 60)
    casino.do("press_panic_button", account="anna")
    casino.wait(minutes=DAYS_2, microseconds=-1)
    casino.refuse_bet("PANIC_BLOCK", casino.open_round())


def test_the_panic_button_leaves_login_and_withdrawal_open(casino: Casino) -> None:
    casino.do("press_panic_button", account="anna")
    money = {"account": "anna", "amount": 100, "method": "bank"}
    casino.do("withdraw", withdrawal="w1", **money)
    casino.refuse("PANIC_BLOCK", "deposit", deposit="d", **money)
    casino.do("log_out", account="anna")
    *_, logged_in = casino.log_in()
    assert (logged_in.mode, logged_in.reason) == ("restricted", "panic_block")
    casino.do("withdraw", withdrawal="w2", **money)


@pytest.mark.law("SAZKA 12a(1)", "SAZKA 12a(2)")
def test_a_press_is_reported_and_the_offer_of_a_long_exclusion_recorded(casino: Casino) -> None:
    account = {"account": "anna"}
    casino.refuse("NO_PANIC_PRESS", "report_panic_button", **account, acknowledged=True)
    casino.refuse("NO_PANIC_PRESS", "offer_long_exclusion", **account, answer="declined")
    casino.do("press_panic_button", **account, channel="live table")
    (reported,) = casino.do("report_panic_button", **account, acknowledged=True)
    (offered,) = casino.do("offer_long_exclusion", **account, answer="accepted")
    assert (reported.acknowledged, offered.answer) == (True, "accepted")


@pytest.mark.law("SAZKA 12a(3)", "L-50")
def test_a_long_exclusion_is_asked_for_without_a_press_too(casino: Casino) -> None:
    (requested,) = casino.do("request_long_exclusion", account="anna", forwarded=True)
    assert requested.forwarded


@pytest.mark.parametrize(
    ("command", "facts", "cause"),
    [
        ("press_panic_button", {}, "panic"),
        ("request_cancellation", {"ground": "12(4)"}, "cancellation"),
    ],
)
def test_chips_not_yet_closed_when_a_ban_begins_go_back_at_the_close(
    casino: Casino, command: str, facts: dict[str, str], cause: str
) -> None:
    casino.player("bara", table="r1")
    round_ = casino.open_round()
    casino.bet(round_, 300)
    other = casino.bet(round_, 50, "bara")
    casino.do(command, account="anna", **facts)
    assert casino.account().reserved == 300_00
    closed, *outcomes = casino.close(round_)
    assert (closed.bets, closed.stakes) == (1, 50_00)
    by_account = {event.account: event for event in outcomes}
    assert by_account["anna"].cause == cause
    assert by_account["bara"].bet == other
    assert casino.account().wallet == 100_000_00


def test_bets_concluded_before_a_ban_stand(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 100)
    casino.close(round_)
    casino.do("press_panic_button", account="anna")
    casino.settle(round_)
    assert casino.account().wallet == 100_100_00


@pytest.mark.law("SAZKA 9(5)", "SAZKA 12a(4)")
def test_an_exclusion_ends_the_session_and_bars_from_bets_and_deposits(casino: Casino) -> None:
    imposed, logged_out = casino.do("impose_exclusion", account="anna", ground="court")
    assert (imposed.until, logged_out.cause) == (None, "exclusion")
    casino.refuse_bet("EXCLUDED", casino.open_round())
    casino.refuse("EXCLUDED", "deposit", account="anna", deposit="d", amount=1, method="bank")


@pytest.mark.law("SAZKA 12a(1)")
def test_an_exclusion_with_an_end_ends_to_the_microsecond(casino: Casino) -> None:
    until = "2026-02-10T00:00:00+01:00"
    casino.do("impose_exclusion", account="anna", ground="doctor", until=until)
    casino.at("2026-02-09 23:59:59.999999")
    casino.refuse_bet("EXCLUDED", casino.open_round())
    casino.at("2026-02-10 00:00")
    casino.log_in()
    casino.bet(casino.open_round())
    casino.refuse("NO_EXCLUSION", "end_exclusion", account="anna", ground="doctor")


@pytest.mark.law("SAZKA 7(1)", "SAZKA 9(5)")
@pytest.mark.parametrize("until", [None, "2026-03-01T00:00:00+01:00"])
def test_an_exclusion_is_not_shortened_by_another_on_the_same_ground(
    casino: Casino, until: str | None
) -> None:
    register = {"account": "anna", "ground": "register"}
    casino.do("impose_exclusion", **register, until=until)
    casino.do("impose_exclusion", **register, until="2026-02-20T00:00:00+01:00")
    casino.at("2026-02-20 00:00")
    casino.log_in(register="unavailable")
    casino.refuse_bet("EXCLUDED", casino.open_round())
    casino.assert_cold_is_hot()
    casino.do("end_exclusion", **register)
    casino.do("log_out", account="anna")
    casino.log_in(register="unavailable")
    casino.bet(casino.open_round())


def test_an_exclusion_on_the_same_ground_can_last_longer(casino: Casino) -> None:
    for day in ("2026-02-10", "2026-02-20"):
        until = f"{day}T00:00:00+01:00"
        casino.do("impose_exclusion", account="anna", ground="doctor", until=until)
    casino.at("2026-02-19 23:59")
    casino.refuse_bet("EXCLUDED", casino.open_round())
    casino.at("2026-02-20 00:00")
    casino.log_in()
    casino.bet(casino.open_round())


def test_an_exclusion_does_not_end_before_it_begins(casino: Casino) -> None:
    past = "2026-02-02T12:00:00+01:00"
    casino.fail("correct `until`", "impose_exclusion", account="anna", ground="court", until=past)


def test_an_exclusion_is_ended_by_its_ground(casino: Casino) -> None:
    casino.refuse("NO_EXCLUSION", "end_exclusion", account="anna", ground="court")
    casino.do("impose_exclusion", account="anna", ground="court")
    casino.do("impose_exclusion", account="anna", ground="doctor")
    casino.do("end_exclusion", account="anna", ground="court")
    casino.refuse_bet("EXCLUDED", casino.open_round())
    casino.do("end_exclusion", account="anna", ground="doctor")
    casino.log_in()
    casino.bet(casino.open_round())


@pytest.mark.law("SAZKA 12(6)")
def test_a_closed_account_has_no_panic_button(casino: Casino) -> None:
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="receipt")
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", account="anna")
    casino.refuse("ACCOUNT_CLOSED", "press_panic_button", account="anna")
