"""Recorded refusals and contradictions are rendered from their codes and parameters."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

import schemas
from ledger.core.phrase_texts import PHRASES
from ledger.core.phrases import Phrase, encode_parameters, places_of
from ledger.core.refusals import REFUSALS, Refusal
from projections.facts.rendering import render_fact
from projections.words.catalogue import Language, Words
from projections.words.phrases import in_czech, render_recorded

CS, EN = Words(Language.CS), Words(Language.EN)
ROOT = Path(__file__).parents[3]
EVENING = 1_795_374_900_123_456
VALUES: dict[str, Any] = {
    "": "<text>",
    "quoted": "<quoted>",
    "money": 123_456,
    "amount": 7_890,
    "count": 17,
    "moment": EVENING,
    "day": "2026-11-22",
    "names": ("<one>", "<other>"),
    "choice": ("<one>", "<other>"),
    "phrase": Phrase("CARD_NUMBERED", number=3),
    "phrases": (Phrase("CARD_NUMBERED", number=3), Phrase("THE_SPIN")),
}
SHOWN = {
    Language.EN: {
        "": "<text>",
        "quoted": "'<quoted>'",
        "money": "CZK 1,234.56",
        "amount": "78.90",
        "count": "17",
        "moment": "22 November 2026, 20:15:00.123 CET",
        "day": "22 November 2026",
        "names": "<one>, <other>",
        "choice": "<one> or <other>",
        "phrase": "card 3",
        "phrases": "card 3; the spin",
    },
    Language.CS: {
        "": "<text>",
        "quoted": "'<quoted>'",
        "money": "1 234,56 Kč",
        "amount": "78,90",
        "count": "17",
        "moment": "22. listopadu 2026, 20:15:00,123 SEČ",
        "day": "22. listopadu 2026",
        "names": "<one>, <other>",
        "choice": "<one> nebo <other>",
        "phrase": "karta č. 3",
        "phrases": "karta č. 3; roztočení",
    },
}


def rendered(words: Words, code: str, **parameters: Any) -> str:
    return render_recorded(words, code, encode_parameters(parameters)).replace("\u00a0", " ")


def test_a_code_is_one_of_refusals_or_of_phrases() -> None:
    assert not REFUSALS.keys() & PHRASES.keys()


@pytest.mark.parametrize(("area", "english"), [("refusals", REFUSALS), ("phrases", PHRASES)])
def test_each_code_has_a_czech_text_with_the_same_places(
    area: str, english: dict[str, str]
) -> None:
    czech = in_czech(area)
    assert czech.keys() == english.keys()
    for code, text in english.items():
        assert places_of(czech[code]).keys() == places_of(text).keys(), code


@pytest.mark.parametrize("words", [EN, CS], ids=["en", "cs"])
@pytest.mark.parametrize("code", [*REFUSALS, *PHRASES])
def test_each_value_stands_in_the_text_as_its_language_writes_it(words: Words, code: str) -> None:
    places = places_of({**REFUSALS, **PHRASES}[code])
    text = rendered(words, code, **{name: VALUES[kind] for name, kind in places.items()})
    for kind in places.values():
        assert SHOWN[words.language][kind] in text
    assert code not in text


def test_every_phrase_is_made_with_a_value_for_each_place() -> None:
    """A new phrase needs a text; a text without a phrase goes."""
    made = {"CASH_OF", "CHIPS_OF", "TRONC_OF", "PLAYER", "BANKER"}
    for file in (ROOT / "ledger").rglob("*.py"):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        made |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value in PHRASES
            if file.name != "phrase_texts.py"
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="Phrase"), args=[ast.Constant(value=str(code))]):
                    given = [one.arg for one in node.keywords]
                    assert sorted(given) == sorted(places_of(PHRASES[code])), f"{file}: {code}"
    assert made == PHRASES.keys()


def test_parameters_that_a_version_does_not_know_are_shown_as_they_are() -> None:
    assert render_recorded(CS, "OLD_CODE", '{"a": 1}') == 'OLD_CODE {"a": 1}'
    assert render_recorded(CS, "UNDER_AGE", '{"a": 1}') == 'UNDER_AGE {"a": 1}'
    assert render_recorded(CS, "PANIC_BLOCK", "not JSON") == "PANIC_BLOCK not JSON"
    of_old = '{"reason": {"code": "OLD", "parameters": {}}}'
    assert render_recorded(EN, "BET_NOT_ALLOWED", of_old) == f"BET_NOT_ALLOWED {of_old}"
    assert Refusal.recorded("OLD_CODE", "{}", "1").sentence == "OLD_CODE {}"


def test_a_refusal_is_rendered_in_both_languages() -> None:
    facts = {fact["name"]: "" for fact in schemas.newest()["CommandRefused"].facts}
    facts |= {"code": "BET_AFTER_CLOSE", "parameters": "{}", "account": "a-1"}
    assert "Přijímání sázek v kole je ukončeno." in render_fact(CS, "CommandRefused", facts)
    assert "Bets of the round are closed." in render_fact(EN, "CommandRefused", facts)


def test_names_of_codes_are_those_of_the_language() -> None:
    reason = Phrase("BET_ABOVE_MAXIMUM", amount=250_000, bet="split")
    assert rendered(CS, "BET_NOT_ALLOWED", reason=reason) == (
        "Sázka není přípustná: více než maximum 2 500,00 Kč na sázku: sázka na dvě čísla (split)."
    )
    assert rendered(CS, "DEVICE_MISSING", kinds=("machine", "shoe")) == (
        "U stolu chybí automat nebo sabot, které určuje výsledek."
    )
    assert rendered(CS, "WRONG_ORDER", what=Phrase("RESULT"), status="open") == (
        "Zápis výsledku nelze provést: stav kola je příjem sázek."
    )
