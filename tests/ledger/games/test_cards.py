"""Cards: what is one, how many there can be, what shape a list of them has."""

from __future__ import annotations

import pytest

from ledger import games
from ledger.games.api.cards import DECK, check_copies, parse_card, parse_cards
from ledger.games.api.contract import read


def test_a_deck_has_52_cards_that_read_as_they_are_written() -> None:
    assert len(set(DECK)) == 52
    assert parse_cards(str(card) for card in DECK) == DECK


@pytest.mark.parametrize(
    "text", ["", "A", "10S", "1S", "as", "aS", "As", "SA", "AS ", " AS", "AX", "A\u2660", "ASS"]
)
def test_anything_else_is_no_card(text: str) -> None:
    with pytest.raises(games.SettlementError, match="INVALID_CARD"):
        parse_card(text)


@pytest.mark.parametrize("decks", [1, 2, 8])
def test_a_card_may_lie_as_often_as_there_are_decks(decks: int) -> None:
    check_copies(DECK * decks, decks)
    with pytest.raises(games.SettlementError, match="TOO_MANY_COPIES"):
        check_copies([*DECK, *[DECK[7]] * decks], decks)


@pytest.mark.parametrize("value", [None, "AS", {"0": "AS"}, [1], ["AS", None], [["AS"]], True])
def test_cards_of_a_wrong_shape_are_malformed(value: object) -> None:
    with pytest.raises(games.SettlementError, match="MALFORMED_REQUEST"):
        read({"player": value}, games.BaccaratOutcome, "outcome")
    with pytest.raises(games.SettlementError, match="MALFORMED_REQUEST"):
        read({"hands": {"1": value}}, games.UltimateHoldemOutcome, "outcome")


def test_cards_left_out_are_none_and_empty_lists_are_empty() -> None:
    assert read({}, games.BaccaratOutcome, "outcome").player is None
    assert read({}, games.UltimateHoldemOutcome, "outcome").hands is None
    assert read({"player": []}, games.BaccaratOutcome, "outcome").player == ()
    hands = read({"hands": {"1": ["xx"]}}, games.UltimateHoldemOutcome, "outcome").hands
    assert hands == {"1": ("xx",)}
