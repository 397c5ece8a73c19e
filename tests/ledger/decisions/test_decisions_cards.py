"""Rounds of cards and wheels from the bets to the payment, and decisions with their stakes."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from tests.ledger.decisions.decisions_casino import begin, lay, sentence_of

if TYPE_CHECKING:
    from tests.ledger.decisions.decisions_casino import Casino

SYNOT = "sazka.blackjack_synot"


# Baccarat and wheels


def test_a_coup_of_baccarat_is_read_from_its_cards(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    lay(house, round_, "p", "player_pair", 10)
    house.close(round_)
    house.deal(round_, "player", "2C 2D")
    house.deal(round_, "banker", "9H ?")
    house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    house.do("reveal_card", round=round_, index=3, card="KS")
    assert house.payouts(round_) == {"b": 39_00, "p": 120_00}
    (resulted,) = house.all_events("RoundResulted")
    assert json.loads(resulted.outcome) == {"player": ["2C", "2D"], "banker": ["9H", "KS"]}
    assert resulted.wording == "Player 4, Banker 9"
    house.assert_cold_is_hot()


def test_a_hand_that_drew_against_the_rule_contradicts_until_it_is_corrected(
    house: Casino,
) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    house.deal(round_, "player", "4C 4D")
    house.deal(round_, "banker", "2H 2S 5S")
    (refused,) = house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    assert "the rule gives 2" in sentence_of(refused)
    house.do("correct_card", round=round_, index=0, actual="AC", by="inspector")
    house.do("correct_card", round=round_, index=1, actual="6C", by="inspector")
    assert house.payouts(round_) == {"b": 39_00}


def test_a_result_that_is_given_must_agree_in_every_field(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    house.deal(round_, "player", "2C 2D")
    house.deal(round_, "banker", "9H KS")
    said = {"player": ["2C", "2D"], "banker": ["9H", "KH"]}
    for wrong in (said, {"player": ["2C", "2D"]}, {**said, "banker": ["9H", "KS"], "tie": 1}):
        house.refuse("RESULT_CONTRADICTS", "record_result", round=round_, outcome=wrong)
    for own in ("void", "disconnects"):
        house.refuse("RESULT_CONTRADICTS", "record_result", round=round_, outcome={own: {}})
    house.do("record_result", round=round_, outcome={**said, "banker": ["9H", "KS"]})


def spin(casino: Casino, round_: str, turns: int = 5) -> list[Any]:
    return casino.do("spin_wheel", round=round_, wheel_direction="clockwise", revolutions=turns)


def test_a_wheel_pays_the_field_at_which_it_stops(house: Casino) -> None:
    round_ = begin(house, "69games.lucky_wheel")
    lay(house, round_, "a", "x25_black", 10)
    lay(house, round_, "b", "x25_pink", 10)
    house.close(round_)
    spin(house, round_)
    house.do("stop_wheel", round=round_, field="x25_black")
    house.refuse("RESULT_CONTRADICTS", "record_result", round=round_, outcome={"field": "x1"})
    assert house.payouts(round_) == {"a": 260_00, "b": 0}
    (resulted,) = house.all_events("RoundResulted")
    assert resulted.wording == "field 25x black"
    house.assert_cold_is_hot()


@pytest.mark.parametrize("ground", ["too_few_revolutions", "pointer_between_fields"])
def test_a_wheel_that_turned_enough_and_stopped_at_a_field_is_not_void(
    house: Casino, ground: str
) -> None:
    round_ = begin(house, "69games.lucky_wheel")
    house.close(round_)
    spin(house, round_, 3)
    house.do("stop_wheel", round=round_, field="x1")
    house.refuse("SPIN_IS_VALID", "void_round", round=round_, ground=ground)
    house.do("record_result", round=round_)


@pytest.mark.law("SAZKA 5(4)")
@pytest.mark.law("SAZKA 5(3)")
def test_a_wheel_that_turned_too_little_is_void_for_all_and_needs_no_reconstruction(
    house: Casino,
) -> None:
    round_ = begin(house, "69games.lucky_wheel")
    lay(house, round_, "a", "x1", 10)
    house.close(round_)
    _, beside = spin(house, round_, 2)
    assert beside.code == "SPIN_NOT_VALID"
    house.do("stop_wheel", round=round_, field="x1")
    house.refuse("NO_VALID_SPIN", "record_result", round=round_)
    void = {"round": round_, "ground": "too_few_revolutions"}
    house.refuse("VOID_REASON_UNKNOWN", "void_bets", account="anna", **void)
    house.do("void_round", **void)
    assert house.account().wallet == 100_000_00


def test_a_wheel_that_was_declared_to_turn_too_little_is_not_turned_again(house: Casino) -> None:
    round_ = begin(house, "69games.lucky_wheel")
    house.close(round_)
    spin(house, round_)
    house.do("invalidate_spin", round=round_, cause="too_few_revolutions")
    _, beside = spin(house, round_)
    assert beside.code == "SPIN_NOT_VALID"
    house.do("stop_wheel", round=round_, field="x1")
    house.refuse("NO_VALID_SPIN", "record_result", round=round_)
    house.do("void_round", round=round_, ground="too_few_revolutions")


def test_what_a_wheel_can_not_do_is_recorded_with_its_contradiction(house: Casino) -> None:
    round_ = begin(house, "69games.lucky_wheel_2")
    codes = [spin(house, round_)[1].code]
    house.do("invalidate_spin", round=round_, cause="foreign_object")
    house.close(round_)
    for field, _ in (("x25_black", ""), ("", ""), ("x15", ""), ("x1", "")):
        if codes == ["BEFORE_CLOSE"]:
            spin(house, round_)
        events = house.do("stop_wheel", round=round_, field=field)
        codes += [event.code for event in events[1:]]
    assert codes == ["BEFORE_CLOSE", "FIELD_UNKNOWN", "STOP_TWICE", "STOP_TWICE", "STOP_TWICE"]


# Casino Hold'em and Ultimate Texas Hold'em


def holdem(casino: Casino, *players: str) -> str:
    round_ = begin(casino, "sazka.casino_holdem", *players)
    for player in players or ("anna",):
        lay(casino, round_, f"ante{player}", "ante", 100, account=player)
    return round_


def flop(casino: Casino, round_: str) -> None:
    casino.close(round_)
    casino.deal(round_, "burn", "?")
    casino.deal(round_, "shared", "KS KH")
    casino.deal(round_, "dealer", "? ?")
    casino.deal(round_, "board", "KD 7C 2S")


def show(casino: Casino, round_: str, *cards: str) -> None:
    """Turn the dealer's cards, which lie third and fourth behind the burned one."""
    for index, card in zip((3, 4), cards, strict=True):
        casino.do("reveal_card", round=round_, index=index, card=card)


def test_a_call_is_a_bet_that_the_decision_places_and_concludes(house: Casino) -> None:
    round_ = holdem(house, "anna", "bara")
    flop(house, round_)
    decided, placed, concluded = house.decide(round_, "call")
    assert (decided.decision, decided.by) == ("call", "player")
    assert (placed.bet, placed.parent) == (f"{round_}-anteanna:call", f"{round_}-anteanna")
    assert (placed.stake, placed.wording, concluded.amount) == (200_00, "call", 200_00)
    assert house.account().in_play == 300_00
    house.decide(round_, "fold", account="bara", by="timeout")
    house.deal(round_, "board", "8D 8H")
    show(house, round_, "7D", "7H")
    assert house.payouts(round_) == {"anteanna": 400_00, "antebara": 0, "anteanna:call": 400_00}
    assert house.account().wallet == 100_500_00
    house.assert_cold_is_hot()


def test_when_all_fold_the_dealer_keeps_the_cards_face_down(house: Casino) -> None:
    round_ = holdem(house)
    flop(house, round_)
    house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    house.decide(round_, "fold")
    assert house.payouts(round_) == {"anteanna": 0}


@pytest.mark.law("SAZKA 5(1)")
def test_a_call_comes_between_flop_and_turn_and_once(house: Casino) -> None:
    round_ = holdem(house, "anna", "bara")
    house.refuse_decision("WRONG_ORDER", round_, "call")
    house.close(round_)
    house.deal(round_, "shared", "KS KH")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call")
    house.deal(round_, "board", "KD 7C 2S")
    house.decide(round_, "call")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call", account="bara", by="timeout")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call", account="bara", stake=300_00)
    house.deal(round_, "board", "8D")
    (refused,) = house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call", account="bara")
    assert (refused.bet, refused.code) == (f"{round_}-antebara:call", "DECISION_NOT_ALLOWED")
    house.decide(round_, "fold", account="bara")


@pytest.mark.law("SAZKA 5(2)")
def test_who_has_no_concluded_bet_does_not_decide(house: Casino) -> None:
    round_ = holdem(house)
    house.player("bara", table="t1")
    flop(house, round_)
    house.refuse_decision("PARENT_NOT_CONCLUDED", round_, "call", account="bara")
    house.do("void_bets", account="anna", round=round_, ground="operator_interruption")
    house.refuse_decision("PARENT_NOT_CONCLUDED", round_, "call")


def test_a_blind_call_is_placed_before_the_close_and_comes_back_with_the_ante(
    house: Casino,
) -> None:
    round_ = holdem(house)
    decided, placed = house.decide(round_, "call_blind")
    assert (placed.bet, house.account().reserved) == (f"{round_}-anteanna:call_blind", 300_00)
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call_blind")
    events = house.do("withdraw_bet", account="anna", round=round_, bet=f"{round_}-anteanna")
    assert [event.amount for event in events] == [100_00, 200_00]
    assert house.round(round_).actions == []
    assert (decided.decision, house.account().wallet) == ("call_blind", 100_000_00)


def test_a_blind_call_is_concluded_at_the_close_and_paid(house: Casino) -> None:
    round_ = holdem(house)
    house.decide(round_, "call_blind")
    flop(house, round_)
    house.refuse_decision("BET_AFTER_CLOSE", round_, "call_blind")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "call")
    house.deal(round_, "board", "8D 8H")
    show(house, round_, "3D", "4H")
    assert house.payouts(round_) == {"anteanna": 400_00, "anteanna:call_blind": 400_00}


def test_disconnected_before_the_close_ante_and_blind_call_come_back(house: Casino) -> None:
    round_ = holdem(house, "anna", "bara")
    house.decide(round_, "call_blind")
    house.do("disconnect", account="anna", table="t1")
    flop(house, round_)
    house.decide(round_, "fold", account="bara")
    assert house.payouts(round_) == {"antebara": 0}
    assert house.account().wallet == 100_000_00


def test_a_decision_in_the_place_of_somebody_needs_its_reason(house: Casino) -> None:
    round_ = holdem(house, "anna", "bara")
    flop(house, round_)
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "fold", by="disconnect")
    house.do("disconnect", account="anna", table="t1")
    house.refuse_decision("DISCONNECTED", round_, "call")
    house.refuse_decision("DISCONNECTED", round_, "fold")
    house.decide(round_, "fold", by="disconnect")
    house.do("leave_seat", account="bara", table="t1")
    house.refuse_decision("NOT_SEATED", round_, "fold", account="bara")


def test_a_void_round_returns_raises_too(house: Casino) -> None:
    round_ = holdem(house)
    flop(house, round_)
    house.decide(round_, "call")
    house.refuse(
        "VOID_REASON_UNKNOWN",
        "void_bets",
        round=round_,
        account="anna",
        ground="hidden_card_exposed",
    )
    house.do("reconstruct_round", round=round_, how="video", by="inspector", succeeded=False)
    house.do("void_round", round=round_, ground="hidden_card_exposed")
    assert house.account().wallet == 100_000_00
    assert house.round(round_).is_finished


def ultimate(casino: Casino, *players: str) -> str:
    round_ = begin(casino, "69games.ultimate_texas_holdem", *players)
    for box, player in enumerate(players or ("anna",), start=1):
        for code in ("ante", "blind"):
            lay(casino, round_, f"{code}{box}", code, 100, account=player, box=str(box))
    return round_


def test_a_raise_of_ultimate_holdem_is_made_before_the_next_cards(house: Casino) -> None:
    round_ = ultimate(house, "anna", "bara")
    house.close(round_)
    house.deal(round_, "1", "AS AH")
    house.deal(round_, "2", "2C 7D")
    house.deal(round_, "dealer", "? ?")
    house.decide(round_, "check", "2", account="bara", street="preflop")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "raise", "2", street="preflop", times=4)
    house.deal(round_, "board", "AD 9C 4S")
    late = {"street": "preflop", "times": 4}
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "raise", "1", **late)
    house.decide(round_, "check", "1", street="preflop")
    _, placed, _ = house.decide(round_, "raise", "1", street="flop", times=2)
    assert (placed.bet, placed.stake) == (f"{round_}-ante1:play", 200_00)
    house.decide(round_, "check", "2", account="bara", street="flop")
    house.deal(round_, "board", "KD 9H")
    house.decide(round_, "fold", "2", account="bara", street="river")
    for index, card in ((4, "KC"), (5, "3H")):
        house.do("reveal_card", round=round_, index=index, card=card)
    assert house.payouts(round_) == {
        "ante1": 200_00,
        "blind1": 400_00,
        "ante1:play": 400_00,
        "ante2": 0,
        "blind2": 0,
    }
    house.assert_cold_is_hot()


@pytest.mark.parametrize("is_late", [False, True])
def test_a_box_whose_bets_are_void_leaves_the_others_their_hand(
    house: Casino, *, is_late: bool
) -> None:
    round_ = ultimate(house, "anna", "bara")
    house.close(round_)
    for box, cards in (("1", "AS AH"), ("2", "2C 7D")):
        house.deal(round_, box, cards)
    if is_late:
        house.decide(round_, "raise", "1", street="preflop", times=4)
    void = {"round": round_, "account": "anna", "ground": "tampering"}
    if not is_late:
        house.do("void_bets", **void)
    for street in ("preflop", "flop"):
        house.decide(round_, "check", "2", account="bara", street=street)
    house.deal(round_, "board", "AD 9C 4S KD 9H")
    house.decide(round_, "fold", "2", account="bara", street="river")
    house.deal(round_, "dealer", "KC 3H")
    house.do("record_result", round=round_)
    if is_late:
        house.do("void_bets", **void)
    settled = house.do("settle_round", round=round_)
    assert {event.account: event.paid for event in settled} == {"bara": 0}
    assert house.account().wallet == 100_000_00


def test_a_street_that_was_passed_over_can_not_be_made_up_for(house: Casino) -> None:
    round_ = ultimate(house)
    house.close(round_)
    house.deal(round_, "1", "AS AH")
    house.deal(round_, "board", "AD 9C 4S KD 9H")
    last = {"street": "river", "times": 1}
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "raise", "1", **last)
    house.decide(round_, "check", "1", street="preflop")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "raise", "1", street="flop", times=2)
    house.decide(round_, "check", "1", street="flop")
    house.decide(round_, "raise", "1", **last)


def test_an_ante_without_its_blind_goes_back_at_the_close(house: Casino) -> None:
    round_ = ultimate(house, "anna", "bara")
    lay(house, round_, "trips", "trips", 50, box="1")
    house.refuse_bet("BET_NOT_ALLOWED", round_, 100, bet_code="ante", box="2")
    (withdrawn,) = house.do("withdraw_bet", account="anna", round=round_, bet=f"{round_}-blind1")
    assert withdrawn.amount == 100_00
    events = house.close(round_)
    returned = [event.bet for event in events if getattr(event, "cause", "") == "incomplete"]
    assert returned == [f"{round_}-ante1", f"{round_}-trips"]
    assert house.account().wallet == 100_000_00
    assert events[0].bets == 2


# Blackjack


def blackjack(casino: Casino, game: str = SYNOT, *players: str) -> str:
    round_ = begin(casino, game, *players)
    shared = game in {"sazka.all_bets_blackjack", "sazka.infinite_blackjack"}
    for box, player in enumerate(players or ("anna",), start=1):
        place = player if shared else str(box)
        lay(casino, round_, f"main{player}", "main", 100, account=player, box=place)
    return round_


@pytest.mark.law("SAZKA 5(2)")
def test_a_split_and_a_double_are_bets_of_their_own(house: Casino) -> None:
    round_ = blackjack(house)
    lay(house, round_, "pairs", "player_pair", 10, box="1")
    house.close(round_)
    house.deal(round_, "1", "8H 8D")
    house.deal(round_, "dealer", "6C ?")
    _, split, _ = house.decide(round_, "split", "1", box="1")
    assert (split.bet, split.parent, split.box) == (
        f"{round_}-mainanna:split:1.2",
        f"{round_}-mainanna",
        "1",
    )
    house.deal(round_, "1.1", "3C")
    house.deal(round_, "1.2", "TS")
    _, double, _ = house.decide(round_, "double", "1.1")
    assert double.bet == f"{round_}-mainanna:double:1.1"
    house.deal(round_, "1.1", "9C")
    house.decide(round_, "stand", "1.2", by="timeout")
    house.do("reveal_card", round=round_, index=3, card="TC")
    house.deal(round_, "dealer", "2D")
    assert house.payouts(round_) == {
        "mainanna": 200_00,
        "pairs": 130_00,
        "mainanna:split:1.2": 100_00,
        "mainanna:double:1.1": 200_00,
    }
    (resulted,) = house.all_events("RoundResulted")
    assert resulted.wording == "dealer 18"
    house.assert_cold_is_hot()


@pytest.mark.parametrize(
    ("before", "decision", "hand", "facts"),
    [
        ("1 5H", "double", "1", {}),  # the third card lies there
        ("1 5H", "hit", "1", {}),
        ("dealer TC", "double", "1", {}),  # the dealer's second card is seen
        ("", "double", "2", {}),  # nobody's box
        ("", "double", "1.1", {}),  # no such hand
        ("", "split", "1", {}),  # no pair
        ("", "insurance", "1", {"stake": 50_00}),  # no ace
        ("", "double", "1", {"free": True}),
        ("", "double", "1", {"stake": 50_00}),
        ("", "double", "1", {"by": "timeout"}),
        ("", "even_money", "1", {}),
        ("", "surrender", "1", {}),
        ("", "double", "1", {"box": "2"}),
    ],
)
def test_what_is_certainly_wrong_is_refused_when_it_is_decided(
    house: Casino, before: str, decision: str, hand: str, facts: dict[str, Any]
) -> None:
    round_ = blackjack(house)
    house.close(round_)
    house.deal(round_, "1", "6H 5D")
    house.deal(round_, "dealer", "9C")
    if before:
        house.deal(round_, *before.split())
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, decision, hand, **facts)
    assert house.round(round_).actions == []
    assert house.account().in_play == 100_00


def test_nobody_decides_on_the_hand_of_somebody_else_or_doubles_twice(house: Casino) -> None:
    round_ = blackjack(house, SYNOT, "anna", "bara")
    house.close(round_)
    house.deal(round_, "1", "6H 5D")
    house.deal(round_, "2", "6C 5C")
    house.deal(round_, "dealer", "9C ?")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "2")
    house.decide(round_, "double", "1")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "double", "1")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "1")


def test_insurance_is_exactly_half_and_pays_two_to_one(house: Casino) -> None:
    round_ = blackjack(house)
    house.close(round_)
    house.deal(round_, "1", "TH 9D")
    house.deal(round_, "dealer", "AC ?")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "insurance", "1", stake=49_00)
    _, placed, _ = house.decide(round_, "insurance", "1", stake=50_00)
    assert placed.bet == f"{round_}-mainanna:insurance"
    house.decide(round_, "stand", "1")
    house.do("reveal_card", round=round_, index=3, card="KD")
    assert house.payouts(round_) == {"mainanna": 0, "mainanna:insurance": 150_00}


def test_in_a_shared_box_each_player_has_as_many_cards_as_decided(house: Casino) -> None:
    round_ = blackjack(house, "sazka.infinite_blackjack", "anna", "bara", "cyril")
    house.close(round_)
    house.deal(round_, "shared", "8H 8D")
    house.deal(round_, "dealer", "6C ?")
    house.decide(round_, "split", "anna")
    house.decide(round_, "hit", "bara", account="bara")
    house.decide(round_, "stand", "cyril", account="cyril")
    house.deal(round_, "shared", "4C")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "hit", "cyril", account="cyril")
    house.deal(round_, "shared.1", "TC")
    house.deal(round_, "shared.2", "3S")
    house.decide(round_, "double", "anna.2")
    house.deal(round_, "shared.2", "TD")
    house.decide(round_, "stand", "bara", account="bara", by="timeout")
    house.do("reveal_card", round=round_, index=3, card="TS")
    house.deal(round_, "dealer", "2H")
    assert house.payouts(round_) == {
        "mainanna": 200_00 - 100_00,
        "mainbara": 200_00,
        "maincyril": 0,
        "mainanna:split:anna.2": 200_00,
        "mainanna:double:anna.2": 200_00,
    }
    (resulted,) = house.all_events("RoundResulted")
    assert json.loads(resulted.outcome)["hands"] == {
        "anna.1": ["8H", "TC"],
        "anna.2": ["8D", "3S", "TD"],
        "bara": ["8H", "8D", "4C"],
        "cyril": ["8H", "8D"],
    }
    house.assert_cold_is_hot()


def test_tokens_are_bets_without_a_stake(house: Casino) -> None:
    round_ = blackjack(house, "sl.free_bet_blackjack")
    house.close(round_)
    house.deal(round_, "1", "6H")
    house.deal(round_, "dealer", "9C")
    house.deal(round_, "1", "5D")
    _, placed, concluded = house.decide(round_, "double", "1", free=True)
    assert (placed.bet, placed.stake) == (f"{round_}-mainanna:free_double:1", 0)
    assert concluded.amount == 0
    house.deal(round_, "1", "TD")
    house.deal(round_, "dealer", "9D")
    assert house.payouts(round_) == {"mainanna": 200_00, "mainanna:free_double:1": 100_00}


def test_several_players_on_a_box_follow_its_owner_or_not(house: Casino) -> None:
    round_ = begin(house, "69games.blackjack", "anna", "bara", "cyril")
    for player in ("anna", "bara", "cyril"):
        lay(house, round_, f"main{player}", "main", 100, account=player, box="3")
    house.player("dana", table="t1")
    house.refuse_bet("BET_NOT_ALLOWED", round_, 100, "dana", bet_code="main", box="3")
    house.close(round_)
    house.deal(round_, "3", "6H 5D")
    house.deal(round_, "dealer", "9C")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "double", "3", account="bara")
    house.decide(round_, "double", "3")
    house.decide(round_, "double", "3", account="bara")
    house.deal(round_, "3", "TD")
    house.refuse_decision("DECISION_NOT_ALLOWED", round_, "double", "3", account="cyril")
    house.deal(round_, "dealer", "9D")
    paid = house.payouts(round_)
    assert paid == {
        **{f"main{player}": 200_00 for player in ("anna", "bara", "cyril")},
        **{f"main{player}:double:3": 200_00 for player in ("anna", "bara")},
    }


def test_a_box_takes_no_more_than_its_maximum_over_all_players(house: Casino) -> None:
    round_ = begin(house, "69games.blackjack", "anna", "bara")
    lay(house, round_, "m1", "main", 20_000, box="3")
    too_much = {"bet_code": "main", "box": "3"}
    house.refuse_bet("BET_NOT_ALLOWED", round_, 6_000, "bara", **too_much)
    lay(house, round_, "m2", "main", 5_000, account="bara", box="3")


def test_a_side_bet_goes_back_with_its_main_bet(house: Casino) -> None:
    round_ = blackjack(house)
    lay(house, round_, "side", "21+3", 10, box="1")
    house.do("withdraw_bet", account="anna", round=round_, bet=f"{round_}-mainanna")
    assert house.account().wallet == 100_000_00


@pytest.mark.law("SAZKA 5(4)")
def test_bets_of_a_player_may_be_void_while_the_box_plays_on(house: Casino) -> None:
    round_ = begin(house, "69games.blackjack", "anna", "bara")
    for player in ("anna", "bara"):
        lay(house, round_, f"main{player}", "main", 100, account=player, box="3")
    house.close(round_)
    house.deal(round_, "3", "6H 5D")
    house.deal(round_, "dealer", "9C")
    house.decide(round_, "hit", "3")
    house.deal(round_, "3", "9H")
    house.refuse("VOID_REASON_UNKNOWN", "void_round", round=round_, ground="card_counting")
    house.do("void_bets", round=round_, account="anna", ground="card_counting")
    house.deal(round_, "dealer", "9D")
    assert house.payouts(round_) == {"mainbara": 200_00}
    assert house.account().wallet == 100_000_00


def test_a_round_in_which_nobody_plays_has_a_result_without_cards(house: Casino) -> None:
    round_ = begin(house, SYNOT)
    house.close(round_)
    (resulted,) = house.do("record_result", round=round_)
    assert (resulted.outcome, resulted.wording) == ("{}", "nobody played")


@pytest.mark.parametrize("game", ["sazka.casino_holdem", "69games.ultimate_texas_holdem"])
def test_a_card_recorded_twice_is_told_without_a_bet_too(house: Casino, game: str) -> None:
    round_ = begin(house, game)
    house.close(round_)
    house.deal(round_, "shared", "2H 3H")
    house.deal(round_, "board", "2S 3S 4S 5S AS")
    house.deal(round_, "dealer", "AS KD")
    (resulted,) = house.do("record_result", round=round_)
    assert resulted.wording == "all folded"


def test_a_dealer_who_stops_too_early_contradicts(house: Casino) -> None:
    round_ = blackjack(house)
    house.close(round_)
    house.deal(round_, "1", "TH 9D")
    house.deal(round_, "dealer", "9C 7D")
    (refused,) = house.refuse("RESULT_CONTRADICTS", "record_result", round=round_)
    assert "the dealer stopped at 16" in sentence_of(refused)


@pytest.mark.law("SAZKA 5a(1)")
def test_a_table_is_opened_as_the_plan_has_its_game(house: Casino) -> None:
    table = {"table": "x1", "registration": "1", "place": "studio"}
    streamed = {**table, "game": "69games.roulette", "streamed": True}
    house.refuse("TABLE_KIND_WRONG", "open_table", **streamed)
    on_land = {**table, "game": "sazka.roulette_evolution", "streamed": False}
    house.refuse("TABLE_KIND_WRONG", "open_table", **on_land)
    wheel = "69games.lucky_wheel"
    house.do("list_game", game=wheel, name=wheel)
    house.do("open_table", table="w1", registration="1", place="studio", game=wheel, streamed=True)
    day = "2025-01-21T00:00:00+01:00"
    house.do("publish_rules", game=wheel, plan_version="unknown", effective_from=day)
    house.do("launch_game", game=wheel)
    house.refuse("TABLE_KIND_WRONG", "open_round", round="w", table="w1")


@pytest.mark.law("69GAMES Stastne kolo, course of the game")
@pytest.mark.parametrize("game", ["69games.lucky_wheel", "69games.lucky_wheel_2"])
def test_bets_close_before_the_wheel_of_fortune_moves(house: Casino, game: str) -> None:
    round_ = begin(house, game)
    lay(house, round_, "a", "x1", 10)
    spin(house, round_)
    house.refuse_bet("BET_AFTER_CLOSE", round_, 10, bet_code="x1")
    taken = {"bet": f"{round_}-a", "account": "anna", "round": round_}
    house.refuse("BET_AFTER_CLOSE", "withdraw_bet", **taken)
    house.paragraphs["WRONG_ORDER"] = games.plan(game).header.rule_settled
    (refused,) = house.refuse("WRONG_ORDER", "close_bets", round=round_)
    assert "after the wheel was set in motion" in sentence_of(refused)
    house.do("invalidate_spin", round=round_, cause="wheel_stopped")
    house.close(round_)
    spin(house, round_)
    house.do("stop_wheel", round=round_, field="x1")
    assert house.payouts(round_) == {"a": 20_00}


@pytest.mark.law("Baccarat, Řešení chyb")
def test_a_coup_with_an_error_is_void_once_the_participants_were_told(house: Casino) -> None:
    round_ = begin(house, "baccarat.commission")
    lay(house, round_, "b", "banker", 20)
    house.close(round_)
    void = {"round": round_, "ground": "game_error"}
    house.refuse("FAULT_NOT_ANNOUNCED", "void_round", **void)
    told = {"table": "t1", "wording": "The shoe is changed; stakes go back.", "by": "dealer"}
    house.do("announce_fault", channels=["voice"], **told)
    house.refuse("FAULT_NOT_ANNOUNCED", "void_bets", account="anna", **void)
    house.do("announce_fault", channels=["voice", "chat"], **told)
    house.do("void_round", **void)
    assert house.account().wallet == 100_000_00
    house.assert_cold_is_hot()


@pytest.mark.law("SAZKA annex")
@pytest.mark.parametrize("game", ["sazka.blackjack_evolution", SYNOT])
def test_a_table_has_seven_seats(house: Casino, game: str) -> None:
    players = [f"p{number}" for number in range(8)]
    for name in players:
        house.player(name, table="")
    house.add_game(game, "t1", *players[:7])
    eighth = {"account": "p7", "table": "t1"}
    house.refuse("TABLE_FULL", "take_seat", **eighth)
    with house.as_reopened():
        house.refuse("TABLE_FULL", "take_seat", **eighth)
        house.do("leave_seat", account="p3", table="t1")
        house.do("take_seat", **eighth)
        house.refuse("TABLE_FULL", "take_seat", account="p3", table="t1")


@pytest.mark.law("SAZKA annex")
@pytest.mark.parametrize(
    ("game", "box", "bets"),
    [
        ("69games.blackjack", "1", ("main",)),
        ("69games.ultimate_texas_holdem", "1", ("ante", "blind")),
        ("sazka.casino_holdem", "", ("ante",)),
    ],
)
def test_a_card_that_is_burned_first_is_of_no_hand(
    house: Casino, game: str, box: str, bets: tuple[str, ...]
) -> None:
    round_ = begin(house, game)
    for bet in bets:
        lay(house, round_, bet, bet, 100, **({"box": box} if box else {}))
    house.close(round_)
    house.deal(round_, "burn", "2C")
    house.deal(round_, box or "shared", "KS KD")
    if game == "69games.blackjack":
        house.deal(round_, "dealer", "9C 9D")
    else:
        house.deal(round_, "dealer", "? ?")
        house.deal(round_, "board", "3C 4D 9H")
        acted = {"hand": "1", "street": "flop", "times": 2} if box else {}
        if box:
            house.decide(round_, "check", hand="1", street="preflop")
        house.decide(round_, "raise" if box else "call", **acted)
        house.deal(round_, "board", "JS TD")
        for index, card in ((3, "8C"), (4, "8D")):
            house.do("reveal_card", round=round_, index=index, card=card)
    assert sum(house.payouts(round_).values()) > 100_00
