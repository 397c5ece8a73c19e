"""Sentences that were made in English read as Czech has them; each code has both."""

from __future__ import annotations

import pytest

import schemas
from ledger.core.refusals import REFUSALS
from projections.facts.telling import telling
from projections.facts.words import crowns
from projections.reconciliation.findings import FINDINGS
from projections.store.reader_views import shown
from projections.words.catalogue import Language, Words
from projections.words.recorded import (
    COUNTS,
    PLACE,
    in_czech,
    said_of_column,
    said_of_finding,
    said_of_refusal,
    said_of_table,
)

CS, EN = Words(Language.CS), Words(Language.EN)
ENGLISH = {"refusals": REFUSALS, "findings": FINDINGS}


@pytest.mark.parametrize("area", ENGLISH)
def test_each_code_has_a_czech_text_with_the_same_places(area: str) -> None:
    czech, english = in_czech(area), ENGLISH[area]
    assert czech.keys() == english.keys()
    for code, text in english.items():
        assert sorted(PLACE.findall(czech[code])) == sorted(PLACE.findall(text)), code
        assert czech[code] != text


@pytest.mark.parametrize("area", ENGLISH)
def test_every_sentence_is_found_again_whatever_stands_in_its_places(area: str) -> None:
    for code, template in ENGLISH[area].items():
        sentence = PLACE.sub(lambda place: f"<{place[1]}>", template)
        said = (
            said_of_refusal(CS, code, sentence)
            if area == "refusals"
            else said_of_finding(CS, code, sentence, template)
        )
        assert said == PLACE.sub(lambda place: f"<{place[1]}>", in_czech(area)[code])


def test_amounts_phrases_and_counts_are_written_in_czech() -> None:
    text = FINDINGS["CREDITED_LATE"]
    sentence = PLACE.sub("{}", text).format(crowns(-123_456), "7", "5")
    found = said_of_finding(CS, "CREDITED_LATE", sentence, text).replace("\u00a0", " ")
    assert found == "-1 234,56 Kč bylo připsáno 7 minut po konci kola, později než do 5."
    held = "The payout was kept back for more than 30 days: since 2026-11-01."
    found = said_of_finding(CS, "HELD_TOO_LONG", held, FINDINGS["HELD_TOO_LONG"])
    assert found == "Výplata byla zadržena déle než 30 dní: od 2026-11-01."
    assert COUNTS["three"] == "3"
    passed = "Cash deposits of 24 hours passed 10,000 CZK by 1 000.00 CZK."
    found = said_of_finding(CS, "CASH_LIMIT_PASSED", passed, FINDINGS["CASH_LIMIT_PASSED"])
    assert "10 000 Kč o 1 000,00 Kč" in found.replace("\u00a0", " ")


def test_what_today_s_texts_do_not_give_stands_as_it_is() -> None:
    assert said_of_refusal(CS, "UNDER_AGE", "Too young.") == "Too young."
    assert said_of_refusal(CS, "OLD_CODE", "Not so.") == "Not so."
    assert said_of_refusal(EN, "UNDER_AGE", REFUSALS["UNDER_AGE"]) == REFUSALS["UNDER_AGE"]


def test_a_refusal_is_told_in_czech() -> None:
    facts = {fact["name"]: "" for fact in schemas.newest()["CommandRefused"].facts}
    facts |= {"code": "BET_AFTER_CLOSE", "sentence": REFUSALS["BET_AFTER_CLOSE"], "account": "a-1"}
    assert "Přijímání sázek v kole je ukončeno." in telling(CS, "CommandRefused", facts)
    assert "Bets of the round are closed." in telling(EN, "CommandRefused", facts)


def test_every_view_is_described_in_czech() -> None:
    for one, _ in shown():
        assert said_of_table(CS, one.name, one.meaning) != one.meaning, one.name
        assert said_of_table(EN, one.name, one.meaning) == one.meaning


def test_every_column_is_described_in_czech() -> None:
    """A new comment in ``projections/sql/`` asks for its Czech text; that of an old one goes."""
    meanings = {column.meaning for _, columns in shown() for column in columns}
    assert in_czech("columns").keys() == meanings
    for meaning in meanings:
        assert said_of_column(EN, meaning) == meaning
