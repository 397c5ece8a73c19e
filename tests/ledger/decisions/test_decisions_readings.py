"""Readings of `docs/rules.md` where the texts leave room; each test is one row there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

ANNA = {"account": "anna"}


@pytest.mark.law("SAZKA 13(6)")
@pytest.mark.parametrize("what", ["table", "game"])
def test_chips_placed_before_a_suspension_go_back_at_the_close(casino: Casino, what: str) -> None:
    """SAZKA 13(6): a bet is accepted at the close, and there none is accepted any more."""
    round_ = casino.open_round()
    lying, taken = casino.bet(round_), casino.bet(round_)
    casino.do(f"suspend_{what}", **suspended(casino, what))
    casino.do("withdraw_bet", bet=taken, round=round_, **ANNA)
    _closed, back = casino.do("close_bets", round=round_)
    assert (back.type, back.bet, back.cause) == ("BetReturned", lying, f"{what}_suspended")
    assert back.paragraph == "SAZKA 13(6)"


@pytest.mark.parametrize("what", ["table", "game"])
def test_chips_become_bets_where_the_suspension_ended_before_the_close(
    casino: Casino, what: str
) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.do(f"suspend_{what}", **suspended(casino, what))
    casino.do(f"resume_{what}", **suspended(casino, what))
    _closed, concluded = casino.do("close_bets", round=round_)
    assert concluded.type == "BetConcluded"


def suspended(casino: Casino, what: str) -> dict[str, str]:
    game = casino.ledger._ledger_state.operator_state.tables["r1"].game
    return {what: "r1" if what == "table" else game, "cause": "a ball is lost"}


@pytest.mark.law("SAZKA 2 (claim to a win)", "SAZKA 15(2)")
def test_a_seat_is_free_with_the_result_not_with_the_settlement(casino: Casino) -> None:
    """SAZKA 2 and 15(2): the claim to the win is realised with the result."""
    round_ = casino.open_round()
    casino.bet(round_)
    casino.do("spin_wheel", round=round_, **SPIN)
    casino.do("close_bets", round=round_)
    casino.do("leave_seat", table="r1", **ANNA)
    casino.refuse("OTHER_TABLE", "take_seat", table="r2", **ANNA)
    casino.do("land_ball", round=round_, number=3)
    casino.refuse("OTHER_TABLE", "take_seat", table="r2", **ANNA)
    casino.do("record_result", round=round_)
    casino.do("take_seat", table="r2", **ANNA)
    assert casino.account().in_play
    casino.do("settle_round", round=round_)


SPIN = {
    "wheel_direction": "clockwise",
    "ball_direction": "counterclockwise",
    "revolutions": 7,
}


@pytest.mark.law("SAZKA 12(7)")
@pytest.mark.parametrize("upheld", [True, False])
def test_an_objection_against_ones_own_request_is_decided_like_any_other(
    casino: Casino, *, upheld: bool
) -> None:
    """SAZKA 12(7) speaks of the cancellation, whoever asked for it."""
    casino.do("request_cancellation", ground="12(4)", **ANNA)
    casino.do("confirm_cancellation", notice="receipt", **ANNA)
    casino.do("file_objection", case="c", grounds="I thought again", **ANNA)
    casino.wait(minutes=20 * 24 * 60)
    casino.refuse("CLOSING_TOO_EARLY", "close_account", **ANNA)
    casino.do("decide_objection", case="c", upheld=upheld, explanation="e", **ANNA)
    if upheld:
        assert casino.account().status == "open"
    else:
        casino.do("close_account", **ANNA)
        assert casino.account().status == "closed"


def test_a_measure_that_was_declined_and_then_set_binds_from_the_next_midnight(
    casino: Casino,
) -> None:
    """`casino` declined all measures; a setting afterwards is a stricter value (ZHH 15)."""
    round_ = casino.open_round()
    (event,) = casino.do("set_limit", measure="a", value=10_00, **ANNA)
    assert (event.change, event.previous) == ("stricter", None)
    casino.bet(round_, 20)
    casino.clock.moment = event.effective_at
    measure = casino.account().measures["a"]
    assert measure.at(event.effective_at - 1) is None
    assert measure.at(event.effective_at) == 10_00
