"""Results, settlement, voids, reconstruction (SAZKA 14, 15)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import LAND_BASED, begin, lay, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


def number_of(round_: str, number: int) -> dict[str, Any]:
    return {"round": round_, "outcome": {"number": number}}


@pytest.fixture
def landed(casino: Casino) -> tuple[Casino, str]:
    """Give a round with 100 crowns on red whose ball landed on 3, which is red."""
    round_ = casino.open_round()
    casino.bet(round_)
    casino.land(round_, 3)
    return casino, round_


@pytest.mark.law("SAZKA 10(1)d", "SAZKA 15(1)")
@pytest.mark.parametrize(("number", "result", "paid"), [(3, "win", 200_00), (2, "lose", 0)])
def test_each_bet_is_settled_also_with_nothing(
    casino: Casino, number: int, result: str, paid: int
) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    (settled,) = casino.settle(round_, number)
    assert (settled.bet, settled.result, settled.due, settled.paid) == (bet, result, paid, paid)
    assert settled.rule == "SAZKA annex Roulette (Evolution) 22-23"
    assert casino.account().wallet == 99_900_00 + paid


def test_what_the_platform_paid_stands_beside_what_is_due(casino: Casino) -> None:
    round_ = casino.open_round()
    bet = casino.bet(round_)
    (settled,) = casino.settle(round_, payments={bet: 150_00})
    assert (settled.due, settled.paid) == (200_00, 150_00)
    assert casino.account().wallet == 100_050_00


def test_a_payment_on_a_bet_that_is_not_there_can_not_be_decided(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.result(round_)
    casino.refuse("BET_NOT_ON_TABLE", "settle_round", round=round_, payments={"other": 1})


@pytest.mark.law("SAZKA 14(1)", "SAZKA 14(3)")
def test_a_result_is_recorded_once_and_stands(landed: tuple[Casino, str]) -> None:
    casino, round_ = landed
    casino.do("record_result", **number_of(round_, 3))
    casino.refuse("RESULT_STANDS", "record_result", **number_of(round_, 4))
    void = {"round": round_, "ground": "operator_interruption"}
    casino.refuse("RESULT_STANDS", "void_round", **void)
    casino.refuse("RESULT_STANDS", "void_bets", account="anna", **void)
    casino.refuse("RESULT_STANDS", "invalidate_spin", round=round_, cause="wheel_stopped")
    casino.do("settle_round", round=round_)
    casino.refuse("RESULT_STANDS", "record_result", **number_of(round_, 4))
    casino.refuse("WRONG_ORDER", "settle_round", round=round_)


def test_a_result_says_what_the_ball_did(landed: tuple[Casino, str]) -> None:
    casino, round_ = landed
    (refused,) = casino.refuse("RESULT_CONTRADICTS", "record_result", **number_of(round_, 4))
    assert "number is 3, the result says 4" in sentence_of(refused)
    empty = {"round": round_, "outcome": {}}
    (refused,) = casino.refuse("RESULT_CONTRADICTS", "record_result", **empty)
    assert "the result says nothing" in sentence_of(refused)


@pytest.mark.parametrize("outcome", [{"number": "3"}, {"number": 3, "next_number": 4}])
def test_a_result_that_the_game_does_not_have_is_refused(
    landed: tuple[Casino, str], outcome: dict[str, Any]
) -> None:
    casino, round_ = landed
    casino.refuse("RESULT_CONTRADICTS", "record_result", round=round_, outcome=outcome)


def test_a_result_needs_the_close_and_a_landed_ball(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.refuse("WRONG_ORDER", "record_result", **number_of(round_, 3))
    casino.close(round_)
    casino.refuse("NO_VALID_SPIN", "record_result", **number_of(round_, 3))
    casino.spin(round_)
    casino.refuse("NO_VALID_SPIN", "record_result", **number_of(round_, 3))
    casino.refuse("WRONG_ORDER", "settle_round", round=round_)
    casino.refuse("WRONG_ORDER", "close_bets", round=round_)


def test_the_next_round_may_open_at_the_result(landed: tuple[Casino, str]) -> None:
    casino, round_ = landed
    casino.do("record_result", **number_of(round_, 3))
    casino.bet(casino.open_round())
    casino.do("settle_round", round=round_)
    assert casino.account().wallet == 100_000_00


@pytest.mark.law("SAZKA 14(1)", "SAZKA 14(3)")
@pytest.mark.parametrize("ground", ["result_not_recorded", "operator_interruption"])
def test_without_a_recorded_result_the_stakes_come_back(casino: Casino, ground: str) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    casino.bet(round_, 300)
    casino.bet(round_, 200, "bara")
    casino.close(round_)
    voided, *bets = casino.do("void_round", round=round_, ground=ground)
    paragraph = {"result_not_recorded": "SAZKA 14(1)", "operator_interruption": "SAZKA 14(3)"}
    assert {event.paragraph for event in (voided, *bets)} == {paragraph[ground]}
    assert [event.amount for event in bets] == [300_00, 200_00]
    assert casino.account("anna").wallet == casino.account("bara").wallet == 100_000_00


def test_a_round_void_before_the_close_gives_the_chips_back(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_, 300)
    _, returned = casino.do("void_round", round=round_, ground="operator_interruption")
    assert (returned.cause, casino.account().wallet) == ("voided", 100_000_00)
    assert casino.open_round() != round_


def test_a_void_round_takes_nothing_more(casino: Casino) -> None:
    round_ = casino.open_round()
    void = {"round": round_, "ground": "operator_interruption"}
    casino.do("void_round", **void)
    casino.refuse("WRONG_ORDER", "void_round", **void)
    casino.refuse("WRONG_ORDER", "close_bets", round=round_)
    casino.refuse_bet("BET_AFTER_CLOSE", round_)
    casino.refuse("WRONG_ORDER", "record_result", **number_of(round_, 3))
    reconstruct = {"round": round_, "how": "video", "by": "inspector", "succeeded": True}
    casino.refuse("WRONG_ORDER", "reconstruct_round", **reconstruct)


@pytest.mark.law("SAZKA annex")
def test_only_a_ground_of_the_plan_makes_a_round_void(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.close(round_)
    void = {"round": round_, "ground": "bad_mood"}
    casino.refuse("VOID_REASON_UNKNOWN", "void_round", **void)
    casino.refuse("VOID_REASON_UNKNOWN", "void_bets", account="anna", **void)


def test_bets_of_one_participant_are_void_and_the_others_stand(casino: Casino) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    casino.bet(round_, 300)
    bet = casino.bet(round_, 200, "bara")
    void = {"round": round_, "account": "anna", "ground": "operator_interruption"}
    casino.refuse("BET_NOT_ON_TABLE", "void_bets", **void)
    casino.close(round_)
    (voided,) = casino.do("void_bets", **void)
    assert (voided.amount, voided.paragraph) == (300_00, "SAZKA 14(3)")
    (settled,) = casino.settle(round_)
    assert settled.bet == bet
    casino.refuse("BET_NOT_ON_TABLE", "void_bets", **void | {"ground": "tampering"})


def test_a_round_whose_only_bets_are_void_still_has_its_result(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.bet(round_)
    casino.close(round_)
    casino.do("void_bets", round=round_, account="anna", ground="operator_interruption")
    casino.result(round_)
    assert casino.round(round_).status == "settled"
    assert casino.account().last_evaluated_at == 0


@pytest.mark.law("SAZKA 17(2)")
def test_a_bet_got_by_tampering_is_void_also_after_the_result(landed: tuple[Casino, str]) -> None:
    casino, round_ = landed
    casino.do("record_result", **number_of(round_, 3))
    void = {"round": round_, "account": "anna", "ground": "tampering"}
    (voided,) = casino.do("void_bets", **void)
    assert (voided.paragraph, casino.account().wallet) == ("SAZKA 17(2)", 100_000_00)
    assert casino.round(round_).status == "settled"


def test_what_is_due_by_the_result_is_worked_out_again_once_a_bet_is_void(
    casino: Casino,
) -> None:
    casino.player("bara")
    round_ = casino.open_round()
    gone, stays = casino.bet(round_), casino.bet(round_, account="bara")
    casino.result(round_)
    state, ledger_state = casino.round(round_), casino.ledger._ledger_state
    known = ledger_state.due_by_bet(state, state.outcome)
    assert known.keys() == {gone, stays}
    assert ledger_state.due_by_bet(state, state.outcome) is known
    casino.do("void_bets", round=round_, account="anna", ground="tampering")
    assert ledger_state.due_by_bet(state, state.outcome).keys() == {stays}
    assert [event.bet for event in casino.do("settle_round", round=round_)] == [stays]


@pytest.mark.law("SAZKA annex")
def test_the_reconstruction_comes_before_the_void(house: Casino) -> None:
    round_ = begin(house, "sazka.blackjack_synot")
    lay(house, round_, "main", "main", 100, box="1")
    house.close(round_)
    void = {"round": round_, "ground": "card_misrecorded"}
    attempt = {"round": round_, "how": "video", "by": "inspector"}
    house.refuse("RECONSTRUCTION_FIRST", "void_round", **void)
    house.do("reconstruct_round", **attempt, succeeded=True)
    house.refuse("RECONSTRUCTION_FIRST", "void_round", **void)
    house.do("reconstruct_round", **attempt, succeeded=False)
    house.do("void_round", **void)
    assert house.account().wallet == 100_000_00


@pytest.mark.law("Czech Casinos, general provisions")
def test_a_suspicion_voids_without_a_reconstruction(house: Casino) -> None:
    """The rules of Czech Casinos ask for none."""
    round_ = begin(house, "czech_casinos.american_roulette")
    house.bet(round_, chip=1)
    house.close(round_)
    voided = house.do("void_bets", round=round_, account="anna", ground="rules_breached")
    assert [event.ground for event in voided] == ["rules_breached"]
    house.do("void_round", round=round_, ground="combined_bets_suspicion")
    assert house.account().wallet == 100_000_00


def test_a_no_spin_gives_the_stakes_back_without_a_reconstruction(casino: Casino) -> None:
    casino.do("take_seat", account="anna", table="l1")
    round_ = casino.open_round("l1")
    casino.bet(round_)
    casino.spin(round_, 2)
    casino.close(round_)
    voided, _ = casino.do("void_round", round=round_, ground="no_spin_too_few_revolutions")
    assert voided.paragraph.startswith("69GAMES")
    assert casino.round(round_).game == LAND_BASED


def test_a_reconstructed_result_may_differ_from_the_studio_facts(
    landed: tuple[Casino, str],
) -> None:
    casino, round_ = landed
    attempt = {"round": round_, "how": "video", "by": "inspector"}
    (reconstructed,) = casino.do("reconstruct_round", **attempt, succeeded=True)
    assert (reconstructed.how, reconstructed.by) == ("video", "inspector")
    casino.do("record_result", **number_of(round_, 2))
    casino.do("settle_round", round=round_)
    assert casino.account().wallet == 99_900_00


def test_a_round_without_bets_ends_with_its_result(casino: Casino) -> None:
    round_ = casino.open_round()
    casino.result(round_)
    assert casino.round(round_).status == "settled"
    assert casino.all_events("BreakImposed") == []
