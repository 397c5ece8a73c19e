"""No sentence and no line of the log calls money of another currency, or chips, crowns."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

import schemas
from projections.facts.rendering import PLAYED_IN_CHIPS, render_fact
from projections.words.catalogue import NO_BREAK, Language, Words
from tests.projections.projection_cases import any_event
from tools.cli._facts import in_words

CROWNS = ("Kč", "CZK")
IN_CURRENCY = sorted(
    name
    for name, schema in schemas.newest().items()
    if {"currency"} < {one["name"] for one in schema.facts}
    and any(one.get("unit") == "haler" for one in schema.facts)
)
FOREIGN = {"currency": "EUR", "given_currency": "USD"}


def foreign(name: str, **more: str) -> Any:
    """An event of a type whose money is not in crowns."""
    event = any_event(Random(name), name)
    given = {**FOREIGN, **more}
    return msgspec.structs.replace(
        event, **{key: text for key, text in given.items() if hasattr(event, key)}
    )


@pytest.mark.parametrize("name", IN_CURRENCY)
def test_money_of_an_event_is_in_its_currency(name: str) -> None:
    event = foreign(name)
    texts = [in_words(event)]
    texts += [render_fact(Words(one), name, msgspec.structs.asdict(event)) for one in Language]
    for text in texts:
        assert not any(crowns in text for crowns in CROWNS), text
    assert "EUR" in texts[0]


@pytest.mark.parametrize("name", sorted(PLAYED_IN_CHIPS))
def test_chips_of_a_tournament_are_no_crowns(name: str) -> None:
    text = in_words(foreign(name, tournament="cup"))
    assert not any(crowns in text for crowns in CROWNS), text


def test_a_statement_in_euros_is_described_in_euros() -> None:
    facts = {"issuer": "euro", "statement": "s-1", "first_line": 1}
    facts |= {"incoming": 1_234, "outgoing": 0}
    for currency, shown in (("EUR", "EUR"), ("CZK", "Kč")):
        facts |= {"currency": currency}
        sentence = render_fact(Words(Language.CS), "StatementLinesRecorded", facts)
        amounts = f"dosud přijato 12,34{NO_BREAK}{shown}, vydáno 0,00{NO_BREAK}{shown}."
        assert sentence.endswith(amounts)
