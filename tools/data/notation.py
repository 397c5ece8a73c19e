"""Format numbers, money and timestamps for people, each with its machine-readable value."""

from __future__ import annotations

import re
from typing import NamedTuple, Self

from ledger.core.clock import (
    HOUR,
    MINUTE,
    SECOND,
    day_of,
    in_prague,
    is_midnight,
    is_moment,
    last_day,
    occurs_twice,
)
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase

__all__ = [
    "FormattedNumber",
    "FormattedValue",
    "Heading",
    "clock",
    "counted",
    "duration",
    "haler",
    "hashed",
    "minute",
    "moment",
    "money",
    "number",
    "period_end",
    "right",
    "wrapped",
]

HALER = 100
AMOUNT = re.compile(r"([0-9]{1,12})(?:[.,]([0-9]{1,2}))?")
HASH_DIGITS = 12
OFFSET = len("+01:00")


class Heading(NamedTuple):
    """The heading of a column, and whether its texts are aligned to the right, or wrapped."""

    text: str
    is_right: bool = False
    wraps: bool = False


def right(text: str) -> Heading:
    """Return the heading of a column of texts that are aligned to the right as numbers are."""
    return Heading(text, is_right=True)


def wrapped(text: str) -> Heading:
    """Return the heading of a column of long texts, which may be wrapped."""
    return Heading(text, wraps=True)


class FormattedValue(str):
    """A value formatted for people; ``exact`` is the machine-readable value, never a formula."""

    __slots__ = ("exact",)
    exact: str

    def __new__(cls, text: str, exact: str) -> Self:
        """Create the text with its exact value."""
        made = super().__new__(cls, text)
        made.exact = exact
        return made


class FormattedNumber(FormattedValue):
    """A number formatted for people, which a table aligns to the right."""


def counted(count: int, one: str, more: str = "") -> str:
    """Format a number with its noun, such as ``1 finding`` and ``2 findings``."""
    return f"{number(count)} {one if count == 1 else more or one + 's'}"


def money(haler: int, *, sign: bool = False) -> FormattedNumber:
    """Format haléř as crowns, such as ``1 234.50``; with ``sign``, positive amounts get a plus."""
    crowns, rest = divmod(abs(haler), HALER)
    prefix = "-" if haler < 0 else "+" if sign and haler > 0 else ""
    exact = f"{'-' if haler < 0 else ''}{crowns}.{rest:02d}"
    return FormattedNumber(f"{prefix}{number(crowns)}.{rest:02d}", exact)


def number(value: int) -> FormattedNumber:
    """Format a number with its thousands separated."""
    return FormattedNumber(f"{value:,}".replace(",", " "), str(value))


def period_end(end: int) -> FormattedValue:
    """Format the end of a period, which is not part of it: its last day, or a time within a day."""
    exact = moment(end)
    return FormattedValue(last_day(end), exact.exact) if is_midnight(end) else exact


def moment(microseconds: int) -> FormattedValue:
    """Format a timestamp in Prague time, to the millisecond; other numbers stay unchanged.

    In the hour that occurs twice a year the offset follows, such as ``+02:00``.
    """
    return _local(microseconds, "milliseconds")


def _local(microseconds: int, precision: str) -> FormattedValue:
    if not is_moment(microseconds):
        return FormattedValue(f"{microseconds} µs", str(microseconds))
    shown = in_prague(microseconds)
    text = shown.isoformat(" ", precision)
    offset = 0 if occurs_twice(microseconds) else OFFSET
    return FormattedValue(text[: len(text) - offset], shown.isoformat(timespec="microseconds"))


def minute(microseconds: int) -> FormattedValue:
    """Format a timestamp in Prague time, to the minute."""
    return _local(microseconds, "minutes")


def hashed(digest: str, *, full: bool = False) -> FormattedValue:
    """Format a hash, abbreviated where it need not be complete."""
    return FormattedValue(digest if full else digest[:HASH_DIGITS], digest)


def clock(microseconds: int, *, after: int) -> FormattedValue:
    """Format the time of day in Prague, to the millisecond; on another day than ``after``, whole.

    ``after`` is a timestamp that the reader sees with its day.
    """
    shown = moment(microseconds)
    is_of_day = is_moment(microseconds) and is_moment(after)
    if is_of_day and day_of(microseconds) == day_of(after):
        return FormattedValue(shown[11:], shown.exact)
    return shown


def duration(microseconds: int) -> str:
    """Format a duration, such as ``2:00:41``."""
    hours, rest = divmod(microseconds, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{rest // SECOND:02d}"


def haler(text: str) -> int:
    """Read an amount in crowns, such as ``5`` or ``0.50``; return haléř.

    Raises:
        InputError: the text is no such amount.

    """
    found = AMOUNT.fullmatch(text.strip())
    if found is None:
        raise InputError(Phrase("NO_AMOUNT", text=text))
    return int(found[1]) * 100 + int((found[2] or "0").ljust(2, "0"))
