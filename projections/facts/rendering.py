"""Render one sentence for each event, in the reader's language.

What comes in: the words of a language, an event's name and fields. What goes out: a sentence; for
an event without one, its name in words. Codes, cards, bets and paragraphs are translated, money and
timestamps are formatted by the units of the schema; recorded free text is returned unchanged. A
part in brackets is included if none of its fields is empty, zero or false.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Any

import schemas
from ledger.core.phrases import NOTHING
from projections.facts.words import clock_time, crowns
from projections.words import names
from projections.words.catalogue import Language, Words, catalogue, names_in, placeholders
from projections.words.phrases import render_recorded

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["TERMINAL", "codes_in_words", "currency_of", "in_english", "render_fact"]

PLAYED_IN_CHIPS = frozenset(
    {
        "HandStarted",
        "HandAction",
        "UncalledReturned",
        "PotAwarded",
        "MisdealDeclared",
        "PointsSettled",
    }
)
"""Events of hands; in a tournament their amounts are hundredths of a chip."""
OPTIONAL = re.compile(r"\[([^]]*)\]")

AREAS = {
    "code": "findings",
    "game": "games",
    "kind": "devices",
    "device_kinds": "devices",
    "field": "bets",
    "wheel_turned": "pictures",
    "wheel_direction": "pictures",
    "ball_direction": "pictures",
    "role": "rulings",
    "penalty": "rulings",
    "channels": "channels",
    "occasion": "occasions",
    "decision": "actions",
    "action": "actions",
    "street": "streets",
    "ground": "voids",
    "cause": "voids",
    "result": "results",
    "measure": "accounts.measure",
    "station_kind": "floor",
    "stage": "floor",
    "means": "floor",
    "purpose": "floor",
}
"""Fields that contain codes, and the catalogue area with their names."""
CROWNS, CHIPS, IN = "CZK", "chips", "in "
LENGTHS = frozenset({"skew", "uncertainty"})
"""Fields in microseconds that are durations and not points in time."""
MEASURES_OF_MONEY = frozenset("abcd")
CARDS = frozenset({"card", "actual", "recorded"})
CITED = frozenset({"paragraph", "rule"})


def render_fact(words: Words, event: str, facts: Mapping[str, Any]) -> str:
    """Render an event; ``facts`` are the fields of its schema by name."""
    if f"sentences.{event}" not in catalogue(words.language):
        return names.named(words, "events", event)
    in_sentence = _fields_in_sentence(words, event)
    names_currency = "currency" in in_sentence
    units = {
        name: _unit_of_money(currency_of(event, facts, name), names_currency=names_currency)
        if unit == "haler"
        else unit
        for name, unit in _units(event).items()
    }
    if facts.get("measure") in MEASURES_OF_MONEY:
        units = units | {"value": f"{IN}{CROWNS}"}
    shown = {
        name: _shown(words, name, value, units.get(name))
        for name, value in facts.items()
        if name in in_sentence
    }
    if "bet_named" in in_sentence and "bet_code" in facts:
        shown["bet_named"] = _bet(words, facts)
    if "in_words" in in_sentence:
        code, parameters = facts.get("code"), facts.get("parameters")
        shown["in_words"] = (
            render_recorded(words, code, parameters) if code and parameters else NOTHING
        )
    present = {**facts, "bet_named": facts.get("bet_code")}
    return "".join(
        text.format_map(shown)
        for text, needed in _parts(words, event)
        if all(map(present.get, needed))
    )


def currency_of(event: str, facts: Mapping[str, Any], name: str) -> str:
    """Return the currency of a field with money; ``CHIPS`` where a tournament is played for it."""
    if event in PLAYED_IN_CHIPS and facts.get("tournament"):
        return CHIPS
    return facts.get("given_currency" if name == "given" else "currency") or CROWNS


def _unit_of_money(currency: str, *, names_currency: bool) -> str:
    if currency == CHIPS:
        return CHIPS
    if names_currency:
        return "of_currency"
    return f"{IN}{currency}"


def codes_in_words(words: Words, facts: Mapping[str, Any]) -> dict[str, str]:
    """Return the codes, cards and paragraphs of an event in words, by field; no other fields."""
    found = {}
    for name, value in facts.items():
        items = value if isinstance(value, list | tuple) else [value]
        if not value or not all(isinstance(item, str) for item in items):
            continue
        named = [_shown(words, name, item, None) for item in items]
        if name == "bet_code":
            named = [_bet(words, facts)]
        if named != [*items]:
            found[name] = ", ".join(named)
    return found


def in_english(event: str, facts: Mapping[str, Any]) -> str:
    """Render an event in English for the command line and the API."""
    return render_fact(TERMINAL, event, facts)


class _Terminal(Words):
    """English texts with the number, amount and time formats of the command line."""

    def number(self, value: int) -> str:
        return f"{value:,}".replace(",", " ")

    def money(self, haler: int) -> str:
        return crowns(haler)

    def moment(self, microseconds: int) -> str:
        return clock_time(microseconds)


TERMINAL = _Terminal(Language.EN)


@cache
def _parts(words: Words, event: str) -> list[tuple[str, frozenset[str]]]:
    """Split a sentence into parts, each with the fields that it requires."""
    cut = OPTIONAL.split(catalogue(words.language)[f"sentences.{event}"])
    return [
        (text, names_in(text) if is_optional else frozenset())
        for place, text in enumerate(cut)
        if (is_optional := place % 2) or text
    ]


@cache
def _fields_in_sentence(words: Words, event: str) -> frozenset[str]:
    """Return the names of the fields that the sentence of an event uses."""
    return placeholders(words.language, f"sentences.{event}")


def _bet(words: Words, facts: Mapping[str, Any]) -> str:
    """Return the name of a bet; the record of a refused one does not have its parent.

    An action such as a split in blackjack selects nothing, a split in roulette two numbers.
    """
    code, selection = facts["bet_code"], facts.get("selection", "")
    is_known_action = f"actions.{code}" in catalogue(words.language)
    is_added = bool(facts.get("parent")) or (is_known_action and facts.get("selection") == "")
    return names.bet(words, code, selection, additional=is_added)


@cache
def _units(event: str) -> dict[str, str]:
    facts = schemas.newest()[event].facts
    return {fact["name"]: fact["unit"] for fact in facts if "unit" in fact}


def _shown(words: Words, name: str, value: Any, unit: str | None) -> str:
    if isinstance(value, list | tuple):
        return words.listed([_shown(words, name, item, unit) for item in value]) or NOTHING
    if value is None or value == "":
        return words.text("units.face_down") if name in CARDS else NOTHING
    if isinstance(value, bool):
        return words.text("units.yes") if value else words.text("units.no")
    if unit == CHIPS:
        return words.chips(value)
    if unit == "of_currency":
        return words.amount(value)
    if unit is not None and unit.startswith(IN):
        return words.money_in(unit.removeprefix(IN), value)
    if name in LENGTHS:
        return f"{words.number(value)}\N{NO-BREAK SPACE}µs"
    if unit == "microseconds":
        return words.moment(value)
    text = str(value)
    if name == "wording":
        return names.wording(words, text)
    if name == "recipient":
        return names.recipient(words, text)
    if name in CARDS:
        return names.card(text)
    if name in CITED:
        return names.paragraph(words, text)
    return names.coded(words, AREAS.get(name), name, text)
