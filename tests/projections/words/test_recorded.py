"""Errors and descriptions that are made in English read as Czech has them."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from projections.store.reader_views import shown
from projections.words.catalogue import Language, Words
from projections.words.phrases import in_czech
from projections.words.recorded import (
    PLACE,
    translate_column,
    translate_error,
    translate_view,
)
from tests.projections.words.sentences_of_code import sentences

if TYPE_CHECKING:
    from collections.abc import Callable

CS, EN = Words(Language.CS), Words(Language.EN)
ROOT = Path(__file__).parents[3]
OF_VALUES = {"a", "message a b", "a names another tag map of b messages"}
"""Errors that values make into sentences; each of these is said by itself."""
HALF_ENGLISH = re.compile(r" (?:the|of|or|is|it|was) ")
"""Words that are English and not Czech."""
TOLD = frozenset({"_refused", "_unknown", "not_found", "InputError", "AvailabilityError"})
"""Functions that make an error of its text."""


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


@pytest.mark.parametrize("area", ["problems", "faults"])
def test_each_phrase_is_found_again_whatever_stands_in_its_places(area: str) -> None:
    """No phrase stands in the way of another that is more particular."""
    for english, czech in in_czech(area).items():
        if "{english}" in english:
            continue
        assert sorted(PLACE.findall(czech)) == sorted(PLACE.findall(english)), english
        filled, said = (PLACE.sub(lambda place: f"<{place[1]}>", one) for one in (english, czech))
        assert translate_error(CS, filled) == (said, "")


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


@pytest.mark.parametrize("part", [" of ", "message ", "; ", " was altered: ", ": give "])
def test_a_text_of_a_stranger_is_not_read_without_end(part: str) -> None:
    for text in (part * 40, part * 40_000):
        said, english = translate_error(CS, f"message 7 was altered: {text}")
        assert said or english
