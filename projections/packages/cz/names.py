"""Names of packages, such as ``12345678-V-2026112108-Z-01``, and the periods that they mean.

What comes in: a name as text. What goes out: a checked value that knows its period in
microseconds and whether exchange rates are due. Periods begin at 0, 8 and 16 o'clock in
Prague, so that one of them lasts 7 hours in March and 9 in October. Refused: everything but
model V, kind Z, a real day, and versions 01 to 99 (README of the decree's format, 1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Self

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.errors import InputError

__all__ = ["HOURS", "SEALED", "VERSION_MAX", "PackageName"]

SEALED = ".zip.p7e.p7s"
"""What the name of a sealed file adds to that of its package."""
HOURS = (0, 8, 16)
"""Hours at which periods begin."""

VERSION_MAX = 99
YEARS = range(1000, 9999)
"""Years of periods: four digits, and there is a day behind the last one."""

RATES_HOUR = 16
RATES_DAY = 25
RATES_MONTHS = (1, 4, 7, 10)

_NAME = re.compile(
    r"(?P<operator>[A-Za-z0-9_]{1,20})-V-(?P<day>[0-9]{8})(?P<hour>[0-9]{2})"
    r"-(?P<kind>[Zz])-(?P<version>[0-9]{2})",
    re.ASCII,
)
_OPERATOR = re.compile(r"[A-Za-z0-9_]{1,20}", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class PackageName:
    """One package; packages of one operator sort by time, then by version."""

    operator: str
    day: date
    hour: int
    version: int = 1

    def __post_init__(self) -> None:
        """Refuse what no name can say."""
        if not _OPERATOR.fullmatch(self.operator):
            raise InputError(
                f"{self.operator!r} can't be the operator in the name of a package: "
                "letters, digits and underscores, at most 20"
            )
        if self.hour not in HOURS:
            raise InputError(f"periods begin at 0, 8 and 16 o'clock, not at {self.hour}")
        if not 1 <= self.version <= VERSION_MAX:
            raise InputError(f"{self.version} is not a version of a package: 1 to {VERSION_MAX}")

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a name; the kind may be in lower case, as the authority allows.

        Raises:
            InputError: it is not the name of a package of model V, kind Z.
        """
        found = _NAME.fullmatch(text)
        if found is None:
            raise InputError(
                f"{text!r} is not the name of a package of model V, kind Z, "
                "such as 12345678-V-2026112108-Z-01"
            )
        digits = found["day"]
        try:
            day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        except ValueError as error:
            raise InputError(f"{text!r} names a day that there is not: {digits}") from error
        if day.year not in YEARS:
            raise InputError(f"{text!r} names a year that no package can be of: {digits[:4]}")
        return cls(found["operator"], day, int(found["hour"]), int(found["version"]))

    @classmethod
    def of_period(cls, operator: str, period: str, version: int = 1) -> Self:
        """Make a name from a period such as ``2026112108``.

        Raises:
            InputError: there is no such operator, period or version.
        """
        if not 1 <= version <= VERSION_MAX:
            raise InputError(f"{version} is not a version of a package: 1 to {VERSION_MAX}")
        return cls.parse(f"{operator}-V-{period}-Z-{version:02d}")

    def __str__(self) -> str:
        """Write the name."""
        return f"{self.operator}-V-{self.period}-Z-{self.version:02d}"

    @property
    def period(self) -> str:
        """The period as names have it, such as ``2026112108``."""
        return f"{self.day:%Y%m%d}{self.hour:02d}"

    @property
    def kind(self) -> str:
        """The kind of game: Z, live game."""
        return "Z"

    @property
    def start(self) -> int:
        """First microsecond of the period."""
        return _prague(self.day, self.hour)

    @property
    def end(self) -> int:
        """First microsecond behind the period."""
        following = self.following
        return _prague(following.day, following.hour)

    @property
    def following(self) -> Self:
        """The first version for the next period."""
        index = HOURS.index(self.hour) + 1
        if index < len(HOURS):
            return replace(self, hour=HOURS[index], version=1)
        return replace(self, day=self.day + timedelta(days=1), hour=HOURS[0], version=1)

    @property
    def has_rates(self) -> bool:
        """Return whether the package holds ``mena_kurs.csv`` (the quarter's exchange rates)."""
        is_day = self.day.day == RATES_DAY and self.day.month in RATES_MONTHS
        return is_day and self.hour == RATES_HOUR


def _prague(day: date, hour: int) -> int:
    return from_datetime(datetime(day.year, day.month, day.day, hour, tzinfo=PRAGUE))
