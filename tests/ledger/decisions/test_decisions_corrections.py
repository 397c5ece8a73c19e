"""Corrections after settlement, prizes withheld or reclaimed (SAZKA 15(1), 17(2))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.fixture
def won(casino: Casino) -> tuple[Casino, dict[str, Any]]:
    """Give a settled bet of 100 crowns that was paid 200, and the facts that name it."""
    round_ = casino.open_round()
    bet = casino.bet(round_)
    casino.settle(round_)
    return casino, {"round": round_, "bet": bet, "cause": "the screen showed 3"}


@pytest.mark.law("L-17")
@pytest.mark.parametrize("difference", [1, 50_00, -1, -200_00])
def test_a_win_is_corrected_by_a_new_fact(
    won: tuple[Casino, dict[str, Any]], difference: int
) -> None:
    casino, bet = won
    (corrected,) = casino.do("correct_win", **bet, difference=difference)
    assert (corrected.bet, corrected.difference) == (bet["bet"], difference)
    assert casino.account().wallet == 100_100_00 + difference


@pytest.mark.law("L-17")
@pytest.mark.parametrize("difference", [1, -1, -100_00])
def test_a_stake_is_corrected_by_a_new_fact(
    won: tuple[Casino, dict[str, Any]], difference: int
) -> None:
    casino, bet = won
    casino.do("correct_bet", **bet, difference=difference)
    assert casino.account().wallet == 100_100_00 - difference


def test_a_correction_changes_something_and_goes_not_below_zero(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    for command in ("correct_win", "correct_bet"):
        casino.fail("changes something", command, **bet, difference=0)
    casino.fail("payment of bet .* below zero", "correct_win", **bet, difference=-200_01)
    casino.fail("stake of bet .* below zero", "correct_bet", **bet, difference=-100_01)
    casino.refuse("BET_NOT_SETTLED", "correct_win", **bet | {"bet": "none"}, difference=1)


def test_a_stake_is_not_corrected_below_zero_bit_by_bit(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("correct_bet", **bet, difference=-60_00)
    casino.fail("stake of bet .* below zero", "correct_bet", **bet, difference=-40_01)
    casino.do("correct_bet", **bet, difference=-40_00)
    casino.do("correct_bet", **bet, difference=100_00)


def test_a_correction_may_take_the_last_haler_and_counts_from_the_one_before(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("correct_win", **bet, difference=50_00)
    casino.do("correct_win", **bet, difference=-100_00)
    casino.fail("below zero", "correct_win", **bet, difference=-150_01)
    casino.do("withdraw", account="anna", withdrawal="w", amount=99_900_00, method="bank")
    casino.do("correct_win", **bet, difference=-150_00)
    assert casino.account().wallet == 0


@pytest.mark.law("SAZKA 17(3)")
def test_what_the_wallet_does_not_hold_of_a_correction_is_a_claim(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_099_00, method="bank")
    (lower,) = casino.do("correct_win", **bet, difference=-1_01)
    assert (lower.difference, lower.claimed) == (-1_01, 1)
    (higher,) = casino.do("correct_bet", **bet, difference=7_00)
    assert (higher.difference, higher.claimed) == (7_00, 7_00)
    assert (casino.account().wallet, casino.account().claims) == (0, 7_01)


def test_a_prize_is_claimed_back_once(won: tuple[Casino, dict[str, Any]]) -> None:
    """A claimed part counts as taken back for the corrections that follow."""
    casino, bet = won
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_100_00, method="bank")
    (first,) = casino.do("withhold_prize", **bet, amount=150_00, paragraph="SAZKA 15(1)")
    assert (first.collected, first.claimed) == (0, 150_00)
    casino.fail("below zero", "correct_win", **bet, difference=-50_01)
    casino.do("withhold_prize", **bet, amount=50_00, paragraph="SAZKA 15(1)")
    assert casino.account().claims == 200_00


@pytest.mark.law("SAZKA 10(3)")
def test_a_deposit_that_was_played_is_returned_and_claimed(casino: Casino) -> None:
    """A chargeback comes whatever the wallet holds (SAZKA 10(3))."""
    casino.do("withdraw", account="anna", withdrawal="w", amount=99_990_00, method="bank")
    late = casino.pay_in(100)
    casino.bet(casino.open_round(), 70)
    (returned,) = casino.do("return_deposit", account="anna", deposit=late, reason="chargeback")
    assert (returned.amount, returned.claimed) == (100_00, 60_00)
    state = casino.account()
    assert (state.wallet, state.reserved, state.claims) == (0, 70_00, 60_00)


@pytest.mark.law("SAZKA 17(3)")
def test_a_claim_is_settled_by_an_act_of_its_own(won: tuple[Casino, dict[str, Any]]) -> None:
    casino, bet = won
    claim = {"account": "anna", "reason": "agreed by letter"}
    casino.refuse("CLAIM_TOO_LOW", "settle_claim", **claim, amount=1, way="outside")
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_100_00, method="bank")
    casino.do("correct_win", **bet, difference=-100_00)
    casino.refuse("INSUFFICIENT_FUNDS", "settle_claim", **claim, amount=1, way="wallet")
    casino.pay_in(80)
    assert (casino.account().wallet, casino.account().claims) == (80_00, 100_00)
    casino.do("settle_claim", **claim, amount=70_00, way="wallet")
    casino.do("settle_claim", **claim, amount=30_00, way="outside")
    assert (casino.account().wallet, casino.account().claims) == (10_00, 0)
    casino.refuse("CLAIM_TOO_LOW", "settle_claim", **claim, amount=1, way="outside")


def test_an_account_with_a_claim_is_closed_and_the_claim_outlives_it(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_100_00, method="bank")
    casino.do("correct_win", **bet, difference=-100_00)
    casino.do("pay_withdrawal", account="anna", withdrawal="w")
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="receipt")
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", account="anna")
    assert (casino.account().status, casino.account().claims) == ("closed", 100_00)
    paid = {"account": "anna", "amount": 100_00, "way": "outside", "reason": "paid in court"}
    casino.do("settle_claim", **paid)
    assert casino.account().claims == 0


def test_only_a_settled_bet_is_corrected(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = {"round": round_, "bet": casino.bet(round_), "cause": "c"}
    casino.refuse("BET_NOT_SETTLED", "correct_win", **bet, difference=1)
    casino.refuse("BET_NOT_SETTLED", "correct_bet", **bet, difference=1)
    withheld = {"amount": 1, "paragraph": "SAZKA 15(1)"}
    casino.refuse("BET_NOT_SETTLED", "withhold_prize", **bet, **withheld)


@pytest.mark.law("SAZKA 15(1)", "SAZKA 17(2)")
@pytest.mark.parametrize("paragraph", ["SAZKA 15(1)", "SAZKA 17(2)"])
def test_a_prize_is_reclaimed_where_the_plan_was_breached(
    won: tuple[Casino, dict[str, Any]], paragraph: str
) -> None:
    casino, bet = won
    (withheld,) = casino.do("withhold_prize", **bet, amount=200_00, paragraph=paragraph)
    assert (withheld.collected, withheld.paragraph) == (200_00, paragraph)
    assert casino.account().wallet == 99_900_00
    casino.refuse("PRIZE_TOO_LOW", "withhold_prize", **bet, amount=1, paragraph=paragraph)
    known = r"`paragraph` is one of SAZKA 15\(1\), SAZKA 17\(2\)"
    casino.fail(known, "withhold_prize", **bet, amount=1, paragraph="SAZKA 1(1)")


def test_a_prize_that_was_not_paid_is_withheld_without_taking_money(casino: Casino) -> None:
    round_ = casino.open_round()
    name = casino.bet(round_)
    casino.settle(round_, payments={name: 0})
    bet = {"round": round_, "bet": name, "amount": 200_00, "cause": "two accounts"}
    (withheld,) = casino.do("withhold_prize", **bet, paragraph="SAZKA 15(1)")
    assert (withheld.amount, withheld.collected) == (200_00, 0)
    assert casino.account().wallet == 99_900_00


def test_what_the_wallet_does_not_hold_of_a_prize_remains_a_claim(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("withdraw", account="anna", withdrawal="w", amount=100_050_00, method="bank")
    (withheld,) = casino.do("withhold_prize", **bet, amount=200_00, paragraph="SAZKA 17(2)")
    assert (withheld.amount, withheld.collected) == (200_00, 50_00)
    assert (withheld.claimed, casino.account().claims) == (150_00, 150_00)
    assert casino.account().wallet == 0


def test_what_a_correction_brings_to_a_closed_account_goes_back_at_once(
    won: tuple[Casino, dict[str, Any]],
) -> None:
    casino, bet = won
    casino.do("request_cancellation", account="anna", ground="12(4)")
    casino.do("confirm_cancellation", account="anna", notice="receipt")
    casino.wait(minutes=16 * 24 * 60)
    casino.do("close_account", account="anna")
    _, returned = casino.do("correct_win", **bet, difference=70_00)
    assert (returned.amount, returned.way) == (70_00, "account")
    _, returned = casino.do("correct_bet", **bet, difference=-30_00)
    assert (returned.amount, casino.account().wallet) == (30_00, 0)
    (claimed,) = casino.do("correct_bet", **bet, difference=1)
    assert (claimed.claimed, casino.account().wallet, casino.account().claims) == (1, 0, 1)


def test_a_card_that_got_back_all_it_brought_gets_no_more(house: Casino) -> None:
    house.register()
    house.add_method("anna", "card", "card")
    house.decline_measures()
    house.pay_in(100, method="card")
    house.log_in()
    house.do("take_seat", account="anna", table="r1")
    round_ = house.open_round()
    bet = {"round": round_, "bet": house.bet(round_, 10), "cause": "c"}
    house.settle(round_)
    house.do("request_cancellation", account="anna", ground="12(4)")
    house.do("confirm_cancellation", account="anna", notice="receipt")
    house.wait(minutes=16 * 24 * 60)
    house.do("close_account", account="anna")
    _, returned = house.do("correct_win", **bet, difference=70_00)
    assert (returned.amount, returned.way) == (70_00, "postal")


@pytest.mark.law("SAZKA 17(2)")
@pytest.mark.parametrize(("difference", "left"), [(-50_00, 150_00), (-200_00, 0), (100_00, 300_00)])
def test_after_a_correction_what_is_left_of_the_win_can_be_withheld(
    won: tuple[Casino, dict[str, Any]], difference: int, left: int
) -> None:
    casino, bet = won
    casino.do("correct_win", **bet, difference=difference)
    withheld = {"paragraph": "SAZKA 17(2)"}
    casino.refuse("PRIZE_TOO_LOW", "withhold_prize", **bet, **withheld, amount=left + 1)
    if left:
        casino.do("withhold_prize", **bet, **withheld, amount=left)
    casino.refuse("PRIZE_TOO_LOW", "withhold_prize", **bet, **withheld, amount=1)
