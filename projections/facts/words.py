"""Formatted money and moments for readers of an answer."""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND, in_prague, is_moment

__all__ = ["clock_time", "crowns", "duration"]


def crowns(haler: int) -> str:
    """Format haléř as crowns, such as ``-1 234.50 CZK``."""
    whole, rest = divmod(abs(haler), 100)
    sign = "-" if haler < 0 else ""
    return f"{sign}{whole:,}".replace(",", " ") + f".{rest:02d} CZK"


def clock_time(moment: int) -> str:
    """Format a moment (microseconds) in Prague's local time; other numbers are unchanged."""
    if not is_moment(moment):
        return f"{moment} µs"
    return in_prague(moment).isoformat(sep=" ", timespec="microseconds")


def duration(length: int) -> str:
    """Format a duration (microseconds) as minutes and seconds, such as ``121:00.000000``."""
    minutes, rest = divmod(abs(length), MINUTE)
    seconds, micros = divmod(rest, SECOND)
    return f"{'-' if length < 0 else ''}{minutes}:{seconds:02d}.{micros:06d}"
