"""Time as microseconds since the epoch in UTC, and the calendar of Prague.

A *moment* is a timestamp in these microseconds. The domain never reads a clock; the caller passes
the moment. Days, midnights and months are those of Europe/Prague, also across changes between
winter and summer time.
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
    "days_before",
    "from_datetime",
    "in_prague",
    "is_midnight",
    "is_moment",
    "last_day",
    "midnight_after",
    "moments_of",
    "month_of",
    "months_before",
    "occurs_twice",
    "to_datetime",
]

PRAGUE = ZoneInfo("Europe/Prague")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
CLOCKS_APART_MAX = MINUTE
"""Maximum difference between other clocks and that of the record: the clocks of witnesses and
time-stamp authorities, the reference source, and the machine's clock that cannot be set."""

MICROSECOND = timedelta(microseconds=1)

MOMENT_MAX = 7_258_118_400_000_000
"""Timestamps of a chain are before this one, 2200-01-01, and not before 1970."""

CALENDAR = (-2_208_902_400_000_000, 10_413_619_200_000_000)
"""2 January 1900 and 30 December 2299: the range of ClickHouse; a legal period added or
subtracted stays within Python's calendar."""


class Clock(Protocol):
    """Source of the timestamps of records."""

    def now(self) -> int:
        """Return the moment in microseconds."""


def _since_boot() -> int:
    """Return nanoseconds of a clock that cannot be set and that counts while the machine sleeps."""
    return time.clock_gettime_ns(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class SystemClock:
    """The clock of the machine, to be synchronised by NTP or PTP.

    The timestamps of a chain never go back, so one record dated next year would block all records
    until then. The clock therefore raises an error if it was set ahead after this object was
    created.

    Args:
        wall: returns nanoseconds since the epoch.
        steady: returns nanoseconds of a clock that cannot be set.

    """

    def __init__(
        self, wall: Callable[[], int] = time.time_ns, steady: Callable[[], int] = _since_boot
    ) -> None:
        """Remember the current difference of both clocks."""
        self._wall, self._steady = wall, steady
        self._apart = wall() - steady()

    def now(self) -> int:
        """Return the moment in microseconds.

        Raises:
            AvailabilityError: the clock was set ahead by more than ``CLOCKS_APART_MAX``.

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
    """A clock that always returns ``moment``, in microseconds, until the caller changes it."""

    def __init__(self, moment: int) -> None:
        """Stop the clock at a moment."""
        self.moment = moment

    def now(self) -> int:
        """Return ``moment``."""
        return self.moment


def is_moment(number: int) -> bool:
    """Return whether a number is a timestamp that a chain may contain, from 1970 to 2199."""
    return 0 <= number < MOMENT_MAX


def to_datetime(moment: int) -> datetime:
    """Convert microseconds to an aware datetime in UTC.

    Accepts every number, so that no number in a log makes a reader fail: a timestamp outside the
    years 1900 to 2299 is clamped to the first or last day of that range.
    """
    first, last = CALENDAR
    return EPOCH + timedelta(microseconds=min(max(moment, first), last))


def from_datetime(moment: datetime) -> int:
    """Convert an aware datetime to microseconds.

    Raises:
        TypeError: the datetime is naive.

    """
    return (moment - EPOCH) // MICROSECOND


def in_prague(moment: int) -> datetime:
    """Convert a timestamp to the local time of Prague."""
    return to_datetime(moment).astimezone(PRAGUE)


def moments_of(local: datetime, zone: ZoneInfo = PRAGUE) -> tuple[datetime, ...]:
    """Return the timestamps at which clocks of a zone showed a local time, the earlier one first.

    The result is empty if the clocks were set forward over the local time; it has two elements if
    they were set back over it.
    """
    first, second = (local.replace(tzinfo=zone, fold=fold) for fold in (0, 1))
    apart = from_datetime(second) - from_datetime(first)
    if apart < 0:
        return ()
    return (first, second) if apart else (first,)


def occurs_twice(moment: int) -> bool:
    """Return whether clocks in Prague show the local time of a timestamp twice, in autumn."""
    shown = in_prague(moment)
    return shown.replace(fold=1 - shown.fold).utcoffset() != shown.utcoffset()


@lru_cache(maxsize=4096)
def _day_of_minute(minute: int) -> str:
    return in_prague(minute * MINUTE).date().isoformat()


def day_of(moment: int) -> str:
    """Return the calendar day in Prague, such as 2026-11-21; also the gaming day."""
    return _day_of_minute(moment // MINUTE)


def last_day(until: int) -> str:
    """Return the last calendar day in Prague of a period that excludes its end, ``until``."""
    return day_of(until - 1)


def month_of(moment: int) -> str:
    """Return the calendar month in Prague, such as 2026-11."""
    return day_of(moment)[:7]


def midnight_after(moment: int, days: int = 1) -> int:
    """Return the midnight in Prague that begins the day ``days`` days after that of a timestamp."""
    day = in_prague(moment).date() + timedelta(days=days)
    return from_datetime(datetime(day.year, day.month, day.day, tzinfo=PRAGUE))


def is_midnight(moment: int) -> bool:
    """Return whether a timestamp is a midnight in Prague; a number outside the calendar is none."""
    return is_moment(moment) and moment == midnight_after(moment, 0)


def months_before(moment: int, months: int) -> int:
    """Return the same day and time whole months earlier, or the last day of a shorter month."""
    local = in_prague(moment)
    index = local.year * 12 + local.month - 1 - months
    year, month = divmod(index, 12)
    for day in (local.day, 30, 29, 28):
        try:
            return from_datetime(local.replace(year=year, month=month + 1, day=day))
        except ValueError:
            continue
    raise AssertionError("every month has 28 days")


def days_before(moment: int, days: int) -> int:
    """Return the latest moment whole days earlier: of 24 hours, or by the clock in Prague."""
    local = in_prague(moment)
    return max(moment - days * DAY, from_datetime(local - timedelta(days=days)))


def age_in_years(birth_date: date, moment: int) -> int:
    """Count completed years; a person born on 29 February completes one on 1 March."""
    today = in_prague(moment).date()
    before_birthday = (today.month, today.day) < (birth_date.month, birth_date.day)
    return today.year - birth_date.year - before_birthday
