"""Rules of matching statements with the books, as facts with an author and a first day.

What comes in: windows in days, a tolerance, whether an amount and a day suffice, the largest
write-off, and the day from which they hold. What goes out: one event. Of the rules whose first day
has come those with the latest first day are in force, and of these the ones recorded last.
Rejected: values above :data:`DAYS_MAX`, :data:`TOLERANCE_MAX` and :data:`WRITE_OFF_MAX`, and a
first day in the past, because rules never change what earlier days were matched by.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import Command, Name, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["SetMatchingRules", "set_matching_rules"]

DAYS_MAX = 30
"""Longest window in days."""
TOLERANCE_MAX = 10_000
"""Largest tolerance in haléř; a larger difference is a matter for a person."""
WRITE_OFF_MAX = 10_000_000
"""Largest limit of one write-off in haléř."""
AHEAD_DAYS_MAX = 366

Days = Annotated[int, Meta(ge=0, le=DAYS_MAX)]


class SetMatchingRules(Command, frozen=True):
    """Set by which rules statements about money are matched from a day on; amounts are haléř."""

    first_day: date
    bank_days: Days
    payments_days: Days
    reason: Text
    by: Name
    tolerance: Annotated[int, Meta(ge=0, le=TOLERANCE_MAX)] = 0
    by_amount: bool = True
    write_off_max: Annotated[int, Meta(ge=0, le=WRITE_OFF_MAX)] = 0


def set_matching_rules(_: LedgerState, command: SetMatchingRules, now: int) -> list[e.Event]:
    """Decide :class:`SetMatchingRules`."""
    today = in_prague(now).date()
    if not today <= command.first_day <= today + timedelta(days=AHEAD_DAYS_MAX):
        raise InputError(
            f"rules from {command.first_day}: their first day is from {today} to "
            f"{AHEAD_DAYS_MAX} days later, because earlier days keep the rules they had"
        )
    return [command.as_event(e.MatchingRulesSet, first_day=command.first_day.isoformat())]
