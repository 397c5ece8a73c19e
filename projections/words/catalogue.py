"""Texts, amounts, times and numbers in the reader's language.

What comes in: a key such as ``events.BetsClosed``, and values. What goes out: text. The part of a
key before its first dot is an *area*, a TOML file per language (``en/units.toml``); the rest is
the key in that file, where tables may stand for dots. The areas ``events`` and ``sentences`` are
the names and sentences of ``schemas.event_texts``, by event type; ``findings`` and ``duties`` are
the names in the headers of the checks, by code. A text that depends on a number is a table of its
forms: ``one`` and ``other``, in Czech ``few`` between them.

Guaranteed, by ``tests/projections/words``: every key exists in both languages with the same
placeholders, and is used. Spaces within a number and before a unit are no-break spaces.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from enum import StrEnum
from functools import cache, lru_cache
from importlib.resources import files
from string import Formatter
from typing import TYPE_CHECKING, Any

from ledger.core.clock import DAY, HOUR, MINUTE, SECOND, in_prague, is_moment
from projections.findings.headers import known_duties, known_findings
from schemas.event_texts import event_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date, datetime

__all__ = [
    "NO_BREAK",
    "Language",
    "Words",
    "areas",
    "catalogue",
    "keys_of",
    "names_in",
    "placeholders",
]

NO_BREAK = "\N{NO-BREAK SPACE}"
HALER = 100
FEW = range(2, 5)
FORMS = frozenset({"one", "few", "other"})
OWNED = ("duties", "events", "findings", "sentences")
"""Areas whose texts are with the event or the check."""


class Language(StrEnum):
    """Languages of the catalogues, with their codes in HTML."""

    CS = "cs"
    EN = "en"


@dataclass(frozen=True, slots=True)
class Words:
    """Texts and formats of one language."""

    language: Language

    def text(self, key: str, **values: str | int) -> str:
        """Return a text with its placeholders filled in; integers are formatted as numbers.

        Raises:
            LookupError: the language has no such text, or a placeholder has no value.

        """
        return self._filled(key, catalogue(self.language)[key], values)

    def counted(self, key: str, count: int, **values: str | int) -> str:
        """Return the text in the plural form of a number; ``{count}`` is that number.

        Raises:
            LookupError: as with ``text``.

        """
        return self._filled(
            f"{key}.{self._form(count)}",
            catalogue(self.language)[f"{key}.{self._form(count)}"],
            {"count": count, **values},
        )

    def number(self, value: int) -> str:
        """Format a whole number with thousands separators."""
        return f"{value:,}".replace(",", NO_BREAK if self.language is Language.CS else ",")

    def decimal(self, value: int, places: int) -> str:
        """Format a decimal number; ``value`` is in units of the last of ``places`` decimals."""
        whole, rest = divmod(abs(value), 10**places)
        point = "," if self.language is Language.CS else "."
        written = f"{self.number(whole)}{point}{rest:0{places}d}" if places else self.number(whole)
        return f"-{written}" if value < 0 else written

    def rounded(self, value: float) -> str:
        """Format a number of any size with three significant digits."""
        return f"{value:.3g}".replace(".", "," if self.language is Language.CS else ".")

    def amount(self, haler: int) -> str:
        """Format haléř as crowns without the unit, such as ``1 234,50`` and ``1,234.50``."""
        return self.decimal(haler, 2)

    def money(self, haler: int) -> str:
        """Format haléř as crowns, such as ``1 234,50 Kč`` and ``CZK 1,234.50``."""
        if self.language is Language.CS:
            return f"{self.amount(haler)}{NO_BREAK}Kč"
        return f"{'-' if haler < 0 else ''}CZK{NO_BREAK}{self.amount(abs(haler))}"

    def money_in(self, currency: str, hundredths: int) -> str:
        """Format an amount of a currency, such as ``1 234,50 Kč`` and ``1 234,50 EUR``."""
        if currency == "CZK":
            return self.money(hundredths)
        return f"{self.amount(hundredths)}{NO_BREAK}{currency}"

    def chips(self, hundredths: int) -> str:
        """Format chips of a tournament, which have no value in money."""
        whole, rest = divmod(hundredths, HALER)
        if rest:
            return self.text("units.part_of_chips", amount=self.amount(hundredths))
        return self.counted("units.chips", whole)

    def day(self, microseconds: int) -> str:
        """Format the day in Prague, such as ``20. listopadu 2026`` and ``20 November 2026``."""
        return _day(self, in_prague(microseconds).date())

    def date(self, day: date) -> str:
        """Format a day, such as ``20. listopadu 2026`` and ``20 November 2026``."""
        return _day(self, day)

    def last_day(self, until: int) -> str:
        """Format the last day of a period that ends immediately before a time (microseconds)."""
        return self.day(until - 1)

    def clock(self, microseconds: int) -> str:
        """Format the time of day in Prague, to the millisecond."""
        return _clock(self, in_prague(microseconds))

    def moment(self, microseconds: int) -> str:
        """Format a time in Prague's local time, with the zone, as one hour a year occurs twice.

        A number outside the range of times is returned unchanged.
        """
        return _moment(self, microseconds)

    def length(self, microseconds: int) -> str:
        """Format a duration as hours, minutes and seconds, such as ``2:00:41``."""
        hours, rest = divmod(abs(microseconds), HOUR)
        minutes, rest = divmod(rest, MINUTE)
        sign = "-" if microseconds < 0 else ""
        return f"{sign}{hours}:{minutes:02d}:{rest // SECOND:02d}"

    def age(self, microseconds: int) -> str:
        """Format a duration in its largest whole unit: days, hours or minutes."""
        for key, unit in (("units.days", DAY), ("units.hours", HOUR)):
            if microseconds >= unit:
                return self.counted(key, microseconds // unit)
        return self.counted("pictures.minutes", microseconds // MINUTE)

    def listed(self, texts: Sequence[str]) -> str:
        """Join texts with commas, and the last with "and"."""
        *first, last = texts or [""]
        return f"{', '.join(first)} {self.text('units.and')} {last}" if first else last

    def _form(self, count: int) -> str:
        if abs(count) == 1:
            return "one"
        return "few" if self.language is Language.CS and abs(count) in FEW else "other"

    def _filled(self, key: str, text: str, values: Mapping[str, str | int]) -> str:
        written = {
            name: value if isinstance(value, str) else self.number(value)
            for name, value in values.items()
        }
        try:
            return text.format_map(written)
        except KeyError as error:
            raise LookupError(f"text {key} has no value for {error}") from error


@lru_cache(maxsize=1_024)
def _day(words: Words, day: date) -> str:
    month = words.text(f"calendar.month_{day.month}")
    written = words.text("calendar.day", day=day.day, month=month, year=str(day.year))
    return written.replace(" ", NO_BREAK)


@lru_cache(maxsize=4_096)
def _moment(words: Words, microseconds: int) -> str:
    if not is_moment(microseconds):
        return f"{microseconds}{NO_BREAK}µs"
    shown = in_prague(microseconds)
    zone = words.text(f"calendar.{shown.tzname()}")
    return f"{_day(words, shown.date())}, {_clock(words, shown)}{NO_BREAK}{zone}"


def _clock(words: Words, shown: datetime) -> str:
    clock = shown.isoformat(timespec="milliseconds")[11:23]
    return clock.replace(".", ",") if words.language is Language.CS else clock


def areas() -> tuple[str, ...]:
    """Return the areas of the catalogues."""
    found = files(__package__).joinpath(Language.EN).iterdir()
    return tuple(sorted({*OWNED, *(file.name.removesuffix(".toml") for file in found)}))


def keys_of(language: Language, area: str) -> tuple[str, ...]:
    """Return the keys of an area without its name; all forms of a counted text are one key."""
    keys = [key for key in catalogue(language) if key.startswith(f"{area}.")]
    return tuple(dict.fromkeys(_without_form(key).removeprefix(f"{area}.") for key in keys))


def placeholders(language: Language, key: str) -> frozenset[str]:
    """Return the placeholders of a text, in any of its forms."""
    texts = [text for one, text in catalogue(language).items() if _without_form(one) == key]
    return frozenset().union(*map(names_in, texts))


@cache
def names_in(text: str) -> frozenset[str]:
    """Return the placeholders of a text."""
    return frozenset(name for _, name, _, _ in Formatter().parse(text) if name is not None)


@cache
def catalogue(language: Language) -> Mapping[str, str]:
    """Return all texts of a language by their keys."""
    folder = files(__package__).joinpath(language)
    found = {
        key: text
        for area in areas()
        if area not in OWNED
        for key, text in _flat(
            area, tomllib.loads(folder.joinpath(f"{area}.toml").read_text(encoding="utf-8"))
        )
    }
    for event, texts in event_texts().items():
        found[f"events.{event}"] = texts.name[language]
        found[f"sentences.{event}"] = texts.sentence[language]
    for code, finding in known_findings().items():
        found[f"findings.{code}"] = getattr(finding.name, language)
    for code, duty in known_duties().items():
        found[f"duties.{code}"] = getattr(duty.name, language)
    return found


def _flat(path: str, value: Any) -> list[tuple[str, str]]:
    if isinstance(value, str):
        return [(path, value)]
    return [pair for name, inner in value.items() for pair in _flat(f"{path}.{name}", inner)]


def _without_form(key: str) -> str:
    stem, _, last = key.rpartition(".")
    return stem if last in FORMS else key
