"""120 minutes of play, 15 minutes of break, one table at a time (SAZKA 5a(2) to 5a(6))."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.refusals import RefusedError
from ledger.decisions.protection.continuous_play import require_no_break
from ledger.rules.operator import shipped_rules
from tests.ledger.decisions.decisions_casino import sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

SHORT = -1
"""One microsecond less."""


def breaks(casino: Casino) -> int:
    return len(casino.all_events("BreakImposed"))


@pytest.mark.law("SAZKA 5a(3)", "L-51")
def test_at_exactly_120_minutes_a_break_begins(casino: Casino) -> None:
    casino.sit_through(120)
    (imposed,) = casino.all_events("BreakImposed")
    assert imposed.last_evaluated_at == casino.clock.moment
    assert imposed.sequence_started_at == casino.clock.moment - 120 * 60_000_000
    assert imposed.until == casino.clock.moment + 15 * 60_000_000
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round())


@pytest.mark.law("SAZKA 5a(3)", "L-51")
def test_a_microsecond_below_120_minutes_is_no_break(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.wait(minutes=120, microseconds=SHORT)
    casino.settle(round_)
    assert breaks(casino) == 0
    casino.bet(casino.open_round())


@pytest.mark.law("SAZKA 5a(3)", "L-51")
def test_the_break_ends_at_exactly_15_minutes(casino: Casino) -> None:
    casino.sit_through(120)
    casino.wait(minutes=15, microseconds=SHORT)
    (refused,) = casino.refuse_bet("BREAK_REQUIRED", casino.open_round())
    assert "2026-02-02T14:15:00+01:00" in sentence_of(refused)
    casino.wait(microseconds=1)
    casino.bet(casino.open_round())


def test_after_the_break_a_new_sequence_begins(casino: Casino) -> None:
    casino.sit_through(120)
    casino.wait(minutes=15)
    casino.sit_through(119)
    casino.bet(casino.open_round())
    assert breaks(casino) == 1


@pytest.mark.law("SAZKA 5a(5)")
def test_a_pause_below_15_minutes_goes_on_with_the_sequence(casino: Casino) -> None:
    casino.sit_through(60)
    casino.wait(minutes=15, microseconds=SHORT)
    casino.sit_through(46)
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round())


@pytest.mark.law("SAZKA 5a(5)")
def test_a_pause_of_15_minutes_ends_the_sequence(casino: Casino) -> None:
    casino.sit_through(60)
    casino.wait(minutes=15)
    casino.sit_through(119)
    casino.bet(casino.open_round())


def test_the_worked_example_of_119_and_122_minutes(casino: Casino) -> None:
    casino.at("2026-02-02 20:00")
    casino.sit_through(119)
    casino.at("2026-02-02 22:00")
    round_ = casino.open_round()
    casino.bet(round_)
    casino.at("2026-02-02 22:02")
    casino.settle(round_)
    casino.at("2026-02-02 22:16:59.999999")
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round())
    casino.at("2026-02-02 22:17")
    casino.bet(casino.open_round())


def test_the_sequence_begins_with_the_first_placement_that_became_a_bet(casino: Casino) -> None:
    round_ = casino.open_round()
    taken_back = casino.bet(round_)
    casino.do("withdraw_bet", account="anna", round=round_, bet=taken_back)
    casino.wait(minutes=1)
    casino.bet(round_)
    casino.wait(minutes=1)
    casino.bet(round_)
    casino.wait(minutes=118)
    casino.settle(round_)
    casino.bet(casino.open_round())
    assert breaks(casino) == 0


@pytest.mark.law("SAZKA 5a(6)")
def test_placements_count_from_the_placing_and_not_from_the_close(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.wait(minutes=119)
    casino.close(round_)
    casino.wait(minutes=1)
    casino.settle(round_)
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round())


@pytest.mark.law("SAZKA 5a(6)")
def test_the_evaluation_is_the_result_and_not_the_settlement(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.wait(minutes=119)
    casino.result(round_)
    casino.wait(minutes=10)
    casino.do("settle_round", round=round_)
    casino.bet(casino.open_round())


def test_bets_not_yet_settled_belong_to_the_sequence_of_their_own_round(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.wait(minutes=100)
    casino.result(round_)
    casino.wait(minutes=15)
    casino.sit_through(30)
    casino.bet(casino.open_round())
    assert casino.account().sequence_started_at == casino.clock.moment - 30 * 60_000_000


def test_a_void_round_has_no_evaluation(casino: Casino) -> None:
    casino.sit_through(60)
    casino.wait(minutes=10)
    round_ = casino.open_round()
    casino.bet(round_)
    casino.wait(minutes=60)
    casino.do("void_round", round=round_, ground="operator_interruption")
    casino.sit_through(119)
    assert breaks(casino) == 0
    casino.bet(casino.open_round())


def test_who_has_no_bet_in_a_round_is_not_evaluated_by_it(casino: Casino) -> None:
    casino.player("bara", table="r1")
    casino.sit_through(119, "bara")
    casino.wait(minutes=14)
    casino.play()
    casino.wait(minutes=2)
    casino.sit_through(10, "bara")
    assert breaks(casino) == 0


def test_each_participant_has_a_sequence(casino: Casino) -> None:
    casino.player("bara", table="r1")
    casino.sit_through(120)
    round_ = casino.open_round()
    casino.refuse_bet("BREAK_REQUIRED", round_)
    casino.bet(round_, account="bara")


@pytest.mark.law("SAZKA 5a(5)")
def test_the_sequence_runs_over_all_streamed_tables(casino: Casino) -> None:
    casino.sit_through(60)
    casino.do("leave_seat", account="anna", table="r1")
    casino.do("take_seat", account="anna", table="r2")
    round_ = casino.open_round("r2")
    casino.bet(round_)
    casino.wait(minutes=60)
    casino.settle(round_)
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round("r2"))


def test_land_based_tables_do_not_count_and_are_not_barred(casino: Casino) -> None:
    casino.do("take_seat", account="anna", table="l1")
    round_ = casino.open_round("l1")
    casino.bet(round_)
    casino.wait(minutes=130)
    casino.settle(round_)
    assert breaks(casino) == 0
    casino.sit_through(120)
    casino.refuse_bet("BREAK_REQUIRED", casino.open_round())
    casino.bet(casino.open_round("l1"))


def test_play_at_a_land_based_table_does_not_bridge_a_pause(casino: Casino) -> None:
    casino.do("take_seat", account="anna", table="l1")
    casino.sit_through(110)
    casino.wait(minutes=10)
    round_ = casino.open_round("l1")
    casino.bet(round_)
    casino.settle(round_)
    casino.wait(minutes=10)
    casino.sit_through(15)
    assert breaks(casino) == 0


def test_the_clock_change_makes_no_difference(casino: Casino) -> None:
    casino.at("2026-03-29 01:00")
    casino.sit_through(119)
    casino.bet(casino.open_round())
    assert breaks(casino) == 0


@pytest.fixture
def raised(house: Casino) -> tuple[Casino, str]:
    """Give a dealt round of blackjack during a break of its player.

    With one table at a time no evaluation comes between a bet and its raise; so the test moves
    the last one by hand to where the ban of 5a(3) is in force.
    """
    house.player()
    house.sit_through(119)
    house.do("leave_seat", account="anna", table="r1")
    house.add_game("sazka.blackjack_synot", "b1", "anna")
    round_ = house.open_round("b1")
    house.do("place_bet", **house.chips(round_, bet_code="main", box="1", bet=f"{round_}-m"))
    house.close(round_)
    house.deal(round_, "1", "5H 6D")
    house.deal(round_, "dealer", "9C ?")
    account = house.account()
    account.last_evaluated_at += 60_000_000
    with pytest.raises(RefusedError, match="BREAK_REQUIRED"):
        require_no_break(account, house.clock.moment, shipped_rules()["sazka"].figures)
    return house, round_


@pytest.mark.law("SAZKA 5a(4)")
def test_a_raise_that_finishes_a_round_is_exempt_from_the_break(
    raised: tuple[Casino, str],
) -> None:
    casino, round_ = raised
    decided, placed, concluded = casino.decide(round_, "double", "1")
    assert decided.decision == "double"
    assert (placed.parent, concluded.bet) == (f"{round_}-m", placed.bet)


@pytest.mark.law("SAZKA 5a(4)")
@pytest.mark.parametrize(
    ("command", "facts", "code"),
    [
        ("press_panic_button", {"account": "anna"}, "PANIC_BLOCK"),
        ("impose_exclusion", {"account": "anna", "ground": "court"}, "EXCLUDED"),
        ("request_cancellation", {"account": "anna", "ground": "12(4)"}, "CANCELLATION_RUNS"),
        ("suspend_table", {"table": "b1", "cause": "c"}, "TABLE_SUSPENDED"),
        ("suspend_game", {"game": "sazka.blackjack_synot", "cause": "c"}, "GAME_SUSPENDED"),
        ("disconnect", {"account": "anna", "table": "b1"}, "DISCONNECTED"),
        ("log_out", {"account": "anna"}, "NOT_LOGGED_IN"),
    ],
)
def test_a_raise_is_exempt_from_no_other_ban(
    raised: tuple[Casino, str], command: str, facts: dict[str, str], code: str
) -> None:
    casino, round_ = raised
    casino.do(command, **facts)
    (refused,) = casino.refuse_decision(code, round_, "double", "1")
    assert (refused.bet, refused.stake) == (f"{round_}-m:double:1", 100_00)
    assert casino.round(round_).actions == []


def test_a_raise_needs_money_and_measures_like_any_bet(
    raised: tuple[Casino, str],
) -> None:
    casino, round_ = raised
    casino.account().measures["a"].value = 299_00
    casino.refuse_decision("MEASURE_STAKES_DAY", round_, "double", "1")
    casino.account().measures["a"].value = None
    wallet = casino.account().wallet
    casino.do("withdraw", account="anna", withdrawal="w", amount=wallet - 99_99, method="bank")
    casino.refuse_decision("INSUFFICIENT_FUNDS", round_, "double", "1")


@pytest.mark.law("SAZKA 5a(2)")
def test_one_streamed_table_at_a_time(casino: Casino) -> None:
    (refused,) = casino.refuse("OTHER_TABLE", "take_seat", account="anna", table="r2")
    assert "plays at table r1" in sentence_of(refused)
    casino.do("take_seat", account="anna", table="l1")
    casino.do("leave_seat", account="anna", table="r1")
    casino.do("take_seat", account="anna", table="r2")


@pytest.mark.law("SAZKA 5a(2)")
def test_bets_still_open_keep_a_participant_at_their_table(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.close(round_)
    casino.do("leave_seat", account="anna", table="r1")
    casino.refuse("OTHER_TABLE", "take_seat", account="anna", table="r2")
    casino.settle(round_)
    casino.do("take_seat", account="anna", table="r2")


@pytest.mark.law("SAZKA 5a(6)", "L-51")
@pytest.mark.parametrize(("before", "after", "goes_on"), [(15, 30, False), (30, 15, True)])
def test_play_is_counted_by_the_rules_in_force_at_each_result(
    house: Casino, before: int, after: int, *, goes_on: bool
) -> None:
    """Rules that are published after two rounds with 20 minutes between change nothing of them."""
    house.change_rules(play_minutes=119, break_minutes=before)
    house.player()
    house.sit_through(60)
    house.wait(minutes=20)
    house.sit_through(60)
    house.change_rules(break_minutes=after)
    assert breaks(house) == goes_on
    house.assert_cold_is_hot()
    round_ = house.open_round()
    with house.as_reopened():
        receipt = house.send("place_bet", **house.chips(round_))
    assert (receipt.refused is not None) == goes_on
