"""The time within which each duty is to be done: the law's table ``deadlines.toml``.

A duty is named by the code of the finding that it was not done in time; its check in
``projections/checks`` declares it. Rejected: an unknown key, a period without a length or with two.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["DEADLINES", "Deadline"]


class Deadline(Struct, frozen=True, forbid_unknown_fields=True):
    """The time allowed for a duty, in one unit, and its source.

    ``minutes``, ``hours`` and ``days`` of 24 hours run from the fact. ``calendar_days`` end with
    the midnight after that many days; 0 calendar days end with the day itself. ``period_days`` end
    the same way, but if the last day is not a working day, after the next working day
    (:func:`ledger.rules.periods.end_of_period`). ``months`` are calendar months. ``setting`` names
    a figure or period of the operator's rules that gives length and source instead; with
    ``is_calendar`` its days are calendar days.
    """

    minutes: int | None = None
    hours: int | None = None
    days: int | None = None
    calendar_days: int | None = None
    period_days: int | None = None
    months: int | None = None
    setting: str = ""
    is_calendar: bool = False
    source: str = ""

    def __post_init__(self) -> None:
        """Require exactly one length and its source."""
        lengths = [self.minutes, self.hours, self.days, self.calendar_days, self.period_days]
        given = sum(length is not None for length in (*lengths, self.months))
        if given + bool(self.setting) != 1:
            raise ValueError("a period has one length, or a setting")
        if not self.setting and not self.source:
            raise ValueError("a period names its source; `assumed` where no text gives it")


@cache
def _read() -> dict[str, Deadline]:
    content = (resources.files("ledger.rules") / "deadlines.toml").read_bytes()
    try:
        return decoder_of(dict[str, Deadline]).toml(content)
    except (msgspec.DecodeError, ValueError) as error:
        raise InputError(f"deadlines.toml: {error}") from error


DEADLINES: Mapping[str, Deadline] = _read()
"""The deadline of every duty by its code."""
