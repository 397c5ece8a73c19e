"""Cards that the studio recorded twice, and not alike: no result until the record is put right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.ledger.decisions.decisions_casino import begin, lay, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize(
    "again",
    [
        ("deal_card", {"recipient": "banker", "face_up": True, "card": "7S"}),
        ("reveal_card", {"card": "7S"}),
    ],
)
def test_while_a_card_says_two_things_there_is_no_result(
    house: Casino, again: tuple[str, dict[str, Any]]
) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    house.deal(round_, "player", "2C 2D")
    house.deal(round_, "banker", "9H KS")
    command, facts = again
    house.do(command, round=round_, index=3, **facts)
    (refused,) = house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    assert "says two things of card 3." in sentence_of(refused)
    house.do("correct_card", round=round_, index=3, actual="KS", by="inspector")
    assert house.payouts(round_) == {"b": 39_00}
    house.assert_cold_is_hot()


def test_to_whom_a_card_went_is_reconstructed_and_not_corrected(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    house.deal(round_, "player", "2C 2D")
    house.deal(round_, "banker", "9H KS")
    again = {"index": 3, "recipient": "player", "face_up": True, "card": "KS"}
    house.do("deal_card", round=round_, **again)
    house.do("correct_card", round=round_, index=3, actual="KS", by="inspector")
    (refused,) = house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    assert "says two things of the recipient of card 3." in sentence_of(refused)
    house.do("reconstruct_round", round=round_, how="video", by="inspector", succeeded=True)
    seen = {"player": ["2C", "2D"], "banker": ["9H", "KS"]}
    house.do("record_result", round=round_, outcome=seen)


def test_a_card_too_many_of_is_corrected_before_there_is_a_result(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    shoe = {"shoe": "s1", "table": "t1", "decks": 1, "shuffle_method": "hand", "cut": 14}
    house.do("load_shoe", **shoe)
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    house.deal(round_, "player", "2C 2D")
    house.deal(round_, "banker", "9H 9H")
    (refused,) = house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    assert "9H lies there 2 times" in sentence_of(refused)
    house.do("correct_card", round=round_, index=3, actual="KS", by="inspector")
    assert house.payouts(round_) == {"b": 39_00}


@pytest.mark.law("SAZKA 2 (conclusion of a bet)")
def test_who_could_know_a_card_moves_no_chips(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.deal(round_, "burn", "2C")
    lay(house, round_, "p", "player", 20)
    house.deal(round_, "player", "2C")
    house.refuse_bet("BET_AFTER_CLOSE", round_, bet_code="player")
    gone = {"bet": f"{round_}-b", "account": "anna", "round": round_}
    house.refuse("BET_AFTER_CLOSE", "withdraw_bet", **gone)


def test_a_card_more_often_than_the_shoe_has_decks_is_contradicted(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    shoe = {"shoe": "s1", "table": "t1", "decks": 1, "shuffle_method": "hand", "cut": 14}
    house.do("load_shoe", **shoe)
    house.close(round_)
    house.deal(round_, "player", "2C")
    _, beside = house.deal(round_, "banker", "2C")
    assert (beside.code, beside.about) == ("CARD_TOO_OFTEN", "CardDealt")
    assert len(house.deal(round_, "banker", "3C")) == 1
    assert len(house.deal(round_, "banker", "?")) == 1
