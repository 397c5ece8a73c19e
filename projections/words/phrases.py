"""Render refusals, their reasons and findings in the reader's language.

What comes in: a code of ``ledger.core.texts`` or of a finding, and the JSON of its parameters. What
goes out: text, with values formatted by the rules of the language. A code or parameters of another
version are shown as they are.
"""

from __future__ import annotations

import tomllib
from datetime import date, datetime
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.phrases import NOTHING, QUOTED_MAX, decode_parameters, placeholders_of, render
from ledger.core.texts import PHRASES, REFUSALS
from projections.findings.headers import known_findings
from projections.words.catalogue import NO_BREAK, Language
from projections.words.finding_texts import fill_finding
from projections.words.names import coded, recipient

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.core.phrases import Phrase
    from ledger.core.texts import Texts
    from projections.words.catalogue import Words
    from projections.words.finding_texts import FindingFacts

__all__ = ["AREAS", "in_czech", "render_finding", "render_reason", "render_recorded"]

DECIMALS = str.maketrans({",": NO_BREAK, ".": ","})
"""Characters in Czech numbers by those in English ones."""

AREAS = {
    "action": "actions",
    "became": "results",
    "bet": "bets",
    "due_recipient": "recipients",
    "due_result": "results",
    "format": "codes",
    "game": "games",
    "ground": "voids",
    "kind": "floor",
    "kinds": "devices",
    "means": "floor",
    "recipient": "recipients",
    "stage": "floor",
    "status": "statuses",
    "street": "streets",
}
"""Placeholders that contain codes, and the catalogue area with their names."""


@cache
def in_czech(area: str) -> Mapping[str, str]:
    """Return the Czech texts of an area whose English texts are in Python, such as ``views``."""
    file = files(__package__).joinpath(Language.CS, f"{area}_said.toml")
    found: dict[str, str] = tomllib.loads(file.read_text(encoding="utf-8"))
    return found


def render_recorded(words: Words, code: str, parameters: str) -> str:
    """Render a recorded refusal or contradiction.

    Args:
        words: texts in the reader's language.
        code: code of the refusal or phrase.
        parameters: JSON of the values of its text.

    """
    english = REFUSALS.get(code) or PHRASES.get(code)
    if english is None:
        return f"{code} {parameters}"
    try:
        values = decode_parameters(english, parameters)
    except ValueError:
        return f"{code} {parameters}"
    text = _Text(words).render(REFUSALS if code in REFUSALS else PHRASES, code, values)
    return f"{text.rstrip('.')}." if code in REFUSALS else text


def render_finding(words: Words, finding: FindingFacts) -> str:
    """Render the sentence of a finding; a detail recorded as text stays English."""
    known = known_findings().get(finding.code)
    template = getattr(known.text, words.language) if known else ""
    return fill_finding(template, finding, _Text(words).show)


def render_reason(words: Words, reason: str | Phrase) -> tuple[str, str]:
    """Render an error; the second text is its part from another program, in English."""
    is_english = words.language is Language.EN
    if isinstance(reason, str):
        return (reason, "") if is_english else ("", reason)
    english, parameters = PHRASES[reason.code], dict(reason.parameters)
    ends = [name for name, kind in placeholders_of(english).items() if kind == "english"]
    rest = parameters[ends[0]] if ends and not is_english else ""
    parameters |= dict.fromkeys(ends, "") if rest else {}
    return _Text(words).render(PHRASES, reason.code, parameters), rest


class _Text:
    """The texts of one language, and how it formats values."""

    def __init__(self, words: Words) -> None:
        self._words = words

    def render(self, texts: Texts, code: str, values: Mapping[str, Any]) -> str:
        places = placeholders_of(texts[code])
        return render(
            texts[code] if self._words.language is Language.EN else texts.czech(code),
            values,
            lambda name, _, value: self.show(name, places[name], value),
        )

    def _phrase(self, phrase: Phrase) -> str:
        return self.render(PHRASES, phrase.code, phrase.parameters)

    def show(self, name: str, kind: str, value: Any) -> str:
        """Format the value of a placeholder by its type."""
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
            case "local":
                return _local(words, value)
            case "decimal":
                return str(value).translate(DECIMALS if words.language is Language.CS else {})
            case "quoted":
                return repr(value[:QUOTED_MAX])
            case "phrase":
                return self._phrase(value)
        if isinstance(value, tuple):
            return self._several(name, kind, value)
        return self._named(name, value)

    def _several(self, name: str, kind: str, values: tuple[Any, ...]) -> str:
        words = self._words
        if kind == "phrases":
            return "; ".join(map(self._phrase, values))
        shown = [self._named(name, one) for one in values]
        match kind:
            case "listed":
                return words.listed(shown) if shown else words.text("units.no_one")
            case "choice":
                return f" {words.text('units.or')} ".join(shown)
        return ", ".join(shown) or NOTHING

    def _named(self, name: str, value: str) -> str:
        area = AREAS.get(name)
        if area == "recipients":
            return recipient(self._words, value)
        return value if area is None else coded(self._words, area, name, value)


def _local(words: Words, value: str) -> str:
    """Format an ISO date, with the time if it has one: Prague time, or with its own offset."""
    if len(value) == len("2026-11-20"):
        return words.date(date.fromisoformat(value))
    moment = datetime.fromisoformat(value)
    return words.moment(from_datetime(moment if moment.tzinfo else moment.replace(tzinfo=PRAGUE)))
