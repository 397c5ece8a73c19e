"""Money and moments in words, for people who read an answer."""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND, in_prague, is_moment

__all__ = ["clock_time", "crowns", "duration"]


def crowns(haler: int) -> str:
    """Write haléř as crowns, such as ``-1 234.50 CZK``."""
    whole, rest = divmod(abs(haler), 100)
    sign = "-" if haler < 0 else ""
    return f"{sign}{whole:,}".replace(",", " ") + f".{rest:02d} CZK"


def clock_time(moment: int) -> str:
    """Write a moment (microseconds) as a clock in Prague shows it; another number as it stands."""
    if not is_moment(moment):
        return f"{moment} µs"
    return in_prague(moment).isoformat(sep=" ", timespec="microseconds")


def duration(length: int) -> str:
    """Write a length (microseconds) as minutes and seconds, such as ``121:00.000000``."""
    minutes, rest = divmod(abs(length), MINUTE)
    seconds, micros = divmod(rest, SECOND)
    return f"{'-' if length < 0 else ''}{minutes}:{seconds:02d}.{micros:06d}"
