"""Who decides on a box with several players (SL Free Bet 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.events import event_types as e
from tests.ledger.decisions.decisions_casino import begin, lay

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

FREE_BET = "sl.free_bet_blackjack"


def opened(house: Casino, *, owner: str = "") -> str:
    """Let bara bet on box 1 before anna; deal 12 to both against a nine."""
    round_ = begin(house, FREE_BET, "anna", "bara")
    if owner:
        house.do("take_box", account=owner, table="t1", box="1")
    lay(house, round_, "b", "main", 100, box="1", account="bara")
    lay(house, round_, "a", "main", 100, box="1")
    house.close(round_)
    house.deal(round_, "1", "TS 2D")
    house.deal(round_, "dealer", "9C")
    return round_


def finish(house: Casino, round_: str) -> dict[str, int]:
    house.deal(round_, "dealer", "9D")
    return house.payouts(round_)


@pytest.mark.law("SL Free Bet 1")
def test_the_player_at_the_box_decides_though_another_bet_first(house: Casino) -> None:
    round_ = opened(house, owner="anna")
    (owned,) = house.all_events("BoxOwned")
    assert isinstance(owned, e.BoxOwned)
    assert (owned.box, owned.account, owned.absent) == ("1", "anna", "")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "1", account="bara")
    house.decide(round_, "hit", "1")
    house.deal(round_, "1", "9S")
    assert finish(house, round_) == {"a": 200_00, "b": 200_00}
    house.assert_cold_is_hot()


@pytest.mark.law("SL Free Bet 1")
@pytest.mark.parametrize("is_gone", ["leave_seat", "disconnect"])
def test_in_the_owners_absence_a_guest_with_a_stake_decides(house: Casino, is_gone: str) -> None:
    round_ = opened(house, owner="anna")
    house.do(is_gone, account="anna", table="t1")
    owned, made = house.decide(round_, "hit", "1", account="bara")
    assert isinstance(owned, e.BoxOwned)
    assert isinstance(made, e.PlayerDecided)
    assert (owned.account, owned.absent) == ("bara", "anna")
    house.deal(round_, "1", "8S")
    again = "take_seat" if is_gone == "leave_seat" else "reconnect"
    house.do(again, account="anna", table="t1")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "stand", "1")
    house.decide(round_, "stand", "1", account="bara")
    assert finish(house, round_) == {"a": 200_00, "b": 200_00}
    house.assert_cold_is_hot()


@pytest.mark.law("SL Free Bet 1")
def test_a_guest_does_not_decide_once_the_owner_has(house: Casino) -> None:
    round_ = opened(house, owner="anna")
    house.decide(round_, "hit", "1")
    house.deal(round_, "1", "2S")
    house.do("leave_seat", account="anna", table="t1")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "1", account="bara")
    house.decide(round_, "hit", "1", by="absent")
    house.deal(round_, "1", "4S")
    assert finish(house, round_) == {"a": 100_00, "b": 100_00}


def test_without_a_taken_box_the_first_bet_decides(house: Casino) -> None:
    round_ = opened(house)
    assert not house.all_events("BoxOwned")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "1")
    house.decide(round_, "hit", "1", account="bara")


def test_a_box_belongs_to_one_seated_player_until_it_is_left(house: Casino) -> None:
    opened(house, owner="anna")
    house.paragraphs["SEAT_TAKEN"] = "SL Free Bet 1"
    house.refuse("SEAT_TAKEN", "take_box", account="bara", table="t1", box="1")
    house.do("leave_seat", account="anna", table="t1")
    house.do("take_box", account="bara", table="t1", box="1")
    house.refuse("NOT_SEATED", "take_box", account="anna", table="t1", box="2")
    house.fail("box", "take_box", account="bara", table="t1", box="1.2")
