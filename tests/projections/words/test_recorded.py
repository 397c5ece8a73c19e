"""Sentences that were made in English read as Czech has them; each code has both."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.phrase_texts import PHRASES
from projections.facts.words import crowns
from projections.reconciliation.findings import FINDINGS
from projections.store.reader_views import shown
from projections.words.catalogue import Language, Words
from projections.words.phrases import in_czech
from projections.words.recorded import (
    COUNTS,
    PLACE,
    translate_column,
    translate_error,
    translate_finding,
    translate_view,
)
from tests.projections.words.sentences_of_code import sentences

if TYPE_CHECKING:
    from collections.abc import Callable

CS, EN = Words(Language.CS), Words(Language.EN)
ROOT = Path(__file__).parents[3]
OF_PARTS = {
    "{}",
    "{}.",
    "{}{} {}",
    "{}: {}",
    "{} {}",
    "{}, {} h",
    "{} s",
    "{} h",
    "{} {} against {}",
}
OF_PARTS |= {"{}: {} against {}", "{}: there is no such pot", "opening", "closing"}
"""Sentences of values, of phrases that are said each, and of codes that have names."""
FITTING = {"used": "17", "allowed": "20", "date": "2026-11-01"}
"""What fits in places that do not take every text."""
OF_VALUES = {"a", "message a b", "a names another tag map of b messages"}
"""Errors that values make into sentences; each of these is said by itself."""
HALF_ENGLISH = re.compile(r" (?:the|of|or|is|it|was) ")
"""Words that are English and not Czech."""
TOLD = frozenset({"_refused", "_unknown", "not_found", "InputError", "AvailabilityError"})
"""Functions that make an error of its text."""
WHY_NOT = frozenset({"_fault", "_fault_of_blind", "_fault_of_giving_up", "why_not_over"})
WHY_NOT |= {"_why_not_yet", "_why_not_returned", "_pot_faults"}
"""Functions that return a sentence, or nothing."""


def test_each_code_has_a_czech_text_with_the_same_places() -> None:
    czech = in_czech("findings")
    assert czech.keys() == FINDINGS.keys()
    for code, text in FINDINGS.items():
        assert sorted(PLACE.findall(czech[code])) == sorted(PLACE.findall(text)), code
        assert czech[code] != text


def test_every_sentence_is_found_again_whatever_stands_in_its_places() -> None:
    for code, template in FINDINGS.items():
        sentence = PLACE.sub(lambda place: f"<{place[1]}>", template)
        said = translate_finding(CS, code, sentence, template)
        assert said == PLACE.sub(lambda place: f"<{place[1]}>", in_czech("findings")[code])


def test_amounts_phrases_and_counts_are_written_in_czech() -> None:
    text = FINDINGS["CREDITED_LATE"]
    sentence = PLACE.sub("{}", text).format(crowns(-123_456), "7", "5")
    found = translate_finding(CS, "CREDITED_LATE", sentence, text).replace("\u00a0", " ")
    assert found == "-1 234,56 Kč bylo připsáno 7 minut po konci kola, později než do 5."
    held = "The payout was kept back for too long: 2026-11-01."
    found = translate_finding(CS, "HELD_TOO_LONG", held, FINDINGS["HELD_TOO_LONG"])
    found = found.replace("\u00a0", " ")
    assert found == "Výplata byla zadržena příliš dlouho: 1. listopadu 2026."
    assert COUNTS["three"] == "3"
    passed = "Cash deposits of 24 hours passed 10,000 CZK by 1 000.00 CZK."
    found = translate_finding(CS, "CASH_LIMIT_PASSED", passed, FINDINGS["CASH_LIMIT_PASSED"])
    assert "10 000 Kč o 1 000,00 Kč" in found.replace("\u00a0", " ")


def test_a_sentence_of_another_version_stands_as_it_is() -> None:
    text = FINDINGS["HELD_TOO_LONG"]
    assert translate_finding(CS, "HELD_TOO_LONG", "Too long.", text) == "Too long."
    assert translate_finding(CS, "OLD_CODE", "Not so.", None) == "Not so."
    assert translate_finding(EN, "HELD_TOO_LONG", text, text) == text


def test_every_view_is_described_in_czech() -> None:
    for one, _ in shown():
        assert translate_view(CS, one.name, one.meaning) != one.meaning, one.name
        assert translate_view(EN, one.name, one.meaning) == one.meaning


def test_every_column_is_described_in_czech() -> None:
    """A new comment in ``projections/sql/`` asks for its Czech text; that of an old one goes."""
    meanings = {column.meaning for _, columns in shown() for column in columns}
    assert in_czech("columns").keys() == meanings
    for meaning in meanings:
        assert translate_column(EN, meaning) == meaning


def as_template(text: str) -> str:
    return PLACE.sub("{}", text)


def of_details(node: ast.Call | ast.Return, function: str) -> list[ast.expr]:
    """What stands in the places of findings."""
    match node:
        case ast.Return(value=ast.expr() as text) if function in WHY_NOT:
            return [text]
        case ast.Call(keywords=places):
            return [one.value for one in places if one.arg == "detail"]
    return []


def test_what_stands_in_the_places_of_findings_is_said_in_czech() -> None:
    phrases = [re.sub(r":\w+}", "}", english) for english in PHRASES.values()]
    known = {as_template(english) for english in (*in_czech("details"), *phrases)}
    known |= {f"{one}." for one in known} | OF_PARTS
    made = set(sentences(ROOT / "projections", of_details))
    assert made
    assert made <= known


@pytest.mark.parametrize("area", ["details", "problems", "faults"])
def test_each_phrase_is_found_again_within_a_sentence(area: str) -> None:
    """No phrase stands in the way of another that is more particular."""
    template = FINDINGS["OUTCOME_IMPOSSIBLE"]
    for english, czech in in_czech(area).items():
        if "{english}" in english:
            continue
        assert sorted(PLACE.findall(czech)) == sorted(PLACE.findall(english)), english
        filled = PLACE.sub(lambda place: FITTING.get(place[1], f"<{place[1]}>"), english)
        sentence = template.replace("{detail}", f"A_CODE: {filled}")
        said = PLACE.sub(lambda place: FITTING.get(place[1], f"<{place[1]}>"), czech)
        said = said.replace(FITTING["date"], "1. listopadu 2026")
        found = translate_finding(CS, "OUTCOME_IMPOSSIBLE", sentence, template)
        whole = in_czech("findings")["OUTCOME_IMPOSSIBLE"].replace("{detail}", f"A_CODE: {said}")
        assert found.replace("\u00a0", " ") == whole.replace("\u00a0", " ")


def of_errors(node: ast.Call | ast.Return, _: str) -> list[ast.expr]:
    """What the service tells who asks in vain."""
    match node:
        case ast.Call(func=ast.Name(id="ProblemError"), args=[_, _, text, *_]):
            return [text]
        case ast.Call(func=ast.Name(id=name), args=[text, *_]) if name in TOLD:
            return [text]
    return []


def of_verification(node: ast.Call | ast.Return, _: str) -> list[ast.expr]:
    """What a verification finds wrong with a chain."""
    match node:
        case ast.Call(func=ast.Name(id="_fault"), args=[_, text]):
            return [text]
        case ast.Call(func=ast.Name(id="IntegrityError" | "_BadSchemaError"), args=[text, *_]):
            return [text]
    return []


VERIFYING = (
    "chain_verifier",
    "self_description",
    "schema_book",
    "tag_map_check",
    "duplicate_commands",
)


SERVING = (
    "pages*",
    "api_*",
    "access_service",
    "sql_gateway",
    "guard",
    "formats",
    "unmasking",
    "live",
    "writers",
    "uploads",
)


@pytest.mark.parametrize(
    ("folder", "files", "said_in"),
    [
        *(("tools/access", f"{name}.py", of_errors) for name in SERVING),
        *(("ledger", f"{name}.py", of_verification) for name in VERIFYING),
        ("ledger/log", "checkpoints.py", of_verification),
        ("ledger/log", "trusted.py", of_verification),
        ("ledger/log", "port.py", of_verification),
        ("ledger/log", "port.py", of_errors),
        ("projections/books", "period.py", of_errors),
        ("projections/packages/cz", "names.py", of_errors),
        ("projections/packages", "status.py", of_errors),
        ("projections/packages/cz", "explain.py", of_errors),
        ("projections/store", "as_of.py", of_errors),
        ("tools/data", "moments.py", of_errors),
    ],
)
def test_errors_that_a_page_shows_are_told_in_czech(
    folder: str, files: str, said_in: Callable[[ast.Call | ast.Return, str], list[ast.expr]]
) -> None:
    made = {text.format(*"abcde") for text in sentences(ROOT / folder, said_in, files)}
    assert made
    said = {text: translate_error(CS, text)[0] for text in made - OF_VALUES}
    assert not {text for text, czech in said.items() if not czech or HALF_ENGLISH.search(czech)}


def test_every_phrase_of_errors_is_czech_to_its_end() -> None:
    """What stands in a place is no English sentence here, so that none is left in the whole."""
    for english in (*in_czech("problems"), *in_czech("faults")):
        czech, _ = translate_error(CS, PLACE.sub("7", english))
        assert not HALF_ENGLISH.search(czech), english


PACKAGE = "12345678-V-2026112108-Z-01"
CASINO = "12345678-M-202611-Z-kasino_1-01"
SAID = {
    "message 257 of the log, or the one behind it, was altered: run the verifier": (
        "zpráva č. 257 v záznamu, nebo zpráva za ní, byla změněna: spusťte ověření"
    ),
    "the note names another tag map of 7 messages": "poznámka uvádí jinou mapu značek 7 zpráv",
    "the log lacks message 7: verify it": "v záznamu chybí zpráva č. 7: ověřte jej",
    f"'x' is not the name of a package of model V or M, kind Z, such as {PACKAGE} or {CASINO}": (
        f"'x' není název balíčku modelu V nebo M, druhu Z, například {PACKAGE} nebo {CASINO}"
    ),
    f"package {PACKAGE} was not built: `gameledger report status` lists them": (
        f"Balíček {PACKAGE} nebyl sestaven: přehled dává `gameledger report status`."
    ),
    "'x' is no period: write a day such as 2026-11-20, a month such as 2026-11, or a quarter "
    "such as 2026-Q4": (
        "'x' není období: zapište den, například 2026-11-20, měsíc, například 2026-11, nebo "
        "čtvrtletí, například 2026-Q4"
    ),
    "'2026-02-30' is no day: write it as 2026-11-20": (
        "'2026-02-30' není den: zapište jej jako 2026-11-20"
    ),
    "the clock in Prague shows 2026-10-25T02:30 twice: add +02:00 or +01:00": (
        "Čas 2026-10-25T02:30 nastal v Praze dvakrát: doplňte +02:00 nebo +01:00."
    ),
    "the end of the right is over: name a day to come": "",
    "the meeting is a month off, it can't begin on Monday": "",
}


@pytest.mark.parametrize(("text", "said"), SAID.items())
def test_errors_are_czech_or_english_and_never_half_of_each(text: str, said: str) -> None:
    assert translate_error(CS, text) == (said, "" if said else text)


def test_a_number_of_a_number_and_a_day_are_found_again() -> None:
    def told(detail: str) -> str:
        text = FINDINGS["SPIN_TOO_SHORT"]
        sentence = text.replace("{detail}", detail)
        return translate_finding(CS, "SPIN_TOO_SHORT", sentence, text).replace("\u00a0", " ")

    assert "3 z 5" in told("3 of 5")
    assert "w-1, dne 1. listopadu 2026" in told("w-1 on 2026-11-01")
    assert "some of all" in told("some of all")


def test_what_another_program_said_stays_english() -> None:
    text = "the engine did not take it: Unknown identifier"
    assert translate_error(CS, text) == ("Dotaz nebyl přijat: ", "Unknown identifier")
    assert translate_error(EN, text) == (text, "")
    assert translate_error(CS, "a text without one") == ("", "a text without one")
    stamp = "message 7 holds a false stamp: no root"
    assert translate_error(CS, stamp) == (
        "zpráva č. 7 obsahuje nepravé časové razítko: ",
        "no root",
    )


def test_codes_and_amounts_within_details_are_written_in_czech() -> None:
    pot = f"main pot: {crowns(1_000)} against {crowns(500)}; made of other stakes"
    sentence = FINDINGS["POT_WRONG"].replace("{amount}", crowns(500)).replace("{detail}", pot)
    found = translate_finding(CS, "POT_WRONG", sentence, FINDINGS["POT_WRONG"]).replace(
        "\u00a0", " "
    )
    assert found == (
        "Pot je zaznamenán chybně o 5,00 Kč: "
        "hlavní pot: 10,00 Kč proti 5,00 Kč; tvoří jej jiné vklady."
    )


def test_moments_within_sentences_are_written_in_czech_and_what_is_none_stands() -> None:
    def rendered(day: str) -> str:
        text = FINDINGS["HELD_TOO_LONG"]
        found = translate_finding(CS, "HELD_TOO_LONG", text.replace("{detail}", day), text)
        return found.replace("\u00a0", " ")

    assert "22. listopadu 2026, 20:15:00,123 SEČ." in rendered("2026-11-22T20:15:00.123456+01:00")
    assert "2026-99-99." in rendered("2026-99-99")


@pytest.mark.parametrize("part", [" of ", "a against ", "; ", "main pot: ", "A_B: ", ", section "])
def test_a_text_of_a_stranger_is_not_read_without_end(part: str) -> None:
    for text in (part * 40, part * 40_000):
        sentence = FINDINGS["FEED_UNMAPPED"].replace("{detail}", text)
        assert translate_finding(CS, "FEED_UNMAPPED", sentence, FINDINGS["FEED_UNMAPPED"])
