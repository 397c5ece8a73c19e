"""Format money and timestamps for readers."""

from __future__ import annotations

from ledger.core.clock import MINUTE, SECOND, in_prague, is_moment
from ledger.core.phrases import format_hundredths

__all__ = ["clock_time", "crowns", "duration"]


def crowns(haler: int) -> str:
    """Format haléř as crowns, such as ``-1 234.50 CZK``."""
    return f"{format_hundredths(haler)} CZK"


def clock_time(moment: int) -> str:
    """Format a timestamp (microseconds) in Prague's local time; other numbers are unchanged."""
    if not is_moment(moment):
        return f"{moment} µs"
    return in_prague(moment).isoformat(sep=" ", timespec="microseconds")


def duration(length: int) -> str:
    """Format a duration (microseconds) as minutes and seconds, such as ``121:00.000000``."""
    minutes, rest = divmod(abs(length), MINUTE)
    seconds, micros = divmod(rest, SECOND)
    return f"{'-' if length < 0 else ''}{minutes}:{seconds:02d}.{micros:06d}"
