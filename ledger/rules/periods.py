"""Periods of days within which somebody has to act: how they are counted.

SAZKA 17(3) leaves to the civil code what the game plan does not say: a period counted in days
begins with the day after the fact (§ 605(1)), and where its last day is a Saturday, a Sunday or
a public holiday, the next working day is the last one (§ 607).

What only lasts is no such period and ends when it ends: the 48 hours of the panic button, the
120 minutes and the break, the 24 hours of cash, the days until a looser measure binds, the 7
calendar days of ZHH 14a, the 24 months without a login, the 30 days of a temporary account,
the seven days by which a tournament is announced beforehand. Nobody has to act in them, and a
longer one would protect less or bind longer than the law asks.
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
"""Does a period go on to the next working day (civil code 607)? Assumed; for the lawyer."""
SATURDAY = 5


class Period(Struct, frozen=True, forbid_unknown_fields=True):
    """How many days somebody has, and the paragraph that says so."""

    days: int
    source: str


def end_of_period(begun_by: int, period: Period) -> int:
    """Find the midnight in Prague at which a period is over; its last day counts whole.

    Args:
        begun_by: moment of the fact that begins it, in microseconds.
        period: how long it is.

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
