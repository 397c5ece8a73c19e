"""Limits of tables, as in force when a round was opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger import games
from ledger.events import event_types as e
from projections.store.events import read_events

if TYPE_CHECKING:
    from projections.resettlement.round_history import RoundHistory
    from projections.store.tables import Store

__all__ = ["LimitsBook", "limits_in"]


class _Entry(NamedTuple):
    position: int
    effective_from: int
    limits: games.TableLimits


class LimitsBook:
    """All ``TableLimitsSet`` events below a position, by table; there are few of them.

    A table that is opened again starts without limits.
    """

    def __init__(self, store: Store, size: int) -> None:
        """Read the events."""
        self._entries: dict[str, list[_Entry]] = {}
        self._openings: dict[str, list[int]] = {}
        wanted = {"TableOpened": "", "TableLimitsSet": ""}
        for position, _, event in read_events(store, wanted, first=0, end=size):
            if isinstance(event, e.TableLimitsSet):
                entry = _Entry(position, event.effective_from, limits_in(event))
                self._entries.setdefault(event.table, []).append(entry)
            else:
                self._openings.setdefault(event.table, []).append(position)

    def at_opening(self, history: RoundHistory) -> games.TableLimits:
        """Return the limits of a round's table that were recorded and in force at its opening."""
        at, moment = history.opened_position, history.opened_at
        openings = self._openings.get(history.table, ())
        since = max((opening for opening in openings if opening < at), default=0)
        in_force = [
            entry
            for entry in self._entries.get(history.table, ())
            if since <= entry.position < at and entry.effective_from <= moment
        ]
        if not in_force:
            return games.TableLimits()
        return max(in_force, key=lambda entry: (entry.effective_from, entry.position)).limits


def limits_in(event: e.TableLimitsSet) -> games.TableLimits:
    """Convert the arrays of an event to limits; 0 means no limit."""
    ranges = zip(event.bet_codes, event.minimums, event.maximums, strict=False)
    return games.TableLimits(
        by_bet={
            code: games.StakeRange(smallest or None, largest or None)
            for code, smallest, largest in ranges
        },
        round_haler_max=event.round_maximum or None,
    )
