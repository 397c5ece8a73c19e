"""A round on its way: seats, connections, spins, cards, contradictions (SAZKA 5, 14)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

SEAT = {"account": "anna", "table": "r1"}


def contradiction(events: list[Any]) -> tuple[str, str]:
    fact, beside = events
    assert type(beside).__name__ == "ContradictionRecorded"
    assert beside.about == type(fact).__name__
    return beside.about, beside.code


def test_seats_taken_and_left_are_facts(casino: Casino) -> None:
    casino.fail("at table r1 already", "take_seat", **SEAT)
    (left,) = casino.do("leave_seat", **SEAT)
    assert type(left).__name__ == "SeatLeft"
    casino.fail("not at table r1", "leave_seat", **SEAT)


def test_who_leaves_before_the_close_gets_the_chips_back(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 300)
    returned, _left = casino.do("leave_seat", **SEAT)
    assert (returned.amount, returned.cause) == (300_00, "left")
    assert casino.account().wallet == 100_000_00


@pytest.mark.law("SAZKA 14(2)")
def test_disconnected_before_the_close_the_stakes_come_back(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 300)
    gone, returned = casino.do("disconnect", **SEAT)
    assert (gone.phase, gone.round, returned.cause) == ("before_close", round_, "disconnected")
    casino.refuse_bet("DISCONNECTED", round_)
    casino.fail("disconnected already", "disconnect", **SEAT)
    casino.do("reconnect", **SEAT)
    casino.bet(round_)
    casino.fail("is not disconnected", "reconnect", **SEAT)


@pytest.mark.law("SAZKA 14(2)")
def test_disconnected_after_the_close_the_bets_stand(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 300)
    casino.close(round_)
    (gone,) = casino.do("disconnect", **SEAT)
    assert gone.phase == "after_close"
    casino.settle(round_)
    assert casino.account().wallet == 100_300_00


def test_a_new_seat_is_a_new_connection(casino: Casino) -> None:
    casino.do("disconnect", **SEAT)
    casino.do("leave_seat", **SEAT)
    casino.do("take_seat", **SEAT)
    casino.bet(casino.open_round())


# Spins (SAZKA annex Roulette (Evolution) 11)


@pytest.mark.parametrize(
    "cause",
    [
        "too_few_revolutions",
        "wrong_direction",
        "wheel_stopped",
        "ball_left_wheel",
        "foreign_object",
    ],
)
def test_an_invalid_spin_is_made_again_and_the_bets_stay(casino: Casino, cause: str) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.spin(round_)
    casino.close(round_)
    casino.do("invalidate_spin", round=round_, cause=cause)
    casino.do("land_ball", round=round_, number=3)
    outcome = {"round": round_, "outcome": {"number": 3}}
    casino.refuse("NO_VALID_SPIN", "record_result", **outcome)
    casino.refuse("NO_VALID_SPIN", "invalidate_spin", round=round_, cause=cause)
    casino.settle(round_, 5)
    assert casino.account().wallet == 100_100_00


@pytest.mark.parametrize(
    ("turns", "ball", "valid"),
    [
        (4, "counterclockwise", True),
        (3, "counterclockwise", False),
        (0, "counterclockwise", False),
        (4, "clockwise", False),
    ],
)
def test_a_spin_needs_four_turns_against_the_wheel(
    casino: Casino, turns: int, ball: str, *, valid: bool
) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    events = casino.spin(round_, turns, ball)
    casino.close(round_)
    casino.do("land_ball", round=round_, number=3)
    outcome = {"round": round_, "outcome": {"number": 3}}
    if valid:
        casino.do("record_result", **outcome)
        return
    assert contradiction(events) == ("WheelSpun", "SPIN_NOT_VALID")
    casino.refuse("NO_VALID_SPIN", "record_result", **outcome)
    casino.do("invalidate_spin", round=round_, cause="too_few_revolutions")
    casino.result(round_, 3)


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.parametrize("cause", ["too_few_revolutions", "wrong_direction"])
@pytest.mark.parametrize(
    ("turns", "ball", "is_valid"),
    [
        (14, "counterclockwise", True),
        (4, "counterclockwise", True),
        (3, "counterclockwise", False),
        (14, "clockwise", False),
    ],
)
def test_a_valid_spin_whose_ball_fell_is_not_made_again_for_its_turns(
    casino: Casino, cause: str, turns: int, ball: str, *, is_valid: bool
) -> None:
    """No number is exchanged for another one by a cause that the record contradicts."""
    round_ = casino.open_round()
    casino.spin(round_, turns, ball)
    casino.close(round_)
    casino.do("land_ball", round=round_, number=3)
    command = {"round": round_, "cause": cause}
    if is_valid:
        casino.refuse("SPIN_IS_VALID", "invalidate_spin", **command)
        casino.do("invalidate_spin", round=round_, cause="foreign_object")
    else:
        casino.do("invalidate_spin", **command)
    casino.result(round_, 3)


@pytest.mark.law("69GAMES Ruleta 3 (no-spin)")
@pytest.mark.parametrize(
    ("cause", "ground"),
    [
        ("too_few_revolutions", "no_spin_too_few_revolutions"),
        ("wrong_direction", "no_spin_direction"),
    ],
)
def test_a_no_spin_ends_the_round_where_the_plan_spins_nothing_again(
    casino: Casino, cause: str, ground: str
) -> None:
    casino.do("leave_seat", account="anna", table="r1")
    casino.do("take_seat", account="anna", table="l1")
    round_ = casino.open_round("l1")
    casino.bet(round_)
    casino.spin(round_, 2)
    casino.close(round_)
    casino.do("invalidate_spin", round=round_, cause=cause)
    with casino.as_reopened():
        assert contradiction(casino.spin(round_)) == ("WheelSpun", "SPIN_NOT_VALID")
        casino.do("land_ball", round=round_, number=3)
        casino.refuse("NO_VALID_SPIN", "record_result", round=round_)
        casino.do("invalidate_spin", round=round_, cause="foreign_object")
        casino.land(round_, 3)
        casino.refuse("NO_VALID_SPIN", "record_result", round=round_)
        casino.do("void_round", round=round_, ground=ground)
        assert casino.account().wallet == 100_000_00


@pytest.mark.parametrize("cause", ["wheel_stopped", "ball_left_wheel", "foreign_object"])
def test_a_spin_is_made_again_where_the_plan_has_no_ground_to_void(
    casino: Casino, cause: str
) -> None:
    round_ = casino.open_round("l1")
    casino.spin(round_)
    casino.close(round_)
    casino.do("invalidate_spin", round=round_, cause=cause)
    casino.result(round_)


def test_at_a_land_based_table_the_recorded_decision_counts(casino: Casino) -> None:
    round_ = casino.open_round("l1")
    (spun,) = casino.spin(round_, 2)
    casino.close(round_)
    casino.do("land_ball", round=round_, number=3)
    casino.do("record_result", round=round_, outcome={"number": 3})
    assert spun.revolutions == 2


# Studio facts are recorded also when they are wrong


def test_a_second_spin_is_recorded_with_its_contradiction(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.spin(round_)
    assert contradiction(casino.spin(round_)) == ("WheelSpun", "SPIN_TWICE")


def test_a_ball_without_a_spin_is_recorded_with_its_contradiction(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.close(round_)
    landed = casino.do("land_ball", round=round_, number=3)
    assert contradiction(landed) == ("BallLanded", "BALL_WITHOUT_SPIN")


def test_a_ball_before_the_close_is_recorded_with_its_contradiction(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.spin(round_)
    landed = casino.do("land_ball", round=round_, number=3)
    assert contradiction(landed) == ("BallLanded", "BEFORE_CLOSE")


def test_a_second_landing_is_recorded_with_its_contradiction(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.land(round_, 3)
    landed = casino.do("land_ball", round=round_, number=4)
    assert contradiction(landed) == ("BallLanded", "BALL_TWICE")


def test_facts_after_the_result_are_recorded_with_their_contradiction(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.result(round_)
    assert contradiction(casino.spin(round_)) == ("WheelSpun", "ROUND_OVER")
    landed = casino.do("land_ball", round=round_, number=4)
    assert contradiction(landed) == ("BallLanded", "ROUND_OVER")
    casino.do("settle_round", round=round_)
    assert casino.account().wallet == 100_100_00


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize("spun_again", [False, True])
def test_while_the_spin_says_two_things_there_is_no_result(
    casino: Casino, *, spun_again: bool
) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.land(round_, 2)
    if spun_again:
        casino.spin(round_)
    casino.do("land_ball", round=round_, number=3)
    for outcome in (None, {"number": 2}, {"number": 3}):
        (refused,) = casino.refuse(
            "RESULT_CONTRADICTS", "record_result", round=round_, outcome=outcome
        )
        assert "says two things of the spin." in sentence_of(refused)
    casino.do("invalidate_spin", round=round_, cause="foreign_object")
    casino.spin(round_)
    casino.do("land_ball", round=round_, number=3)
    casino.do("record_result", round=round_)
    casino.assert_cold_is_hot()


def test_a_reconstructed_round_has_the_result_that_is_given(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.land(round_, 2)
    casino.do("land_ball", round=round_, number=3)
    casino.do("reconstruct_round", round=round_, how="recording", by="inspector", succeeded=True)
    casino.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    casino.do("record_result", round=round_, outcome={"number": 2})


def test_the_same_number_sent_again_holds_nothing_up(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.land(round_, 3)
    casino.do("land_ball", round=round_, number=3)
    casino.do("record_result", round=round_)


def test_a_ball_without_a_spin_is_no_result(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.close(round_)
    casino.do("land_ball", round=round_, number=3)
    casino.refuse("NO_VALID_SPIN", "record_result", round=round_)
    casino.spin(round_)
    casino.do("land_ball", round=round_, number=17)
    casino.do("record_result", round=round_)


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
def test_who_could_know_the_number_moves_no_chips(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    casino.spin(round_)
    casino.bet(round_)
    casino.do("land_ball", round=round_, number=17)
    casino.refuse_bet("BET_AFTER_CLOSE", round_)
    casino.refuse("BET_AFTER_CLOSE", "withdraw_bet", bet=bet, account="anna", round=round_)
    casino.close(round_)
    assert len(casino.all_events("BetConcluded")) == 2


def test_cards_are_recorded_with_what_contradicts_them(casino: Casino) -> None:
    round_ = casino.open_round()
    card = {"round": round_, "index": 0, "recipient": "dealer", "face_up": True}
    assert contradiction(casino.do("deal_card", **card, card="AS"))[1] == "BEFORE_CLOSE"
    casino.close(round_)
    casino.do("deal_card", **card | {"index": 1, "face_up": False})
    casino.do("reveal_card", round=round_, index=1, card="KH")
    twice = casino.do("deal_card", **card | {"index": 1}, card="2C")
    unread = casino.do("deal_card", **card | {"index": 2})
    unknown = casino.do("reveal_card", round=round_, index=9, card="KH")
    differs = casino.do("reveal_card", round=round_, index=1, card="QH")
    codes = [contradiction(events)[1] for events in (twice, unread, unknown, differs)]
    assert codes == ["CARD_TWICE", "CARD_UNREAD", "CARD_UNKNOWN", "CARD_DIFFERS"]


def test_the_record_of_a_card_is_corrected_until_the_result(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.land(round_)
    card = {"round": round_, "index": 0, "recipient": "dealer", "face_up": True, "card": "AS"}
    casino.do("deal_card", **card)
    fix = {"round": round_, "index": 0, "actual": "AH", "by": "inspector"}
    (corrected,) = casino.do("correct_card", **fix)
    assert (corrected.recorded, corrected.actual) == ("AS", "AH")
    casino.do("record_result", round=round_, outcome={"number": 3})
    casino.refuse("RESULT_STANDS", "correct_card", **fix)
