"""Rulings of the people at a table, and payouts that wait for an investigation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

RULING = {"role": "inspector", "by": "i-3", "matter": "few turns", "ruling": "the spin counts"}
HOLD = {"by": "manager", "paragraph": "SAZKA 15(1)", "cause": "bets combined with a neighbour"}
RELEASE = {"by": "manager", "cause": "nothing was found"}


@pytest.mark.law("69GAMES operation, rulings of the floorman")
def test_a_ruling_stands_in_the_round_and_changes_nothing_by_itself(casino: Casino) -> None:
    round_ = casino.open_round()
    before = casino.round(round_)
    (given,) = casino.do(
        "give_ruling", **RULING, round=round_, account="anna", penalty="sit_out", hands=3
    )
    assert (given.role, given.ruling, given.hands) == ("inspector", "the spin counts", 3)
    assert casino.round(round_) == before
    (given,) = casino.do("give_ruling", **RULING, table="r1", paragraph="SAZKA annex")
    assert (given.table, given.round, given.paragraph) == ("r1", "", "SAZKA annex")


@pytest.mark.parametrize(
    ("words", "facts"),
    [
        ("name the round, the table or the tournament", {}),
        ("hands. are those to sit out", {"table": "r1", "account": "anna", "penalty": "sit_out"}),
        ("hands. are those to sit out", {"table": "r1", "hands": 2}),
        ("a penalty is that of an .account", {"table": "r1", "penalty": "warning"}),
        ("round q is unknown", {"round": "q"}),
        ("table t is unknown", {"table": "t"}),
        ("tournament t is unknown", {"tournament": "t"}),
        ("account b is unknown", {"table": "r1", "account": "b"}),
    ],
)
def test_a_ruling_is_about_what_there_is(casino: Casino, words: str, facts: dict[str, Any]) -> None:
    casino.fail(words, "give_ruling", **RULING, **facts)


@pytest.mark.law("SAZKA 15(1)", "Czech Casinos, general provisions")
def test_a_payout_on_hold_waits_while_others_are_paid(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    mine, hers = casino.bet(round_), casino.bet(round_, account="bara")
    casino.do("hold_payout", round=round_, account="anna", **HOLD)
    casino.refuse("PAYOUT_ON_HOLD", "hold_payout", round=round_, account="anna", **HOLD)
    casino.result(round_)
    casino.refuse("PAYOUT_ON_HOLD", "settle_round", round=round_, payments={mine: 1})
    (settled,) = casino.do("settle_round", round=round_)
    assert settled.bet == hers
    casino.assert_cold_is_hot()
    casino.refuse("PAYOUT_ON_HOLD", "settle_round", round=round_)
    assert casino.account().in_play == 10_000
    casino.play(account="bara")
    with casino.as_reopened():
        casino.do("release_payout", round=round_, account="anna", **RELEASE)
        casino.refuse("PAYOUT_NOT_HELD", "release_payout", round=round_, account="anna", **RELEASE)
        (settled,) = casino.do("settle_round", round=round_)
        assert (settled.bet, settled.paid) == (mine, 20_000)
        assert casino.round(round_).status == "settled"


@pytest.mark.law("SAZKA 15(1)")
def test_what_was_on_hold_is_settled_with_the_cards_of_all(casino: Casino) -> None:
    casino.player("bara", table="")
    casino.do("leave_seat", account="anna", table="r1")
    casino.add_game("sazka.blackjack_evolution", "b1", "anna", "bara")
    round_ = casino.open_round("b1")
    mine = casino.bet(round_, bet_code="main", box="1")
    hers = casino.bet(round_, bet_code="main", box="2", account="bara")
    casino.close(round_)
    for recipient, cards in (("1", "TS"), ("2", "9S"), ("dealer", "TC")):
        casino.deal(round_, recipient, cards)
    casino.deal(round_, "1", "TD")
    casino.deal(round_, "2", "9D")
    casino.deal(round_, "dealer", "?")
    casino.decide(round_, "stand", "1")
    casino.decide(round_, "stand", "2", account="bara")
    casino.do("reveal_card", round=round_, index=5, card="9C")
    casino.do("record_result", round=round_)
    casino.do("hold_payout", round=round_, account="anna", **HOLD)
    (settled,) = casino.do("settle_round", round=round_)
    assert (settled.bet, settled.result) == (hers, "lose")
    casino.do("release_payout", round=round_, account="anna", **RELEASE)
    casino.refuse("BET_NOT_ON_TABLE", "settle_round", round=round_, payments={hers: 1})
    (settled,) = casino.do("settle_round", round=round_)
    assert (settled.bet, settled.paid) == (mine, 20_000)


@pytest.mark.law("SAZKA 15(2)", "SAZKA 15(3)")
@pytest.mark.parametrize("difference", [1_00, -10_000_00])
def test_a_corrected_stake_holds_nobody_elses_payout_up(casino: Casino, difference: int) -> None:
    """The first stake is the largest that the plan allows; the corrections go beyond and to 0."""
    casino.player("bara")
    round_ = casino.open_round()
    mine = casino.bet(round_, 10_000, bet_code="straight", selection=[17])
    hers = casino.bet(round_, account="bara")
    casino.result(round_)
    casino.do("hold_payout", round=round_, account="bara", **HOLD)
    casino.do("settle_round", round=round_)
    casino.do("correct_bet", round=round_, bet=mine, difference=difference, cause="count of chips")
    casino.do("release_payout", round=round_, account="bara", **RELEASE)
    with casino.as_reopened():
        casino.do("settle_round", round=round_)
    (settled,) = casino.do("settle_round", round=round_)
    assert (settled.bet, settled.stake, settled.paid) == (hers, 10_000, 20_000)
    assert casino.account("bara").in_play == 0
    casino.assert_cold_is_hot()


@pytest.mark.law("SAZKA 15(1)")
def test_only_what_is_not_settled_is_put_on_hold(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    casino.bet(round_)
    casino.refuse("BET_NOT_ON_TABLE", "hold_payout", round=round_, account="bara", **HOLD)
    wrong = HOLD | {"paragraph": "SAZKA 1(1)"}
    casino.fail(
        "paragraph. is one of SAZKA 15", "hold_payout", round=round_, account="anna", **wrong
    )
    casino.settle(round_)
    casino.refuse("BET_NOT_ON_TABLE", "hold_payout", round=round_, account="anna", **HOLD)


@pytest.mark.law("SAZKA 17(2)")
def test_a_bet_on_hold_can_still_be_void_for_tampering(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.result(round_)
    casino.do("hold_payout", round=round_, account="anna", **HOLD)
    casino.do("void_bets", round=round_, account="anna", ground="tampering")
    assert casino.round(round_).status == "settled"
    assert casino.account().in_play == 0
