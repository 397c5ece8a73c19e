"""Numbers, money and moments as people read them, each with what a machine reads instead."""

from __future__ import annotations

from typing import Self

from ledger.core.clock import HOUR, MINUTE, SECOND, in_prague, is_moment

__all__ = [
    "Exact",
    "clock",
    "counted",
    "duration",
    "hashed",
    "minute",
    "moment",
    "money",
    "number",
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


class Exact(str):
    """A value as people read it; ``exact`` is the same for a machine, never a formula."""

    __slots__ = ("exact",)
    exact: str

    def __new__(cls, text: str, exact: str) -> Self:
        """Join the two."""
        made = super().__new__(cls, text)
        made.exact = exact
        return made


def counted(count: int, one: str, more: str = "") -> str:
    """Write a number with its noun, such as ``1 finding`` and ``2 findings``."""
    return f"{number(count)} {one if count == 1 else more or one + 's'}"


def money(haler: int, *, sign: bool = False) -> Exact:
    """Write haléř as crowns, such as ``1 234.50``; with ``sign`` also a plus."""
    crowns, rest = divmod(abs(haler), HALER)
    prefix = "-" if haler < 0 else "+" if sign and haler > 0 else ""
    exact = f"{'-' if haler < 0 else ''}{crowns}.{rest:02d}"
    return Exact(f"{prefix}{number(crowns)}.{rest:02d}", exact)


def number(value: int) -> Exact:
    """Write a number with its thousands apart."""
    return Exact(f"{value:,}".replace(",", " "), str(value))


def moment(microseconds: int) -> Exact:
    """Write a moment as Prague has it, to the millisecond; any other number as it stands."""
    if not is_moment(microseconds):
        return Exact(f"{microseconds} µs", str(microseconds))
    shown = in_prague(microseconds)
    return Exact(
        shown.isoformat(" ", "milliseconds")[:23], shown.isoformat(timespec="microseconds")
    )


def minute(microseconds: int) -> Exact:
    """Write a moment as Prague has it, to the minute."""
    shown = moment(microseconds)
    return Exact(shown[:16], shown.exact) if is_moment(microseconds) else shown


def hashed(digest: str, *, full: bool = False) -> Exact:
    """Write a hash, or its beginning where it need not be whole."""
    return Exact(digest if full else digest[:HASH_DIGITS], digest)


def clock(microseconds: int) -> Exact:
    """Write the time of day in Prague, to the millisecond."""
    shown = moment(microseconds)
    return Exact(shown[11:], shown.exact) if is_moment(microseconds) else shown


def duration(microseconds: int) -> str:
    """Write a length of time, such as ``2:00:41``."""
    hours, rest = divmod(microseconds, HOUR)
    minutes, rest = divmod(rest, MINUTE)
    return f"{hours}:{minutes:02d}:{rest // SECOND:02d}"


def unit_of(field: str) -> str:
    """Return the unit of a number in a list by the name of its field: haler, moment or none.

    Raises:
        LookupError: the name is in none of the lists.

    """
    if field in IN_HALER:
        return "haler"
    if field in MOMENTS or field.endswith("_at"):
        return "moment"
    if field in COUNTS or field.endswith("position"):
        return ""
    raise LookupError(f"{field} has no unit: name it in IN_HALER, MOMENTS or COUNTS")
