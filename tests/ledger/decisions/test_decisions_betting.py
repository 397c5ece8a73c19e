"""Chips placed, taken back, closed; what a bet must keep to (SAZKA 2, 5, 13)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import EVOLUTION

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.mark.law("SAZKA 2 (conclusion of a bet)", "SAZKA 2 (record of a bet)")
def test_money_is_reserved_at_the_placement_and_debited_at_the_close(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_, 300)
    assert (casino.account().wallet, casino.account().reserved) == (99_700_00, 300_00)
    closed, concluded = casino.close(round_)
    assert (closed.bets, closed.stakes) == (1, 300_00)
    assert (concluded.bet, concluded.amount) == (bet, 300_00)
    assert (casino.account().reserved, casino.account().in_play) == (0, 300_00)


@pytest.mark.law("SAZKA 13(4)")
def test_a_bet_is_recorded_with_its_selection_in_words(casino: Casino) -> None:
    chips = casino.chips(casino.open_round(), bet_code="split", selection=[17, 20])
    (placed,) = casino.do("place_bet", **chips)
    assert (placed.selection, placed.wording) == ("[17,20]", "split 17/20")


@pytest.mark.law("SAZKA 2", "SAZKA 2 (conclusion of a bet)")
def test_chips_taken_back_before_the_close_were_never_a_bet(casino: Casino) -> None:
    round_ = casino.open_round()
    back = {"account": "anna", "round": round_, "bet": casino.bet(round_, 300)}
    (withdrawn,) = casino.do("withdraw_bet", **back)
    assert withdrawn.amount == 300_00
    casino.refuse("BET_NOT_ON_TABLE", "withdraw_bet", **back)
    (closed,) = casino.close(round_)
    assert (closed.bets, casino.account().wallet) == (0, 100_000_00)


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
def test_after_the_close_nothing_is_placed_or_taken_back(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    casino.close(round_)
    casino.refuse_bet("BET_AFTER_CLOSE", round_)
    casino.refuse("BET_AFTER_CLOSE", "withdraw_bet", account="anna", round=round_, bet=bet)


def test_nobody_takes_back_the_chips_of_somebody_else(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    bet = casino.bet(round_)
    casino.fail("bara has no bet", "withdraw_bet", account="bara", round=round_, bet=bet)
    casino.fail("has no bet", "withdraw_bet", account="anna", round=round_, bet="another-1")


@pytest.mark.law("SAZKA 13(2)", "L-34", "L-36")
def test_a_bet_needs_cover_to_the_last_haler(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.do("withdraw", account="anna", withdrawal="w", amount=99_900_00, method="bank")
    chips = casino.chips(round_)
    (refused,) = casino.refuse("INSUFFICIENT_FUNDS", "place_bet", **chips | {"stake": 10_001})
    assert (refused.stake, refused.bet_code, refused.table) == (10_001, "red", "r1")
    casino.do("place_bet", **chips)
    casino.refuse("INSUFFICIENT_FUNDS", "place_bet", **casino.chips(round_) | {"stake": 1})


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize(
    ("facts", "reason"),
    [
        ({"bet_code": "basket"}, "GAME_WITHOUT_BET"),
        ({"bet_code": "straight", "selection": [37]}, "SELECTION_NOT_POSSIBLE"),
        ({"bet_code": "straight", "selection": {"x": [[1]]}}, "SELECTION_NOT_POSSIBLE"),
        ({"bet_code": "voisins", "stake": 100}, "STAKE_NOT_DIVISIBLE"),
        ({"bet_code": "straight", "selection": [4], "stake": 10_000_01}, "POSITION_ABOVE_MAXIMUM"),
        ({"stake": 100_000_01}, "POSITION_ABOVE_MAXIMUM"),
    ],
)
def test_what_the_game_plan_does_not_know_is_refused(
    casino: Casino, facts: dict[str, Any], reason: str
) -> None:
    chips = casino.chips(casino.open_round()) | facts
    (refused,) = casino.refuse("BET_NOT_ALLOWED", "place_bet", **chips)
    assert json.loads(refused.parameters)["reason"]["code"] == reason


def test_limits_count_all_chips_of_the_participant_in_the_round(casino: Casino) -> None:
    casino.pay_in(100_000)
    casino.player("bara", money=200_000)
    round_ = casino.open_round()
    casino.bet(round_, 60_000)
    casino.refuse_bet("BET_NOT_ALLOWED", round_, 40_001)
    casino.bet(round_, 40_000)
    casino.bet(round_, 100_000, "bara")


def test_limits_of_the_table_bind_from_the_next_round(casino: Casino) -> None:
    first = casino.open_round()
    casino.wait(minutes=1)
    casino.do("set_table_limits", table="r1", stakes={"red": [50_00, 200_00]}, round_maximum=0)
    casino.bet(first, 300)
    casino.settle(first)
    second = casino.open_round()
    casino.refuse_bet("BET_NOT_ALLOWED", second, 201)
    casino.refuse_bet("BET_NOT_ALLOWED", second, 49)
    casino.bet(second, 200)


@pytest.mark.parametrize("minutes", [0, 1])
@pytest.mark.parametrize("since", ["2026-02-02T11:00:00+01:00", None])
def test_limits_set_during_a_round_do_not_bind_it_whatever_moment_they_name(
    casino: Casino, since: str | None, minutes: int
) -> None:
    first = casino.open_round()
    casino.bet(first, 300)
    casino.wait(minutes=minutes)
    limits = {"table": "r1", "stakes": {"red": [0, 200_00]}}
    (event,) = casino.do("set_table_limits", **limits, effective_from=since)
    assert event.effective_from > casino.round(first).opened_at
    casino.bet(first, 300)
    casino.settle(first)
    casino.wait(minutes=1)
    casino.refuse_bet("BET_NOT_ALLOWED", casino.open_round(), 201)


def test_limits_that_name_a_moment_of_the_past_replace_those_in_force(casino: Casino) -> None:
    casino.do("set_table_limits", table="r1", stakes={"red": [0, 100_00]})
    casino.wait(minutes=1)
    past = "2026-01-01T00:00:00+01:00"
    limits = {"table": "r1", "stakes": {"red": [0, 200_00]}}
    (event,) = casino.do("set_table_limits", **limits, effective_from=past)
    assert event.effective_from == casino.clock.moment
    casino.bet(casino.open_round(), 200)


@pytest.mark.law("SAZKA 5a(2)")
def test_a_bet_is_placed_at_the_table_one_has_joined(casino: Casino) -> None:
    casino.refuse_bet("NOT_SEATED", casino.open_round("r2"))
    casino.do("leave_seat", account="anna", table="r1")
    casino.refuse_bet("NOT_SEATED", casino.open_round("r1"))


@pytest.mark.law("SAZKA 13(4)")
def test_a_bet_is_named_after_its_round_and_used_once(casino: Casino) -> None:
    casino.do("open_round", round="q-1", table="r1")
    chips = casino.chips("q-1")
    casino.do("place_bet", **chips)
    casino.fail("exists already", "place_bet", **chips)
    for name in ("q-1", "q-1-", "q-2-b", "q-b", "q-1-1-1"):
        casino.fail("a name without hyphens: q-1-", "place_bet", **chips | {"bet": name})


def test_two_rounds_can_not_have_a_bet_of_the_same_name(casino: Casino) -> None:
    casino.do("open_round", round="q", table="r1")
    casino.fail("must be its round", "place_bet", **casino.chips("q") | {"bet": "q-1-2"})
    casino.result("q")
    casino.do("open_round", round="q-1", table="r1")
    casino.do("place_bet", **casino.chips("q-1") | {"bet": "q-1-2"})


def test_roulette_has_no_raises_and_so_no_chips_when_the_ball_lies(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    casino.land(round_, 17)
    casino.refuse_bet("BET_AFTER_CLOSE", round_, bet_code="straight", selection=[17])
    late = {"account": "anna", "round": round_, "decision": "double"}
    (refused,) = casino.refuse("DECISION_NOT_ALLOWED", "decide", **late)
    assert (refused.bet, refused.bet_code) == (f"{bet}:double", "double")


@pytest.mark.law("SAZKA 13(6)")
@pytest.mark.parametrize(
    ("suspend", "resume", "facts", "code"),
    [
        ("suspend_table", "resume_table", {"table": "r1"}, "TABLE_SUSPENDED"),
        ("suspend_game", "resume_game", {"game": EVOLUTION}, "GAME_SUSPENDED"),
    ],
)
def test_bets_are_suspended_at_a_table_or_on_a_game_at_any_time(
    casino: Casino, suspend: str, resume: str, facts: dict[str, str], code: str
) -> None:
    round_ = casino.open_round()
    casino.do(suspend, **facts, cause="camera")
    casino.refuse_bet(code, round_)
    casino.result(round_)
    casino.refuse(code, "open_round", round="next", table="r1")
    casino.do(resume, **facts, cause="camera works")
    casino.do("open_round", round="next", table="r1")
    casino.bet("next")
