"""Refusals and their reasons in the reader's language, from recorded codes and parameters.

What comes in: a code of ``ledger.core.refusals`` or ``ledger.core.phrases``, and the JSON of its
parameters. What goes out: text. English templates are those of the ledger, Czech ones are in
``cs/refusals_said.toml`` and ``cs/phrases_said.toml``; values are written as the language does.
A code or parameters of another version are shown as they are.
"""

from __future__ import annotations

import tomllib
from datetime import date
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ledger.core.phrase_texts import PHRASES
from ledger.core.phrases import NOTHING, QUOTED_MAX, decode_parameters, places_of, render
from ledger.core.refusals import REFUSALS
from projections.words.catalogue import Language
from projections.words.names import coded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.phrases import Phrase
    from projections.words.catalogue import Words

__all__ = ["AREAS", "in_czech", "render_recorded"]

AREAS = {
    "action": "actions",
    "bet": "bets",
    "game": "games",
    "ground": "voids",
    "kind": "floor",
    "kinds": "devices",
    "means": "floor",
    "stage": "floor",
    "status": "statuses",
    "street": "streets",
}
"""Places of codes, and the area of their names."""


@cache
def in_czech(area: str) -> Mapping[str, str]:
    """Return the Czech texts of an area whose English ones are elsewhere: ``findings``, say."""
    file = files(__package__).joinpath(Language.CS, f"{area}_said.toml")
    found: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found


def render_recorded(words: Words, code: str, parameters: str) -> str:
    """Render a recorded refusal or contradiction.

    Args:
        words: of the language.
        code: of the refusal or the phrase.
        parameters: JSON of the values of its text.

    """
    english = REFUSALS.get(code) or PHRASES.get(code)
    if english is None:
        return f"{code} {parameters}"
    try:
        values = decode_parameters(english, parameters)
    except ValueError:
        return f"{code} {parameters}"
    text = _Text(words).render(code, english, values)
    return f"{text.rstrip('.')}." if code in REFUSALS else text


class _Text:
    """The texts of one language, with its way to write values."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def render(self, code: str, english: str, values: dict[str, Any]) -> str:
        places = places_of(english)
        return render(
            _template(self._words.language, code, english),
            values,
            lambda name, _, value: self._show(name, places[name], value),
        )

    def _phrase(self, phrase: Phrase) -> str:
        return self.render(phrase.code, PHRASES[phrase.code], phrase.parameters)

    def _show(self, name: str, kind: str, value: Any) -> str:
        words = self._words
        match kind:
            case "money":
                return words.money(value)
            case "amount":
                return words.amount(value)
            case "count":
                return words.number(value)
            case "moment":
                return words.moment(value)
            case "day":
                return words.date(date.fromisoformat(value))
            case "quoted":
                return repr(value[:QUOTED_MAX])
            case "phrase":
                return self._phrase(value)
            case "phrases":
                return "; ".join(map(self._phrase, value))
            case "names":
                return ", ".join(self._named(name, one) for one in value) or NOTHING
            case "choice":
                either = f" {words.text('units.or')} "
                return either.join(self._named(name, one) for one in value)
        return self._named(name, value)

    def _named(self, name: str, value: str) -> str:
        return coded(self._words, AREAS[name], name, value) if name in AREAS else value


@cache
def _template(language: Language, code: str, english: str) -> str:
    if language is Language.EN:
        return english
    return in_czech("refusals" if code in REFUSALS else "phrases")[code]
