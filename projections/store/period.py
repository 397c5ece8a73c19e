"""Days, months and quarters of the calendar in Prague, as ranges of positions.

What comes in: a text such as ``2026-11-20``, ``2026-11`` or ``2026-Q4``. What goes out: its first
and last day, its first and last timestamp, and its range in the chain. A posting belongs to the day
of its record (ADR 0004); timestamps of the record never decrease, so a period is one range of
positions and nothing recorded later belongs to it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase

__all__ = ["Period", "read_period"]

FORMS = re.compile(r"(\d{4})-(?:(\d{2})(?:-(\d{2}))?|Q([1-4]))", re.ASCII)
MONTHS, QUARTER = 12, 3
YEARS = range(1970, 9999)


@dataclass(frozen=True, slots=True)
class Period:
    """A period: its text, kind (day, month, quarter), first day, and the day after its last day."""

    text: str
    kind: str
    first_day: date
    day_behind: date

    @property
    def last_day(self) -> date:
        """The last day that belongs to it."""
        return self.day_behind - timedelta(days=1)

    @property
    def begins(self) -> int:
        """Its first microsecond."""
        return _midnight(self.first_day)

    @property
    def ends(self) -> int:
        """The first microsecond after it."""
        return _midnight(self.day_behind)


def read_period(text: str) -> Period:
    """Parse a day, a month or a quarter.

    Raises:
        InputError: the text is none of them.

    """
    found = FORMS.fullmatch(text)
    if found is None or int(found[1]) not in YEARS:
        raise _no_period(text)
    try:
        year, month, day, quarter = (int(part) if part else 0 for part in found.groups())
        if day:
            first = date(year, month, day)
            return Period(text, "day", first, first + timedelta(days=1))
        months = QUARTER if quarter else 1
        first = date(year, (quarter - 1) * QUARTER + 1 if quarter else month, 1)
    except ValueError as error:
        raise _no_period(text) from error
    year_behind, month_behind = divmod(first.year * MONTHS + first.month - 1 + months, MONTHS)
    behind = date(year_behind, month_behind + 1, 1)
    return Period(text, "quarter" if quarter else "month", first, behind)


def _no_period(text: str) -> InputError:
    return InputError(Phrase("PERIOD_MALFORMED", text=repr(text)))


def _midnight(day: date) -> int:
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=PRAGUE))
