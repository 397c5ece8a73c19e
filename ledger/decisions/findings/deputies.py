"""Deputies of those who look after findings, as facts with an author.

What comes in: whose deputy, who it is and for which days. What goes out: one event. The deputy of a
day is that of the last such event whose days hold it; one without a deputy takes it back.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.decisions.statements import DAY_RANGE
from ledger.events import event_types as e
from ledger.events.command import Command, Name, OptionalName, OptionalText

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["NameDeputy", "name_deputy"]

DAYS_MAX = 366


class NameDeputy(Command, frozen=True):
    """Name who handles the findings of a person on certain days; an empty deputy ends it."""

    absent: Name
    first_day: date
    last_day: date
    by: Name
    deputy: OptionalName = ""
    reason: OptionalText = ""


def name_deputy(_: LedgerState, command: NameDeputy, __: int) -> list[e.Event]:
    """Decide :class:`NameDeputy`."""
    first, last = command.first_day, command.last_day
    if command.absent == command.deputy:
        raise InputError(f"{command.absent} can't be the deputy of {command.absent}")
    if not (DAY_RANGE[0] <= first <= last <= DAY_RANGE[1] and (last - first).days < DAYS_MAX):
        raise InputError(f"a deputy from {first} to {last}: it has 1 to {DAYS_MAX} days")
    return [command.as_event(e.DeputyNamed, first_day=first.isoformat(), last_day=last.isoformat())]
