"""Periods in days within which a party must act, and how they are counted.

SAZKA 17(3) leaves to the civil code what the game plan does not define: a period counted in days
begins with the day after the fact (§ 605(1)), and if its last day is a Saturday, a Sunday or
a public holiday, it ends with the next working day (§ 607).

A mere duration is not such a period and ends on time: the 48 hours of the panic button, the
120 minutes and the break, the 24 hours of cash, the days until a looser measure takes effect, the 7
calendar days of ZHH 14a, the 24 months without a login, the 30 days of a temporary account, the
seven days between a tournament's announcement and its start. No act is required within them, and a
longer one would protect less or bind longer than the law requires.
"""

from __future__ import annotations

from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from msgspec import Struct

from ledger.core.clock import in_prague, midnight_after

if TYPE_CHECKING:
    from datetime import date

__all__ = ["Period", "end_of_period"]

MOVES_TO_WORKING_DAY = True
"""Whether a period extends to the next working day (civil code 607); assumed; for the lawyer."""
SATURDAY = 5


class Period(Struct, frozen=True, forbid_unknown_fields=True):
    """Number of days to act, and the paragraph that grants them."""

    days: int
    source: str


def end_of_period(begun_by: int, period: Period) -> int:
    """Return the midnight in Prague at which a period ends; its last day counts completely.

    Args:
        begun_by: timestamp of the fact that begins the period, in microseconds.
        period: the period.

    """
    days = period.days
    day_of_fact = in_prague(begun_by).date()
    while MOVES_TO_WORKING_DAY and _is_free(day_of_fact + timedelta(days=days)):
        days += 1
    return midnight_after(begun_by, days=days + 1)


@lru_cache(maxsize=4096)
def _is_free(day: date) -> bool:
    """Return whether a day is a Saturday, a Sunday or a public holiday (act 245/2000)."""
    from holidays import country_holidays  # noqa: PLC0415 - slow to load, and seldom asked for

    return day.weekday() >= SATURDAY or day in country_holidays("CZ", years=day.year)
