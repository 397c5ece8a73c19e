"""Descriptions of tables and errors of the services in the reader's language."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import LedgerError
from ledger.core.phrases import Phrase
from ledger.verification.verify import verify
from projections.packages.cz.names import PackageName
from projections.store.period import read_period
from projections.store.reader_views import shown
from projections.words.catalogue import Language, Words
from projections.words.descriptions import translate_column, translate_view
from projections.words.phrases import in_czech, render_reason
from schemas.event_texts import column_descriptions
from tests.projections.words.sentences_of_code import sentences
from tools.data.moments import day, moment_in_prague
from tools.web.problems import reason_of

if TYPE_CHECKING:
    from collections.abc import Callable

CS, EN = Words(Language.CS), Words(Language.EN)
ROOT = Path(__file__).parents[3]
ENGLISH = frozenset[str]()
"""Texts that only developers see."""
TOLD = frozenset({"_refused", "_unknown", "not_found", "InputError", "AvailabilityError"})
"""Functions that make an error of its text."""


def test_every_view_is_described_in_czech() -> None:
    for one, _ in shown():
        assert translate_view(CS, one.name, one.meaning) != one.meaning, one.name
        assert translate_view(EN, one.name, one.meaning) == one.meaning


def test_every_column_is_described_in_czech() -> None:
    """A new ``doc`` in ``schemas/`` or comment in ``projections/sql/`` asks for its Czech text."""
    meanings = {column.meaning for _, columns in shown() for column in columns}
    of_events = column_descriptions()
    assert in_czech("columns").keys() == meanings - of_events.keys()
    assert of_events.keys() <= meanings
    for meaning in meanings:
        assert translate_column(EN, meaning) == meaning


def of_errors(node: ast.Call | ast.Return, _: str) -> list[ast.expr]:
    """Return the text of an error that a call constructs for a client."""
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
        ("ledger/log", "trusted_prefix.py", of_verification),
        ("ledger/log", "port.py", of_verification),
        ("ledger/log", "port.py", of_errors),
        ("projections/store", "period.py", of_errors),
        ("projections/packages/cz", "names.py", of_errors),
        ("projections/packages", "status.py", of_errors),
        ("projections/packages/cz", "explain.py", of_errors),
        ("projections/store", "as_of.py", of_errors),
        ("tools/data", "moments.py", of_errors),
    ],
)
def test_errors_that_a_page_shows_are_phrases(
    folder: str, files: str, said_in: Callable[[ast.Call | ast.Return, str], list[ast.expr]]
) -> None:
    """A phrase has a text in each language; a text that stands in the code has none."""
    assert list((ROOT / folder).rglob(files))
    assert set(sentences(ROOT / folder, said_in, files)) - ENGLISH == set()


PACKAGE = "12345678-V-2026112108-Z-01"
CASINO = "12345678-M-202611-Z-kasino_1-01"


@pytest.mark.parametrize(
    ("asked", "english", "czech"),
    [
        (
            lambda: PackageName.parse("x"),
            (
                f"'x' is not the name of a package of model V or M, kind Z, such as {PACKAGE} or "
                f"{CASINO}"
            ),
            f"'x' není název balíčku modelu V nebo M, druhu Z, například {PACKAGE} nebo {CASINO}",
        ),
        (
            lambda: read_period("x"),
            (
                "'x' is no period: write a day such as 2026-11-20, a month such as 2026-11, or a "
                "quarter such as 2026-Q4"
            ),
            (
                "'x' není období: zapište den, například 2026-11-20, měsíc, například 2026-11, "
                "nebo čtvrtletí, například 2026-Q4"
            ),
        ),
        (
            lambda: day("2026-02-30"),
            "'2026-02-30' is not a day: write it as 2026-11-20",
            "'2026-02-30' není den: zapište jej jako 2026-11-20",
        ),
        (
            lambda: moment_in_prague("2026-10-25T02:30"),
            "the clock in Prague shows 2026-10-25T02:30 twice: add +02:00 or +01:00",
            "Čas 2026-10-25T02:30 nastal v Praze dvakrát: doplňte +02:00 nebo +01:00.",
        ),
        (
            lambda: verify(()),
            "the log holds no message; a chain has at least ChainOpened",
            "v záznamu není žádná zpráva; řetězec má alespoň událost ChainOpened",
        ),
    ],
)
def test_an_error_is_english_as_a_text_and_czech_on_a_page(
    asked: Callable[[], object], english: str, czech: str
) -> None:
    with pytest.raises(LedgerError) as raised:
        asked()
    assert str(raised.value) == english
    reason = reason_of(raised.value)
    assert render_reason(EN, reason) == (english, "")
    assert render_reason(CS, reason) == (czech, "")


def test_what_another_program_said_stays_english() -> None:
    refused = Phrase("ENGINE_REFUSED", english="Unknown identifier")
    assert render_reason(CS, refused) == ("Dotaz nebyl přijat: ", "Unknown identifier")
    text = "the database rejected the question: Unknown identifier"
    assert (str(refused), render_reason(EN, refused)) == (text, (text, ""))
    assert render_reason(CS, "a text without a code") == ("", "a text without a code")
    assert render_reason(EN, "a text without a code") == ("a text without a code", "")
