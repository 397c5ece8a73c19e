"""Translate English texts into the reader's language: errors, descriptions of tables.

What comes in: a text that was made from an English template. What goes out: in Czech, the text of
``cs/problems_said.toml`` or ``cs/faults_said.toml`` with the values of the English one. A text that
matches no template is returned unchanged.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.clock import PRAGUE, from_datetime
from projections.words.catalogue import NO_BREAK, Language
from projections.words.phrases import in_czech

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.words.catalogue import Words

__all__ = [
    "translate_column",
    "translate_error",
    "translate_view",
]

AREAS_OF_PHRASES = ("problems", "faults")
PLACE = re.compile(r"\{([\w.]+)\}")
ENGLISH = "{english}"
"""The placeholder, always the last, of text from another program."""
EITHER, LITERAL = "offsets", "example"
"""The placeholders of texts joined by "or", and of a text to be typed literally."""
DEPTH_MAX = 6
LENGTH_MAX = 600
"""Limits of texts that are searched for phrases, so that untrusted text costs little."""
DAY = re.compile(r"\d{4}-\d\d-\d\d")
MOMENT = re.compile(rf"{DAY.pattern}T\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d")
THOUSANDS = re.compile(r"(?<![\d,])\d{1,3}(?:,\d{3})+(?![\d,])")


class _Phrase(NamedTuple):
    """An English text, its Czech one, and the patterns of the English placeholders."""

    english: str
    czech: str
    between: tuple[str, ...]


class _Phrases(NamedTuple):
    """Phrases without placeholders, with them, and ending in English; the most specific first."""

    whole: Mapping[str, str]
    with_places: tuple[_Phrase, ...]
    with_english: tuple[_Phrase, ...]


def translate_view(words: Words, name: str, meaning: str) -> str:
    """Return the description of a table or view."""
    if words.language is Language.EN:
        return meaning
    return in_czech("views").get(name) or words.text(f"events.{name}")


def translate_column(words: Words, meaning: str) -> str:
    """Return the description of a column of a table or view; ``meaning`` is its comment."""
    return meaning if words.language is Language.EN else in_czech("columns")[meaning]


def translate_error(words: Words, text: str) -> tuple[str, str]:
    """Return an error of the service or the verification, and its part that stays English.

    Texts of other programs stay English; a text without a Czech one stays English completely.
    """
    if words.language is Language.EN:
        return text, ""
    for phrase in _phrases().with_english:
        if (found := _pattern(phrase.english).fullmatch(text)) is not None:
            *values, rest = found.groups()
            shown = dict(zip(PLACE.findall(phrase.english), (*values, ""), strict=True))
            return _filled(phrase.czech, shown), rest
    said = _phrase(words, text, 0)
    return ("", text) if said is None else (said, "")


def _in_other_words(
    words: Words, template: str, text: str, sentence: str, depth: int = 0
) -> str | None:
    """Return the Czech text with the values of the English one, if the template matches."""
    found = _pattern(template).fullmatch(sentence)
    if found is None:
        return None
    names = PLACE.findall(template)
    shown = {
        name: _shown(words, name, value, depth)
        for name, value in zip(names, found.groups(), strict=True)
    }
    return _filled(text, shown)


def _filled(text: str, shown: Mapping[str, str]) -> str:
    return PLACE.sub(lambda place: shown[place[1]], text)


@cache
def _pattern(template: str) -> re.Pattern[str]:
    parts = PLACE.split(template)
    parts[::2] = map(re.escape, parts[::2])
    parts[1::2] = ("(.*?)" for _ in parts[1::2])
    return re.compile("".join(parts), re.DOTALL)


@cache
def _phrases() -> _Phrases:
    both = {
        english: czech for area in AREAS_OF_PHRASES for english, czech in in_czech(area).items()
    }
    found = [
        _Phrase(english, czech, tuple(filter(None, PLACE.split(english)[::2])))
        for english, czech in both.items()
    ]
    found.sort(key=lambda phrase: -sum(map(len, phrase.between)))
    return _Phrases(
        {one.english: one.czech for one in found if not PLACE.search(one.english)},
        tuple(one for one in found if PLACE.search(one.english) and ENGLISH not in one.english),
        tuple(one for one in found if ENGLISH in one.english),
    )


def _shown(words: Words, name: str, text: str, depth: int) -> str:
    if name == EITHER:
        return text.replace(" or ", f" {words.text('units.or')} ")
    return text if name == LITERAL else _value(words, text, depth + 1)


@lru_cache(maxsize=4_096)
def _value(words: Words, text: str, depth: int) -> str:
    """Translate a phrase, a day or a moment; anything else is returned unchanged."""
    if depth > DEPTH_MAX or len(text) > LENGTH_MAX:
        return text
    if (said := _phrase(words, text, depth)) is not None:
        return said
    if DAY.fullmatch(text) or MOMENT.fullmatch(text):
        return _when(words, text)
    return THOUSANDS.sub(lambda one: one[0].replace(",", NO_BREAK), text)


def _when(words: Words, text: str) -> str:
    try:
        when = datetime.fromisoformat(text)
    except ValueError:
        return text
    if when.tzinfo is None:
        return words.day(from_datetime(when.replace(tzinfo=PRAGUE)))
    return words.moment(from_datetime(when))


def _phrase(words: Words, text: str, depth: int) -> str | None:
    """Return a phrase in Czech; its final full stop may be that of the surrounding sentence."""
    whole = _phrases().whole
    if text in whole:
        return whole[text]
    if text.endswith(".") and text[:-1] in whole:
        return f"{whole[text[:-1]]}."
    for english, czech, between in _phrases().with_places:
        if not all(part in text for part in between):
            continue
        stop = "." if text.endswith(".") and not english.endswith(".") else ""
        said = _in_other_words(words, english, czech, text.removesuffix(stop), depth)
        if said is not None:
            return f"{said}{stop}"
    return None
