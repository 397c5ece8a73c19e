"""Compute the deadline of a duty from its row in the table and the operator's periods."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import DAY, HOUR, MINUTE, midnight_after, months_before
from ledger.rules.duties import Deadline
from ledger.rules.periods import Period, end_of_period

if TYPE_CHECKING:
    from ledger.rules.duties import Duty
    from ledger.rules.operator import OperatorRules

__all__ = ["end_of_duty", "least_length", "source_of"]

CLOCKS_CHANGE = HOUR
"""Greatest difference by which a calendar day is shorter than 24 hours, in microseconds."""


def end_of_duty(duty: Duty, begun_at: int, rules: OperatorRules) -> int:
    """Return the deadline of a duty: the first microsecond that is too late.

    A period of 24 hours includes its last microsecond; a period of days ends before midnight.

    Args:
        duty: the duty.
        begun_at: timestamp of the event that starts the duty, in microseconds.
        rules: the operator's rules; their period takes precedence over that of the table.

    """
    if duty.after is not None:
        begun_at = _end(duty.after, begun_at, rules)
    return _end(rules.duties.get(duty.code, duty.within), begun_at, rules)


def least_length(duty: Duty, rules: OperatorRules) -> int:
    """Return a lower bound of the time allowed for a duty, in microseconds."""
    before = 0 if duty.after is None else _least(duty.after, rules)
    return before + _least(rules.duties.get(duty.code, duty.within), rules)


def _end(within: Deadline, begun_at: int, rules: OperatorRules) -> int:
    if within.months is not None:
        return months_before(begun_at, -within.months) + 1
    length, period, days = _lengths(within, rules)
    if period is not None:
        return end_of_period(begun_at, period)
    return begun_at + length + 1 if days is None else midnight_after(begun_at, days=days + 1)


def _least(within: Deadline, rules: OperatorRules) -> int:
    if within.months is not None:
        return within.months * 28 * DAY - CLOCKS_CHANGE
    length, period, days = _lengths(within, rules)
    days = period.days if period is not None else days
    return max(days * DAY - CLOCKS_CHANGE, 0) if days is not None else length


def _lengths(within: Deadline, rules: OperatorRules) -> tuple[int, Period | None, int | None]:
    """Return a period as one of: a length in microseconds, a :class:`Period`, or calendar days."""
    if within.setting:
        group, _, name = within.setting.partition(".")
        given = getattr(getattr(rules, group), name)
        if isinstance(given, Period):
            return 0, given, None
        unit = "calendar_days" if within.is_calendar else name.rpartition("_")[2]
        within = Deadline(**{unit: given.value}, source=given.source)
    if within.period_days:
        return 0, Period(within.period_days, within.source), None
    length = (within.minutes or 0) * MINUTE + (within.hours or 0) * HOUR + (within.days or 0) * DAY
    return length, None, within.calendar_days


def source_of(duty: Duty, rules: OperatorRules) -> str:
    """Return the source of a duty's length: a paragraph, or ``assumed``."""
    within = rules.duties.get(duty.code, duty.within)
    if not within.setting:
        return within.source
    group, _, name = within.setting.partition(".")
    return str(getattr(getattr(rules, group), name).source)
