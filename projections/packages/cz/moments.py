"""Classify times and days of a file relative to the period of the package.

Periods begin and end on whole minutes, so the minute decides. A period has few distinct minutes,
and each is computed once.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from enum import IntEnum
from typing import TYPE_CHECKING

from ledger.core.clock import from_datetime

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.packages.cz.names import PackageName

__all__ = ["Calendar", "PeriodPosition"]

OFFSET_MAX = timedelta(hours=14)
REMEMBERED_MAX = 100_000
MINUTE_LENGTH = 16
OFFSET_START = 21
"""Of ``2026-11-21T08:20:00.0+01:00``: the minute ends before 16, the offset begins at 21."""


class PeriodPosition(IntEnum):
    """Position of a time relative to the period."""

    IMPOSSIBLE = 0
    BEFORE = 1
    INSIDE = 2
    AFTER = 3


class Calendar:
    """Classifies times for one package; texts must have the format of a time or a day."""

    def __init__(self, name: PackageName) -> None:
        """Take the period from the package name."""
        self._start = name.start
        self._end = name.latest
        self._days = name.day, name.last_day
        self._known: dict[str, PeriodPosition] = {}

    def position_of(self, text: str) -> PeriodPosition:
        """Return the position of a time or a day relative to the period."""
        return self._cached_position(text[:MINUTE_LENGTH] + text[OFFSET_START:])

    def positions_of(self, texts: Iterable[str]) -> set[PeriodPosition]:
        """Return the set of positions of a column; empty values are ignored."""
        minutes = {text[:MINUTE_LENGTH] + text[OFFSET_START:] for text in texts}
        minutes.discard("")
        return {self._cached_position(minute) for minute in minutes}

    def _cached_position(self, minute: str) -> PeriodPosition:
        found = self._known.get(minute)
        if found is None:
            if len(self._known) >= REMEMBERED_MAX:
                self._known.clear()
            found = self._known[minute] = self._classify_minute(minute)
        return found

    def _classify_minute(self, minute: str) -> PeriodPosition:
        try:
            if "T" not in minute:
                day = date.fromisoformat(minute)
                first, last = self._days
                if day < first:
                    return PeriodPosition.BEFORE
                return PeriodPosition.INSIDE if day <= last else PeriodPosition.AFTER
            found = datetime.fromisoformat(minute)
            if abs(found.utcoffset() or timedelta()) > OFFSET_MAX:
                return PeriodPosition.IMPOSSIBLE
            moment = from_datetime(found)
        except (ValueError, OverflowError):
            return PeriodPosition.IMPOSSIBLE
        if moment < self._start:
            return PeriodPosition.BEFORE
        return PeriodPosition.INSIDE if moment < self._end else PeriodPosition.AFTER
