"""The close judges every chip again; a bet belongs to its record (SAZKA 2, 7(1), 13(2), 13(5))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import CROWN, EVOLUTION
from tests.ledger.decisions.poker_room import Room
from tests.ledger.decisions.test_decisions_cards import begin, lay

if TYPE_CHECKING:
    from ledger.events.event_types import Event
    from tests.ledger.decisions.decisions_casino import Casino

HOLDEM, ULTIMATE = "sazka.casino_holdem", "69games.ultimate_texas_holdem"
BEFORE, AFTER = "2026-03-31 23:59:50", "2026-04-01 00:00:10"
"""Chips placed, and closed when both the day and the month are new ones."""


def limit(casino: Casino, letter: str, value: int, account: str = "anna") -> None:
    """Set a measure; crowns for a to d, minutes for f and g."""
    unit = CROWN if letter in "abcd" else 1
    casino.do("set_limit", account=account, measure=letter, value=value * unit)


def tightened(casino: Casino, letter: str, value: int) -> None:
    """Let a measure of 1,000 crowns be ``value`` from the first of April on."""
    casino.at("2026-03-31 12:00")
    limit(casino, letter, 1000)
    limit(casino, letter, value)
    casino.at(BEFORE)


def causes(events: list[Event]) -> list[tuple[str, str]]:
    return [(event.cause, event.paragraph) for event in events if hasattr(event, "cause")]


# What bars a bet at the close


@pytest.mark.law("SAZKA 7(1)", "SAZKA 13(2)", "L-47")
@pytest.mark.parametrize(
    ("letter", "cause"),
    [
        ("a", "measure_stakes_day"),
        ("b", "measure_stakes_month"),
        ("c", "measure_loss_day"),
        ("d", "measure_loss_month"),
    ],
)
def test_chips_over_a_measure_that_was_tightened_at_midnight_go_back(
    undecided: Casino, letter: str, cause: str
) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    tightened(undecided, letter, 300)
    round_ = undecided.open_round()
    for stake in (200, 200, 100):
        undecided.bet(round_, stake)
    undecided.at(AFTER)
    closed, first, second, third = undecided.close(round_)
    assert (closed.bets, closed.stakes) == (2, 300_00)
    assert (first.amount, third.amount) == (200_00, 100_00)
    assert causes([first, second, third]) == [(cause, "SAZKA 13(2)")]
    assert undecided.account().wallet == 99_700_00
    undecided.assert_cold_is_hot()


def test_chips_whose_login_time_was_used_up_before_the_close_go_back(undecided: Casino) -> None:
    undecided.decline_measures(letters="abcdeg")
    limit(undecided, "f", 60)
    round_ = undecided.open_round()
    undecided.wait(minutes=60, microseconds=-1)
    undecided.bet(round_)
    undecided.wait(microseconds=1)
    assert causes(undecided.close(round_)) == [("login_time", "ZHH 15")]


@pytest.mark.law("SAZKA 2 (conclusion of a bet)", "SAZKA 13(6)")
@pytest.mark.parametrize(
    ("command", "facts", "reason"),
    [
        ("suspend_table", {"table": "r1", "cause": "c"}, ("table_suspended", "SAZKA 13(6)")),
        ("suspend_game", {"game": EVOLUTION, "cause": "c"}, ("game_suspended", "SAZKA 13(6)")),
        (
            "change_account_mode",
            {"account": "anna", "regime": "permanent", "internet": False, "land_based": True},
            ("land_based_only", "SAZKA 8(1)"),
        ),
    ],
)
def test_whatever_bars_a_bet_sends_the_chips_back_at_the_close(
    casino: Casino, command: str, facts: dict[str, Any], reason: tuple[str, str]
) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.do(command, **facts)
    assert causes(casino.close(round_)) == [reason]
    assert casino.account().wallet == 100_000_00


def test_chips_of_another_table_count_if_they_lie_longer(undecided: Casino) -> None:
    undecided.decline_measures(letters="bcdefg")
    undecided.do("take_seat", account="anna", table="l1")
    tightened(undecided, "a", 300)
    first, second = undecided.open_round("l1"), undecided.open_round("r1")
    undecided.bet(first, 200)
    undecided.bet(second, 200)
    undecided.at(AFTER)
    assert undecided.close(second)[0].bets == 0
    assert undecided.close(first)[0].bets == 1


def test_the_ban_of_120_minutes_is_one_on_placing(casino: Casino) -> None:
    """No evaluation can come between; the test moves the last one by hand to where one does."""
    casino.sit_through(119)
    round_ = casino.open_round()
    casino.bet(round_)
    casino.account().last_evaluated_at += 60_000_000
    casino.refuse_bet("BREAK_REQUIRED", round_)
    assert casino.close(round_)[0].bets == 1


# Chips that need others


def test_an_ante_whose_blind_may_be_no_bet_goes_back_and_leaves_room_for_others(
    house: Casino,
) -> None:
    round_ = begin(house, ULTIMATE)
    for box in "12":
        lay(house, round_, f"ante{box}", "ante", 100 // int(box), box=box)
        lay(house, round_, f"blind{box}", "blind", 100 // int(box), box=box)
    house.account().measures["a"].value = 150_00
    closed, *outcomes = house.close(round_)
    assert (closed.bets, closed.stakes) == (2, 100_00)
    assert [getattr(event, "cause", "bet") for event in outcomes] == [
        "incomplete",
        "measure_stakes_day",
        "bet",
        "bet",
    ]


def test_a_side_bet_and_a_blind_call_go_back_with_the_bet_that_they_need(house: Casino) -> None:
    round_ = begin(house, HOLDEM)
    lay(house, round_, "ante", "ante", 100)
    lay(house, round_, "bonus", "aa", 50)
    house.decide(round_, "call_blind")
    house.account().measures["a"].value = 60_00
    closed, *outcomes = house.close(round_)
    assert closed.bets == 0
    assert [event.cause for event in outcomes] == [
        "measure_stakes_day",
        "incomplete",
        "measure_stakes_day",
    ]
    assert house.round(round_).actions == []
    assert house.account().wallet == 100_000_00


def test_a_blind_call_that_may_be_no_bet_leaves_its_ante(house: Casino) -> None:
    round_ = begin(house, HOLDEM)
    lay(house, round_, "ante", "ante", 100)
    house.decide(round_, "call_blind")
    house.account().measures["a"].value = 200_00
    _, ante, call = house.close(round_)
    assert (ante.amount, call.cause) == (100_00, "measure_stakes_day")
    assert house.round(round_).actions == []
    house.deal(round_, "anna", "AS AH")


# The day and month of a bet


@pytest.mark.law("SAZKA 13(5)")
@pytest.mark.parametrize(
    ("letter", "code"),
    [
        ("a", "MEASURE_STAKES_DAY"),
        ("b", "MEASURE_STAKES_MONTH"),
        ("c", "MEASURE_LOSS_DAY"),
        ("d", "MEASURE_LOSS_MONTH"),
    ],
)
def test_a_bet_counts_in_the_day_and_month_of_its_record(
    undecided: Casino, letter: str, code: str
) -> None:
    undecided.decline_measures(letters="abcdefg".replace(letter, ""))
    limit(undecided, letter, 500)
    undecided.at(BEFORE)
    round_ = undecided.open_round()
    undecided.bet(round_, 500)
    undecided.at(AFTER)
    undecided.refuse_bet(code, round_, 1)  # chips on the table count in the new day, too
    undecided.settle(round_, number=2)
    undecided.refuse_bet(code, undecided.open_round(), 1)
    undecided.at("2026-05-01 00:00")
    undecided.bet(undecided.open_round(), 500)


@pytest.mark.law("SAZKA 13(5)")
def test_a_bet_is_in_the_books_of_the_day_of_its_record(casino: Casino) -> None:
    casino.at(BEFORE)
    round_ = casino.open_round()
    casino.bet(round_, 500)
    casino.at(AFTER)
    casino.settle(round_, number=2)
    casino.at("2026-04-02 00:00")
    casino.send("close_books", account="anna")
    *_, before, after = casino.all_events("AccountStatement")
    assert (before.gaming_day, before.stakes, before.reserved) == ("2026-03-31", 0, 500_00)
    assert (after.gaming_day, after.stakes) == ("2026-04-01", 500_00)


def test_a_void_bet_leaves_the_day_of_its_record_and_frees_nothing_of_today(
    undecided: Casino,
) -> None:
    undecided.decline_measures(letters="bcdefg")
    limit(undecided, "a", 500)
    undecided.at(BEFORE)
    yesterday = undecided.open_round()
    undecided.bet(yesterday, 500)
    undecided.close(yesterday)
    undecided.at(AFTER)
    undecided.do("void_round", round=yesterday, ground="operator_interruption")
    today = undecided.open_round()
    undecided.bet(today, 500)
    undecided.close(today)
    undecided.refuse_bet("MEASURE_STAKES_DAY", undecided.open_round("l1"), 1)
    undecided.do("void_round", round=today, ground="operator_interruption")
    undecided.bet(undecided.open_round(), 500)
    undecided.assert_cold_is_hot()


@pytest.mark.parametrize("end", ["misdeal", "uncalled"])
def test_money_of_a_hand_leaves_the_day_in_which_it_was_put_in(house: Casino, end: str) -> None:
    room = Room(house)
    room.players("anna", "bara")
    house.at(BEFORE)
    room.hand("h", "anna", "bara")
    room.blinds("h", "anna", "bara")
    house.at(AFTER)
    room.act("h", "anna", "raise", 150)
    if end == "misdeal":
        house.do("declare_misdeal", round="h", ground="misdeal_extra_cards")
    else:
        room.act("h", "bara", "fold")
        house.do("settle_hand", round="h")
    account = house.account("anna")
    stakes = {"misdeal": 0, "uncalled": 50_00}[end]  # 100 of the 150 nobody called
    assert account.today(house.clock.moment).stakes == stakes
    assert account.this_month(house.clock.moment).stakes == stakes
    house.assert_cold_is_hot()


# A session that ends


@pytest.mark.law("SAZKA 13(3)")
@pytest.mark.parametrize(
    ("command", "facts", "reason"),
    [
        ("log_out", {}, ("logout", "SAZKA 13(3); annex, disconnection")),
        ("log_out", {"cause": "automatic"}, ("logout", "SAZKA 13(3); annex, disconnection")),
        ("log_out", {"cause": "time_limit"}, ("login_time", "ZHH 15; annex, disconnection")),
        ("impose_exclusion", {"ground": "court"}, ("exclusion", "SAZKA 7(1), 9(5), 12a(4)")),
        ("check_register", {"register": "listed"}, ("exclusion", "SAZKA 7(1), 9(5), 12a(4)")),
    ],
)
def test_chips_go_back_with_the_end_of_the_session(
    casino: Casino, command: str, facts: dict[str, str], reason: tuple[str, str]
) -> None:
    casino.do("take_seat", account="anna", table="l1")
    for table in ("r1", "l1"):
        casino.bet(casino.open_round(table), 300)
    events = casino.do(command, account="anna", **facts)
    assert [type(event).__name__ for event in events[-3:]] == ["LoggedOut", *["BetReturned"] * 2]
    assert causes(events[-2:]) == [reason] * 2
    assert (casino.account().reserved, casino.account().wallet) == (0, 100_000_00)
    casino.log_in()
    assert casino.close(casino.open_round())[0].bets == 0
    casino.assert_cold_is_hot()


@pytest.mark.law("SAZKA 13(3)")
def test_chips_go_back_also_where_a_refused_login_finds_the_participant_listed(
    casino: Casino,
) -> None:
    casino.bet(casino.open_round())
    login = {"account": "anna", "session": "again", "register": "listed"}
    *_, returned = casino.refuse("ALREADY_LOGGED_IN", "log_in", **login)
    assert (type(returned).__name__, returned.cause) == ("BetReturned", "exclusion")


def test_bets_stand_when_the_session_ends_after_the_close(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 100)
    casino.close(round_)
    (logged_out,) = casino.do("log_out", account="anna", cause="time_limit")
    assert type(logged_out).__name__ == "LoggedOut"
    casino.settle(round_)
    assert casino.account().wallet == 100_100_00


@pytest.mark.law("SAZKA 13(6)")
def test_bets_are_suspended_without_a_reason_given(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.do("suspend_table", table="r1")
    casino.refuse_bet("TABLE_SUSPENDED", round_)
    casino.do("resume_table", table="r1", cause="it goes on")
    casino.do("suspend_game", game="sazka.roulette_evolution")
    casino.refuse_bet("GAME_SUSPENDED", round_)
