"""What is recorded or found as an English sentence, in the language of whoever reads it.

What comes in: a code, and the sentence that was made of its English text. What goes out: in Czech,
the text of ``cs/refusals_said.toml`` or ``cs/findings_said.toml`` with what stood in the places of
the English one; amounts and the phrases of ``cs/phrases_said.toml`` are written as Czech has them.
A sentence that the texts of today do not give, such as one of an older version, stands as it is.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.core.refusals import REFUSALS
from projections.words.catalogue import NO_BREAK, Language

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.words.catalogue import Words

__all__ = ["in_czech", "said_of_column", "said_of_finding", "said_of_refusal", "said_of_table"]

PLACE = re.compile(r"\{([\w.]+)\}")
CROWNS = re.compile(r"(?<![\w.,])(-?)(\d{1,3}(?: \d{3})*|\d+)\.(\d\d) CZK")
NUMBERS = "zero one two three four five six seven eight nine ten"
COUNTS = {name: str(number) for number, name in enumerate(NUMBERS.split())}
"""Figures that English sentences write in words."""
THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")


def said_of_refusal(words: Words, code: str, sentence: str) -> str:
    """Return the sentence of a refusal."""
    return _said(words, "refusals", code, sentence, REFUSALS.get(code))


def said_of_finding(words: Words, code: str, sentence: str, template: str | None) -> str:
    """Return the sentence of a finding; ``template`` is its English text with places."""
    return _said(words, "findings", code, sentence, template)


def said_of_table(words: Words, name: str, meaning: str) -> str:
    """Return what a table or view holds."""
    if words.language is Language.EN:
        return meaning
    return in_czech("views").get(name) or words.text(f"events.{name}")


def said_of_column(words: Words, meaning: str) -> str:
    """Return what a column of a table or view holds; ``meaning`` is its comment."""
    return meaning if words.language is Language.EN else in_czech("columns")[meaning]


def _said(words: Words, area: str, code: str, sentence: str, template: str | None) -> str:
    text = in_czech(area).get(code)
    if words.language is Language.EN or text is None or template is None:
        return sentence
    found = _pattern(template).fullmatch(sentence)
    if found is None:
        return sentence
    names = PLACE.findall(template)
    values = dict(zip(names, (_value(words, one) for one in found.groups()), strict=True))
    return PLACE.sub(lambda place: values[place[1]], text)


@cache
def in_czech(area: str) -> Mapping[str, str]:
    """Return the Czech texts of an area whose English ones stand elsewhere: ``findings``, say."""
    file = files(__package__).joinpath(Language.CS, f"{area}_said.toml")
    found: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = PLACE.split(template)[::2]
    return re.compile("(.*)".join(map(re.escape, parts)), re.DOTALL)


def _value(words: Words, text: str) -> str:
    """Write what stood in a place: phrases that are known, amounts, a count in words."""
    for phrase, czech in in_czech("phrases").items():
        found = _pattern(phrase).fullmatch(text)
        if found is not None:
            values = dict(zip(PLACE.findall(phrase), found.groups(), strict=True))
            text = PLACE.sub(lambda place, known=values: known[place[1]], czech)  # type: ignore[misc]
            break
    text = THOUSANDS.sub(lambda one: one[0].replace(",", NO_BREAK), COUNTS.get(text, text))
    return CROWNS.sub(lambda one: _money(words, one), text)


def _money(words: Words, found: re.Match[str]) -> str:
    haler = int(found[2].replace(" ", "") + found[3])
    return words.money(-haler if found[1] else haler)
