"""Names of packages, such as ``12345678-V-2026112108-Z-01``, and their periods.

What comes in: a name as text. What goes out: a checked value with its model, its period in
microseconds and whether exchange rates are due. Periods of model V begin at 0, 8 and 16 o'clock in
Prague, so one of them lasts 7 hours in March and 9 in October. Those of model M are calendar months
of one casino, ``12345678-M-202611-Z-kasino_1-01``; the casino's last night extends into the next
month. Rejected: everything but models V and M, kind Z, a real day or month, and versions 01 to 99
(README of the decree's format, 1).
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Self

from ledger.core.clock import PRAGUE, from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase

__all__ = [
    "ENVELOPE_BYTES_MAX",
    "HOURS",
    "SEALED",
    "SEALED_BYTES_MAX",
    "VERSION_MAX",
    "Model",
    "PackageName",
]

SEALED = ".zip.p7e.p7s"
"""Suffix that the name of a sealed file adds to that of its package."""
SEALED_BYTES_MAX = 512 << 20
"""Maximum bytes of a sealed package: CMS libraries hold all of it in memory, several times."""
ENVELOPE_BYTES_MAX = 1 << 20
"""Maximum bytes that seal and envelope add to a package."""
HOURS = (0, 8, 16)
"""Hours at which periods of model V begin."""

VERSION_MAX = 99
YEARS = range(1000, 9999)
"""Years of periods: four digits, and the day after the last one must be representable."""

RATES_HOUR = 16
RATES_DAY = 25
RATES_MONTHS = (1, 4, 7, 10)
RATES_MONTHS_OF_CASINO = (3, 6, 9, 12)

_NAME = re.compile(
    r"(?P<operator>[A-Za-z0-9_]{1,20})-"
    r"(?:V-(?P<day>[0-9]{8})(?P<hour>[0-9]{2})-[Zz]"
    r"|M-(?P<month>[0-9]{6})-Z-(?P<place>[A-Za-z0-9_]{1,50}))"
    r"-(?P<version>[0-9]{2})",
    re.ASCII,
)
_OPERATOR = re.compile(r"[A-Za-z0-9_]{1,20}", re.ASCII)
_PLACE = re.compile(r"[A-Za-z0-9_]{0,50}", re.ASCII)


class Model(StrEnum):
    """The decree's output to which a package belongs."""

    REMOTE = "V"
    """Remote access: live game over the internet, eight hours."""
    CASINO = "M"
    """Daily reporting: live game in one casino, a calendar month of operating days."""


@dataclass(frozen=True, slots=True, order=True)
class PackageName:
    """One package; packages of one operator sort by time, then by version.

    ``place`` is the casino as in names, empty in model V. ``day`` and ``hour`` are the beginning of
    the period: in model M midnight of the first day of a month.
    """

    operator: str
    day: date
    hour: int
    version: int = 1
    place: str = ""

    def __post_init__(self) -> None:
        """Reject values that no name can express."""
        if not _OPERATOR.fullmatch(self.operator):
            raise InputError(Phrase("PACKAGE_OPERATOR_MALFORMED", text=repr(self.operator)))
        if not _PLACE.fullmatch(self.place):
            raise InputError(Phrase("PACKAGE_CASINO_MALFORMED", text=repr(self.place)))
        if self.place and (self.day.day, self.hour) != (1, 0):
            raise InputError(Phrase("PACKAGE_PERIOD_NO_MONTH", day=self.day.isoformat()))
        if self.hour not in HOURS:
            raise InputError(Phrase("PACKAGE_HOUR_WRONG", hour=self.hour))
        if not 1 <= self.version <= VERSION_MAX:
            raise InputError(
                Phrase("PACKAGE_VERSION_WRONG", version=self.version, most=VERSION_MAX)
            )

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parse a name; the kind of model V may be in lower case, as the authority allows.

        Raises:
            InputError: it is not the name of a package of model V or M, kind Z.
        """
        found = _NAME.fullmatch(text)
        if found is None:
            raise InputError(Phrase("PACKAGE_NAME_MALFORMED", text=repr(text)))
        digits = found["day"] or f"{found['month']}01"
        try:
            day = date(int(digits[:4]), int(digits[4:6]), int(digits[6:]))
        except ValueError as error:
            raise InputError(
                Phrase("PACKAGE_DAY_UNKNOWN", text=repr(text), digits=digits)
            ) from error
        if day.year not in YEARS:
            raise InputError(Phrase("PACKAGE_YEAR_UNKNOWN", text=repr(text), digits=digits[:4]))
        hour, place = int(found["hour"] or 0), found["place"] or ""
        return cls(found["operator"], day, hour, int(found["version"]), place)

    @classmethod
    def of_period(cls, operator: str, period: str, version: int = 1) -> Self:
        """Create a name from a period such as ``2026112108`` or ``202611-kasino_1``.

        Raises:
            InputError: there is no such operator, period or version.
        """
        if not 1 <= version <= VERSION_MAX:
            raise InputError(Phrase("PACKAGE_VERSION_WRONG", version=version, most=VERSION_MAX))
        return cls.parse(f"{operator}-{_series(period)}-{version:02d}")

    def __str__(self) -> str:
        """Return the text of the name."""
        return f"{self.operator}-{_series(self.period)}-{self.version:02d}"

    @property
    def model(self) -> Model:
        """The model: a name with a casino is of model M."""
        return Model.CASINO if self.place else Model.REMOTE

    @property
    def period(self) -> str:
        """The period as in options, such as ``2026112108`` or ``202611-kasino_1``."""
        if self.model is Model.CASINO:
            return f"{self.day:%Y%m}-{self.place}"
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
        """First microsecond after the period."""
        following = self.following
        return _prague(following.day, following.hour)

    @property
    def last_day(self) -> date:
        """The last day of the period."""
        return self.day if self.model is Model.REMOTE else self.following.day - timedelta(days=1)

    @property
    def latest(self) -> int:
        """First microsecond after all times in its rows; for a casino after its last night."""
        if self.model is Model.REMOTE:
            return self.end
        return _prague(self.following.day + timedelta(days=1), 0)

    @property
    def following(self) -> Self:
        """The first version of the next period."""
        if self.model is Model.CASINO:
            return replace(self, day=_month_on(self.day, 1), version=1)
        index = HOURS.index(self.hour) + 1
        if index < len(HOURS):
            return replace(self, hour=HOURS[index], version=1)
        return replace(self, day=self.day + timedelta(days=1), hour=HOURS[0], version=1)

    @property
    def has_rates(self) -> bool:
        """Return whether the package holds ``mena_kurs.csv`` (the quarter's exchange rates)."""
        if self.model is Model.CASINO:
            return self.day.month in RATES_MONTHS_OF_CASINO
        is_day = self.day.day == RATES_DAY and self.day.month in RATES_MONTHS
        return is_day and self.hour == RATES_HOUR

    @property
    def rates_before(self) -> Self:
        """Name of the package with exchange rates before this one with rates: a quarter earlier."""
        return replace(self, day=_month_on(self.day, -3), version=1)


def _series(period: str) -> str:
    """Return the middle part of a name: model, period, kind and casino."""
    month, hyphen, place = period.partition("-")
    return f"M-{month}-Z-{place}" if hyphen else f"V-{period}-Z"


def _month_on(day: date, months: int) -> date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return day.replace(year=year, month=month + 1)


def _prague(day: date, hour: int) -> int:
    return from_datetime(datetime(day.year, day.month, day.day, hour, tzinfo=PRAGUE))
