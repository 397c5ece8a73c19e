"""Recorded refusals and contradictions are rendered from their codes and parameters."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import schemas
from ledger.core.phrases import Phrase, encode_parameters, placeholders_of
from ledger.core.refusals import Refusal
from ledger.core.texts import PHRASES, REFUSALS, Texts
from ledger.rules.operator import shipped_rules
from projections.facts.rendering import render_fact
from projections.findings.finding import DetectedFinding, render_findings
from projections.findings.headers import CHECKS, known_findings
from projections.words.catalogue import Language, Words
from projections.words.phrases import render_finding, render_recorded
from tests.projections.words.phrase_cases import SHOWN, VALUES

if TYPE_CHECKING:
    from projections.findings.finding import Finding

CS, EN = Words(Language.CS), Words(Language.EN)
ROOT = Path(__file__).parents[3]
BY_NAME = ("OCCASION_", "POOL_")
"""Beginnings of the codes that the name of an occasion completes."""


def rendered(words: Words, code: str, **parameters: Any) -> str:
    return render_recorded(words, code, encode_parameters(parameters)).replace("\u00a0", " ")


def test_a_code_is_one_of_refusals_or_of_phrases() -> None:
    assert not REFUSALS.keys() & PHRASES.keys()


@pytest.mark.parametrize("texts", [REFUSALS, PHRASES], ids=["refusals", "phrases"])
def test_each_text_has_the_same_places_in_czech(texts: Texts) -> None:
    for code, text in texts.items():
        assert placeholders_of(texts.czech(code)).keys() == placeholders_of(text).keys(), code


def test_each_finding_has_a_czech_sentence_with_the_same_places() -> None:
    for code, finding in known_findings().items():
        text = finding.text
        assert placeholders_of(text.cs).keys() == placeholders_of(text.en).keys(), code


@pytest.mark.parametrize("words", [EN, CS], ids=["en", "cs"])
@pytest.mark.parametrize("code", [*REFUSALS, *PHRASES])
def test_each_value_stands_in_the_text_as_its_language_writes_it(words: Words, code: str) -> None:
    places = placeholders_of({**REFUSALS, **PHRASES}[code])
    text = rendered(words, code, **{name: VALUES[kind] for name, kind in places.items()})
    for kind in places.values():
        assert SHOWN[words.language][kind] in text
    assert code not in text


def test_every_phrase_is_made_with_a_value_for_each_place() -> None:
    """A new phrase needs a text; a text without a phrase goes."""
    made = {"CASH_OF", "CHIPS_OF", "TRONC_OF", "PLAYER", "BANKER"}
    made |= {code for code in PHRASES if code.startswith(BY_NAME)}
    for finding in known_findings().values():
        begin, place, _ = finding.phrase.partition("{}")
        made |= {
            code
            for code in PHRASES
            if begin and code.startswith(begin) and (place or code == begin)
        }
    suspended = (ROOT / CHECKS / "BET_WHILE_SUSPENDED.sql").read_text(encoding="utf-8")
    made |= {code for code in PHRASES if f"'{code}'" in suspended}
    folders = (ROOT / name for name in ("ledger", "projections", "tools"))
    for file in (file for folder in folders for file in folder.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        made |= {
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and node.value in PHRASES
        }
        for node in ast.walk(tree):
            match node:
                case ast.Call(func=ast.Name(id="Phrase"), args=[ast.Constant(value=str(code))]):
                    given = [one.arg for one in node.keywords]
                    assert sorted(given) == sorted(placeholders_of(PHRASES[code])), (
                        f"{file}: {code}"
                    )
    assert made == PHRASES.keys()


def found(code: str, *, detail: Any, amount: int = 123_456) -> Finding:
    rules = shipped_rules()["sazka"]
    (finding,) = render_findings(
        [DetectedFinding(code, position=1, amount=amount, detail=detail)], rules
    )
    return finding


@pytest.mark.parametrize("code", known_findings())
def test_each_value_of_a_finding_stands_in_its_sentence(code: str) -> None:
    places = {
        name: kind
        for name, kind in placeholders_of(known_findings()[code].text.en).items()
        if "." not in name
    }
    finding = found(code, detail=VALUES[places["detail"]] if "detail" in places else "")
    for words in (EN, CS):
        text = render_finding(words, finding).replace("\u00a0", " ")
        for kind in places.values():
            assert SHOWN[words.language][kind] in text
        assert "{" not in text
        assert "figures" not in text


@pytest.mark.parametrize(
    ("code", "detail"),
    [("CREDITED_LATE", "7"), ("HELD_TOO_LONG", "2026-11-22"), ("RAISE_MISSING", Phrase("VOID"))],
)
def test_a_detail_of_another_type_is_refused(code: str, detail: object) -> None:
    with pytest.raises(TypeError, match=code):
        DetectedFinding(code, position=1, detail=detail)


def test_a_finding_names_amounts_days_and_codes_in_czech() -> None:
    def czech(code: str, detail: object, amount: int = 0) -> str:
        return render_finding(CS, found(code, detail=detail, amount=amount)).replace("\u00a0", " ")

    assert czech("CREDITED_LATE", 7, -123_456) == (
        "-1 234,56 Kč bylo připsáno 7 minut po konci kola, později než do 60."
    )
    until = Phrase("SUBJECT_UNTIL", subject="w-1", until="2026-11-01 20:15")
    assert "příliš dlouho: w-1, 1. listopadu 2026, 20:15" in czech("HELD_TOO_LONG", until)
    deposits = Phrase("CASH_DEPOSITS")
    assert czech("CASH_LIMIT_PASSED", deposits, 100_000).endswith("10 000,00 Kč o 1 000,00 Kč.")
    faults = (
        Phrase("MONEY_AGAINST", recorded=1_000, right=500),
        Phrase("POT_WON_BY", recorded=("anna", "bert"), right=()),
        Phrase("POT_OF_OTHER_STAKES"),
    )
    assert czech("POT_WRONG", Phrase("MAIN_POT", faults=faults), 500) == (
        "Pot je zaznamenán chybně o 5,00 Kč: hlavní pot: 10,00 Kč proti 5,00 Kč; "
        "zaznamenaní výherci: anna a bert, správně: nikdo; tvoří jej jiné vklady."
    )
    fault = Phrase("FAULT_OF_SETTLEMENT", fault="GAME", reason=Phrase("THE_SPIN"))
    assert czech("OUTCOME_IMPOSSIBLE", fault).endswith("vyhodnotit: GAME: roztočení.")


@pytest.mark.parametrize(
    "parameters", ["no JSON", "[]", '{"detail": 1}', '{"detail": {"code": "OLD"}}']
)
def test_values_of_another_version_are_shown_as_they_are(parameters: str) -> None:
    finding = replace(found("HELD_TOO_LONG", detail=Phrase("VOID")), parameters=parameters)
    assert render_finding(CS, finding) == f"HELD_TOO_LONG {finding.detail}"


def test_a_detail_that_was_recorded_as_text_stands_as_it_was_recorded() -> None:
    finding = replace(found("POT_WRONG", detail=Phrase("VOID")), parameters="{}", detail="made of")
    assert render_finding(CS, finding).replace("\u00a0", " ") == (
        "Pot je zaznamenán chybně o 1 234,56 Kč: made of."
    )
    assert render_finding(CS, replace(finding, code="OLD_CODE")) == "OLD_CODE made of"


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
