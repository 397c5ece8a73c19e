"""Results held against the cards that the studio recorded: no shoe has a card twice a deck."""

from __future__ import annotations

import pytest

from ledger.events import event_types as e
from ledger.games import BURN
from tests.projections.history_cases import GAME, House
from tests.projections.shared_cases import Asking, together

DECKS = 2
THREE = ("AC", "AC", "AC")


def shoe(decks: int = DECKS) -> e.ShoeLoaded:
    return e.ShoeLoaded(
        shoe="s", table="t", decks=decks, shuffle_method="machine", cut=9, cut_by=""
    )


def dealt(index: int, card: str, name: str = "r") -> e.CardDealt:
    return e.CardDealt(
        round=name, shoe="s", index=index, recipient="p", face_up=bool(card), card=card
    )


def burnt(index: int, card: str) -> e.CardDealt:
    return e.CardDealt(round="r", shoe="s", index=index, recipient=BURN, face_up=True, card=card)


def revealed(index: int, card: str) -> e.CardRevealed:
    return e.CardRevealed(round="r", index=index, card=card)


def corrected(index: int, card: str) -> e.CardRecordCorrected:
    return e.CardRecordCorrected(round="r", index=index, recorded="", actual=card, by="b")


REBUILT = e.RoundReconstructed(round="r", how="camera", by="b", succeeded=True)
OPENED_AGAIN = e.TableOpened(table="t", registration="1", game=GAME, place="", streamed=True)


@pytest.mark.law("SAZKA 14(1)")
@pytest.mark.parametrize(
    ("before", "facts", "expected"),
    [
        ([shoe()], [dealt(0, "AC"), dealt(1, "AC"), dealt(2, "AD")], ""),
        ([shoe()], [dealt(at, card) for at, card in enumerate(THREE)], "AC"),
        ([shoe()], [dealt(0, "AC"), dealt(1, "AC"), dealt(2, ""), revealed(2, "AC")], "AC"),
        ([shoe()], [dealt(0, "AC"), dealt(1, "AC"), dealt(1, "AC")], ""),
        ([shoe()], [*(dealt(at, card) for at, card in enumerate(THREE)), corrected(2, "AD")], ""),
        ([shoe()], [dealt(0, "AD"), dealt(1, "AC"), dealt(2, "AC"), corrected(0, "AC")], "AC"),
        ([shoe()], [*(dealt(at, card) for at, card in enumerate(THREE)), REBUILT], ""),
        ([shoe()], [dealt(0, "AC"), dealt(1, "AC"), dealt(2, "AC", "another")], ""),
        ([shoe(1), shoe(3)], [dealt(at, card) for at, card in enumerate(THREE)], ""),
        ([shoe(), OPENED_AGAIN], [dealt(at, card) for at, card in enumerate(THREE)], ""),
        ([shoe(0)], [dealt(at, card) for at, card in enumerate(THREE)], ""),
        ([], [dealt(at, card) for at, card in enumerate(THREE)], ""),
    ],
)
@together
def test_a_result_on_more_cards_of_a_kind_than_the_shoe_has_is_found(
    house: House, before: list[e.Event], facts: list[e.Event], expected: str
) -> Asking:
    for fact in before:
        house.at(0, fact)
    house.opened(1, "r")
    house.closed(2, "r")
    for fact in facts:
        house.at(3, fact)
    house.resulted(4, "r")
    house.at(5, *(burnt(at, "KS") for at in range(7, 12)))
    findings = [one for one in (yield) if one.code == "RESULT_ON_CONTRADICTION"]
    assert [one.about for one in findings] == [expected] * bool(expected)
    said = "The result rests on a record that says two things: {}."
    assert [one.sentence for one in findings] == [
        said.format("AC lies there 3 times, the decks hold 2")
    ] * bool(expected)
