"""Login, the register at each login, restricted sessions (SAZKA 8(11), 9(5), 13(3))."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def names(events: list[object]) -> list[str]:
    return [type(event).__name__ for event in events]


@pytest.fixture
def away(casino: Casino) -> Casino:
    """Give a casino whose participant has logged out."""
    casino.do("log_out", account="anna")
    return casino


@pytest.mark.law("SAZKA 8(11)", "L-30")
def test_the_register_is_asked_at_each_login(away: Casino) -> None:
    checked, logged_in = away.log_in()
    assert (checked.occasion, checked.answer, checked.live) == ("login", "clear", True)
    assert (logged_in.mode, logged_in.reason) == ("full", "")


def test_a_second_login_is_refused_while_a_session_is_open(casino: Casino) -> None:
    login = {"account": "anna", "session": "again", "register": "clear"}
    refused, *_ = casino.refuse("ALREADY_LOGGED_IN", "log_in", **login)
    assert type(refused).__name__ == "LoginRefused"


def test_a_session_name_is_used_once(away: Casino) -> None:
    away.do("log_in", account="anna", session="s", register="clear")
    away.do("log_out", account="anna")
    away.fail("session s exists", "log_in", account="anna", session="s", register="clear")


@pytest.mark.law("SAZKA 13(3)")
def test_who_is_not_logged_in_can_not_log_out_sit_down_or_bet(away: Casino) -> None:
    away.refuse("NOT_LOGGED_IN", "log_out", account="anna")
    away.refuse("NOT_LOGGED_IN", "take_seat", account="anna", table="l1")
    away.refuse_bet("NOT_LOGGED_IN", away.open_round())


@pytest.mark.law("SAZKA 7(1)", "SAZKA 9(5)", "SAZKA 12a(4)", "L-32")
def test_a_person_found_listed_at_login_may_look_and_withdraw_only(away: Casino) -> None:
    checked, imposed, logged_in = away.log_in(register="listed")
    assert (checked.answer, imposed.ground, imposed.until) == ("listed", "register", None)
    assert (logged_in.mode, logged_in.reason) == ("restricted", "register")
    away.refuse_bet("EXCLUDED", away.open_round())
    away.refuse("NOT_LOGGED_IN", "take_seat", account="anna", table="l1")
    money = {"account": "anna", "amount": 100, "method": "bank"}
    away.refuse("EXCLUDED", "deposit", deposit="d", **money)
    away.do("withdraw", withdrawal="w", **money)


def test_a_restricted_session_stays_restricted_when_the_ban_ends(away: Casino) -> None:
    away.log_in(register="listed")
    away.do("check_register", account="anna", register="clear")
    away.refuse_bet("NOT_LOGGED_IN", away.open_round())
    away.do("log_out", account="anna")
    away.log_in()
    away.bet(away.open_round())


@pytest.mark.law("SAZKA 8(11)")
@pytest.mark.parametrize("answer", ["clear", "listed"])
def test_while_the_register_is_away_the_last_known_state_counts(away: Casino, answer: str) -> None:
    away.do("check_register", account="anna", register=answer)
    checked, *_, logged_in = away.log_in(register="unavailable")
    assert (checked.answer, checked.live) == (answer, False)
    assert logged_in.mode == ("full" if answer == "clear" else "restricted")


@pytest.mark.law("SAZKA 8(11)")
def test_who_was_never_checked_may_play_until_found_listed(house: Casino) -> None:
    house.player(table="")
    house.register("bara", register="unavailable")
    house.decline_measures("bara")
    checked, logged_in = house.log_in("bara", register="unavailable")
    assert (checked.answer, checked.live, logged_in.mode) == ("not_checked", False, "full")
    events = house.do("check_register", account="bara", register="listed")
    assert names(events) == ["RegisterChecked", "ExclusionImposed", "LoggedOut"]
    assert events[-1].cause == "exclusion"
    assert house.account("bara").session == ""


def test_a_clear_answer_ends_the_ban_of_the_register_and_no_other(away: Casino) -> None:
    away.do("impose_exclusion", account="anna", ground="court")
    away.log_in(register="listed")
    away.do("log_out", account="anna")
    events = away.log_in(register="clear")
    assert names(events) == ["RegisterChecked", "ExclusionEnded", "LoggedIn"]
    assert (events[-1].mode, events[-1].reason) == ("restricted", "excluded")


def test_an_answer_that_is_only_the_last_known_one_ends_no_ban(away: Casino) -> None:
    away.do("check_register", account="anna", register="clear")
    away.do("impose_exclusion", account="anna", ground="register")
    *_, logged_in = away.log_in(register="unavailable")
    assert logged_in.mode == "restricted"


def test_who_is_found_listed_by_a_refused_login_is_barred_all_the_same(casino: Casino) -> None:
    login = {"account": "anna", "session": "again", "register": "listed"}
    events = casino.refuse("ALREADY_LOGGED_IN", "log_in", **login)
    assert names(events) == ["LoginRefused", "RegisterChecked", "ExclusionImposed", "LoggedOut"]
    casino.refuse_bet("EXCLUDED", casino.open_round())


def test_the_register_bars_also_where_an_exclusion_with_an_end_was_imposed(away: Casino) -> None:
    until = "2026-02-03T00:00:00+01:00"
    away.do("impose_exclusion", account="anna", ground="register", until=until)
    away.log_in(register="listed")
    away.at("2026-02-04 12:00")
    away.refuse_bet("EXCLUDED", away.open_round())


@pytest.mark.law("SAZKA 9(5)")
def test_chips_of_who_is_found_listed_go_back_at_once(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 300)
    *_, returned = casino.do("check_register", account="anna", register="listed")
    assert (returned.cause, returned.paragraph) == ("exclusion", "SAZKA 7(1), 9(5), 12a(4)")
    (closed,) = casino.close(round_)
    assert (closed.bets, closed.stakes) == (0, 0)
    assert casino.account().wallet == 100_000_00


def test_an_unknown_account_can_not_log_in(house: Casino) -> None:
    login = {"account": "nobody", "session": "s", "register": "clear"}
    house.fail("account nobody is unknown; open it", "log_in", **login)
