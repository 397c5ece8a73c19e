"""Phrases hold values of the types of their places, and survive being recorded."""

from __future__ import annotations

import pytest

from ledger.core.phrases import (
    TEXT_MAX,
    Phrase,
    decode_parameters,
    encode_parameters,
    format_hundredths,
)
from ledger.core.refusals import Refusal, RefusedError
from ledger.core.texts import REFUSALS


@pytest.mark.parametrize("parameters", [{}, {"number": "3"}, {"number": 3, "more": 1}], ids=str)
def test_a_phrase_takes_a_value_of_the_right_type_for_each_place(
    parameters: dict[str, object],
) -> None:
    with pytest.raises(TypeError):
        Phrase("CARD_NUMBERED", **parameters)


@pytest.mark.parametrize("details", [{}, {"limit": 1.5}, {"limit": 1, "of": 2}], ids=str)
def test_a_refusal_takes_a_value_of_the_right_type_for_each_place(
    details: dict[str, object],
) -> None:
    with pytest.raises(TypeError):
        RefusedError("MEASURE_STAKES_DAY", **details)


def test_parameters_are_read_back_as_they_were() -> None:
    doubts = (Phrase("CARD_NUMBERED", number=3), Phrase("THE_SPIN"))
    reason = Phrase("RECORD_DIFFERS", doubts=doubts)
    text = encode_parameters({"reason": reason})
    assert decode_parameters(REFUSALS["RESULT_CONTRADICTS"], text) == {"reason": reason}
    recorded = Refusal.recorded("RESULT_CONTRADICTS", text, "14(1)")
    assert recorded == Refusal.of("RESULT_CONTRADICTS", {"reason": reason}, "14(1)")
    assert recorded.sentence.startswith("The record says two things of card 3; the spin. ")


def test_text_from_outside_is_cut() -> None:
    long = Phrase("NOT_A_CARD", card="x" * 1_000)
    assert len(long.parameters["card"]) == TEXT_MAX
    assert str(long) == f"{'x' * 40!r} is not a card"


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0.00"), (-1, "-0.01"), (5, "0.05"), (100, "1.00"), (-123_450, "-1 234.50")],
)
def test_hundredths_are_written_with_their_sign_and_two_places(value: int, text: str) -> None:
    assert format_hundredths(value) == text


def test_amounts_are_written_in_crowns() -> None:
    assert str(Phrase("PRICE_ANNOUNCED", amount=123_456_789)) == (
        "The announced price is 1 234 567.89 CZK."
    )
    assert str(Phrase("AMOUNT_OWED", amount=-50)) == "-0.50 are owed."
