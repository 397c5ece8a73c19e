"""Format numbers, money and timestamps for people, each with its machine-readable value."""

from __future__ import annotations

from typing import Self

from ledger.core.clock import HOUR, MINUTE, SECOND, in_prague, is_midnight, is_moment, last_day

__all__ = [
    "FormattedValue",
    "clock",
    "counted",
    "duration",
    "hashed",
    "minute",
    "moment",
    "money",
    "number",
    "period_end",
    "unit_of",
]

HALER = 100
HASH_DIGITS = 12
IN_HALER = frozenset(
    {"stakes", "paid", "house_result", "stake", "money_pool", "prize_pool", "wallet", "reserved"}
    | {"in_play", "withdrawals", "claims", "opening", "debit", "credit", "closing", "amount"}
    | {"round_maximum"}
)
MOMENTS = frozenset({"at", "until", "answer_until"})
COUNTS = frozenset({"bets", "entries", "version", "findings", "size", "rows"})
"""Names of numbers in lists by their unit; those that end with _at are moments."""


class FormattedValue(str):
    """A value formatted for people; ``exact`` is the machine-readable value, never a formula."""

    __slots__ = ("exact",)
    exact: str

    def __new__(cls, text: str, exact: str) -> Self:
        """Create the text with its exact value."""
        made = super().__new__(cls, text)
        made.exact = exact
        return made


def counted(count: int, one: str, more: str = "") -> str:
    """Format a number with its noun, such as ``1 finding`` and ``2 findings``."""
    return f"{number(count)} {one if count == 1 else more or one + 's'}"


def money(haler: int, *, sign: bool = False) -> FormattedValue:
    """Format haléř as crowns, such as ``1 234.50``; with ``sign``, positive amounts get a plus."""
    crowns, rest = divmod(abs(haler), HALER)
    prefix = "-" if haler < 0 else "+" if sign and haler > 0 else ""
    exact = f"{'-' if haler < 0 else ''}{crowns}.{rest:02d}"
    return FormattedValue(f"{prefix}{number(crowns)}.{rest:02d}", exact)


def number(value: int) -> FormattedValue:
    """Format a number with its thousands separated."""
    return FormattedValue(f"{value:,}".replace(",", " "), str(value))


def period_end(end: int) -> FormattedValue:
    """Format the end of a period, which is not part of it: its last day, or a time within a day."""
    exact = moment(end)
    return FormattedValue(last_day(end), exact.exact) if is_midnight(end) else exact


def moment(microseconds: int) -> FormattedValue:
    """Format a timestamp in Prague time, to the millisecond; other numbers stay unchanged."""
    if not is_moment(microseconds):
        return FormattedValue(f"{microseconds} µs", str(microseconds))
    shown = in_prague(microseconds)
    return FormattedValue(
        shown.isoformat(" ", "milliseconds")[:23], shown.isoformat(timespec="microseconds")
    )


def minute(microseconds: int) -> FormattedValue:
    """Format a timestamp in Prague time, to the minute."""
    shown = moment(microseconds)
    return FormattedValue(shown[:16], shown.exact) if is_moment(microseconds) else shown


def hashed(digest: str, *, full: bool = False) -> FormattedValue:
    """Format a hash, abbreviated where it need not be complete."""
    return FormattedValue(digest if full else digest[:HASH_DIGITS], digest)


def clock(microseconds: int) -> FormattedValue:
    """Format the time of day in Prague, to the millisecond."""
    shown = moment(microseconds)
    return FormattedValue(shown[11:], shown.exact) if is_moment(microseconds) else shown


def duration(microseconds: int) -> str:
    """Format a duration, such as ``2:00:41``."""
    hours, rest = divmod(microseconds, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{rest // SECOND:02d}"


def unit_of(field: str) -> str:
    """Return the unit of a number in a list by its field name: haler, moment or none.

    Raises:
        LookupError: no list of units has the name.

    """
    if field in IN_HALER:
        return "haler"
    if field in MOMENTS or field.endswith("_at"):
        return "moment"
    if field in COUNTS or field.endswith("position"):
        return ""
    raise LookupError(f"{field} has no unit: name it in IN_HALER, MOMENTS or COUNTS")
