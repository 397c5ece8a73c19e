"""Limits of tables as they were when a round opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import games

if TYPE_CHECKING:
    from projections.resettlement.course import RoundCourse
    from projections.store.tables import Store

__all__ = ["LimitsBook"]


class _Entry(NamedTuple):
    position: int
    effective_from: int
    limits: games.TableLimits


class LimitsBook:
    """Every TableLimitsSet below a position, by table; few by nature.

    A table that is opened again begins without limits.
    """

    def __init__(self, store: Store, size: int) -> None:
        """Read them."""
        self._entries: dict[str, list[_Entry]] = {}
        self._openings: dict[str, list[int]] = {}
        for row in store.rows(
            "SELECT position, effective_from, table, bet_codes, minimums, maximums, "
            "round_maximum FROM TableLimitsSet WHERE position < {size:Int64} ORDER BY position",
            size=size,
        ):
            entry = _Entry(row["position"], row["effective_from"], _limits(row))
            self._entries.setdefault(row["table"], []).append(entry)
        for row in store.rows(
            "SELECT table, position FROM TableOpened WHERE position < {size:Int64} "
            "ORDER BY position",
            size=size,
        ):
            self._openings.setdefault(row["table"], []).append(row["position"])

    def at_opening(self, course: RoundCourse) -> games.TableLimits:
        """Return the limits of a round's table that were recorded and in force at its opening."""
        at, moment = course.opened_position, course.opened_at
        openings = self._openings.get(course.table, ())
        since = max((opening for opening in openings if opening < at), default=0)
        in_force = [
            entry
            for entry in self._entries.get(course.table, ())
            if since <= entry.position < at and entry.effective_from <= moment
        ]
        if not in_force:
            return games.TableLimits()
        return max(in_force, key=lambda entry: (entry.effective_from, entry.position)).limits


def _limits(row: dict[str, Any]) -> games.TableLimits:
    """Read an event's arrays; 0 is no limit."""
    ranges = zip(row["bet_codes"], row["minimums"], row["maximums"], strict=False)
    return games.TableLimits(
        by_bet={
            code: games.StakeRange(least or None, greatest or None)
            for code, least, greatest in ranges
        },
        round_haler_max=row["round_maximum"] or None,
    )
