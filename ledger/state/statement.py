"""State of an external statement while its pieces are imported.

The fold never rejects an event: the log records what happened. Each piece carries the sums of all
lines up to its last one, so the last event of a statement suffices for the next decision.
"""

from __future__ import annotations

from typing import NamedTuple

from ledger.events import event_types as e

__all__ = ["STATEMENT_EVENTS", "StatementState", "fold"]

STATEMENT_EVENTS = frozenset({e.StatementLinesRecorded, e.StatementImported})


class StatementState(NamedTuple):
    """Number and sums of recorded lines, in hundredths of the currency of the statement."""

    lines: int = 0
    incoming: int = 0
    outgoing: int = 0
    fees: int = 0
    stakes: int = 0
    paid: int = 0
    is_imported: bool = False


def fold(state: StatementState, event: e.Event) -> StatementState:
    """Apply one event to a statement."""
    match event:
        case e.StatementLinesRecorded():
            lines = event.first_line + len(event.places) - 1
        case e.StatementImported():
            lines = event.lines
        case _:
            return state
    return StatementState(
        lines,
        event.incoming,
        event.outgoing,
        event.fees,
        event.stakes,
        event.paid,
        isinstance(event, e.StatementImported),
    )
