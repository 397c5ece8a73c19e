"""Time: microseconds since the epoch in UTC, and the calendar of Prague.

The domain never looks at a clock; it is given the moment. Days, midnights and months are
those of Europe/Prague and follow it through clock changes.
"""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Protocol
from zoneinfo import ZoneInfo

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = [
    "CLOCKS_APART_MAX",
    "DAY",
    "HOUR",
    "MINUTE",
    "MOMENT_MAX",
    "PRAGUE",
    "SECOND",
    "Clock",
    "StoppedClock",
    "SystemClock",
    "age_in_years",
    "day_of",
    "from_datetime",
    "in_prague",
    "is_moment",
    "midnight_after",
    "moments_of",
    "month_of",
    "months_before",
    "to_datetime",
]

PRAGUE = ZoneInfo("Europe/Prague")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
CLOCKS_APART_MAX = MINUTE
"""How far other clocks may be from that of the record: those of witnesses and time-stamp
authorities, the source that it is compared with, and that of the machine which nobody can set."""

MICROSECOND = timedelta(microseconds=1)

MOMENT_MAX = 7_258_118_400_000_000
"""The moments of a chain lie before this one, 2200-01-01, and not before 1970."""

CALENDAR = (-2_208_902_400_000_000, 10_413_619_200_000_000)
"""2 January 1900 and 30 December 2299: ClickHouse counts so far, and legal periods that are
added or taken away stay within Python's calendar."""


class Clock(Protocol):
    """Where the moment of a record comes from."""

    def now(self) -> int:
        """Return the moment in microseconds."""


def _since_boot() -> int:
    """Return nanoseconds on a clock that nobody sets and that goes on while the machine sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SystemClock:
    """The clock of the machine, to be kept by NTP or PTP.

    A record with a moment of next year would bar all records until then, for the moments of a chain
    never go back. So a clock that was set ahead since it was opened gives no moment at all.

    Args:
        wall: nanoseconds since the epoch.
        steady: nanoseconds that nobody sets.

    """

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = _since_boot
    ) -> None:
        """Remember how the two stand to each other now."""
        self._wall, self._steady = wall, steady
        self._apart = wall() - steady()

    def now(self) -> int:
        """Return the moment in microseconds.

        Raises:
            AvailabilityError: it was set ahead by more than ``CLOCKS_APART_MAX``.

        """
        wall = self._wall()
        ahead = (wall - self._steady() - self._apart) // 1000
        if ahead > CLOCKS_APART_MAX:
            raise AvailabilityError(
                f"the clock of this machine was set ahead by {ahead / SECOND:.0f} s: set it by NTP "
                "and send the command again; if it is right now, start the program again"
            )
        return wall // 1000


class StoppedClock:
    """A clock that stands still until its ``moment``, in microseconds, is set."""

    def __init__(self, moment: int) -> None:
        """Stop it at a moment."""
        self.moment = moment

    def now(self) -> int:
        """Return that moment."""
        return self.moment


def is_moment(number: int) -> bool:
    """Return whether a number is a moment that a chain may hold, from 1970 to 2199."""
    return 0 <= number < MOMENT_MAX


def to_datetime(moment: int) -> datetime:
    """Turn microseconds into an aware moment in UTC.

    Total, so that no number in a log stops who reads it: one beyond 1900 to 2299 is given as
    the first or last day of these.
    """
    first, last = CALENDAR
    return EPOCH + timedelta(microseconds=min(max(moment, first), last))


def from_datetime(moment: datetime) -> int:
    """Turn an aware moment into microseconds.

    Raises:
        TypeError: the moment is naive.

    """
    return (moment - EPOCH) // MICROSECOND


def in_prague(moment: int) -> datetime:
    """Show a moment as a clock in Prague shows it."""
    return to_datetime(moment).astimezone(PRAGUE)


def moments_of(local: datetime, zone: ZoneInfo = PRAGUE) -> tuple[datetime, ...]:
    """Return the moments at which clocks of a zone showed a local time, the earlier one first.

    They are none where the clocks were set forward over it, and two where they were set back.
    """
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    apart = from_datetime(second) - from_datetime(first)
    if apart < 0:
        return ()
    return (first, second) if apart else (first,)


@lru_cache(maxsize=4096)
def _day_of_minute(minute: int) -> str:
    return in_prague(minute * MINUTE).date().isoformat()


def day_of(moment: int) -> str:
    """Name the calendar day in Prague, such as 2026-11-21; also the gaming day."""
    return _day_of_minute(moment // MINUTE)


def month_of(moment: int) -> str:
    """Name the calendar month in Prague, such as 2026-11."""
    return day_of(moment)[:7]


def midnight_after(moment: int, days: int = 1) -> int:
    """Find the midnight in Prague that begins the ``days``-th day after the day of a moment."""
    day = in_prague(moment).date() + timedelta(days=days)
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=PRAGUE))


def months_before(moment: int, months: int) -> int:
    """Find the same day and time whole months earlier, or the last day of a shorter month."""
    local = in_prague(moment)
    index = local.year * 12 + local.month - 1 - months
    year, month = divmod(index, 12)
    for day in (local.day, 30, 29, 28):
        try:
            return from_datetime(local.replace(year=year, month=month + 1, day=day))
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def age_in_years(birth_date: date, moment: int) -> int:
    """Count completed years; who was born on 29 February completes one on 1 March."""
    today = in_prague(moment).date()
    before_birthday = (today.month, today.day) < (birth_date.month, birth_date.day)
    return today.year - birth_date.year - before_birthday
