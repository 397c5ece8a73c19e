"""How the lines of each statement stand, summed up, so that nothing of a statement is unaccounted.

Every line is counted once; a provider's payout to our bank waits until the bank's line moves it.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from projections.matching.values import LineInForce, Standing, Sums, Waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from projections.matching.values import Entry

__all__ = ["Tally", "sums_in"]

WAITING_MAX = 200
"""Lines and entries that wait, of those that are listed one by one."""


def sums_in(row: Mapping[str, Any]) -> Sums:
    """Read sums from a row; columns that it does not have are 0."""
    return Sums(*(row.get(name, 0) for name in Sums._fields))


class Tally:
    """Sums by statement and standing."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._sums: dict[str, dict[Standing, Sums]] = defaultdict(dict)
        self._waiting: list[Waiting] = []

    def add(self, statement: str, standing: Standing, sums: Sums) -> None:
        """Count lines of a statement."""
        of_statement = self._sums[statement]
        of_statement[standing] = of_statement.get(standing, Sums()).plus(sums)

    def tell(
        self, lines: Iterable[LineInForce], standing: Standing, entries: Iterable[Entry]
    ) -> None:
        """Count lines that stand like this, and what the entries beside them settle."""
        for line in lines:
            sums = Sums(1, line.amount, line.fee, line.stake, line.paid)
            self.add(line.statement, standing, sums)
        for entry in entries:
            if entry.statement and standing is not Standing.WAITING:
                told = Standing.SETTLEMENT if standing.is_match else standing
                self.move(entry.statement, told, Sums(1, -entry.amount))

    def wait(self, all_of: Iterable[LineInForce | Entry], window: int) -> None:
        """Note lines and entries whose counterparts may come until their window is over."""
        for one in all_of:
            reference, event = one.reference, ""
            if isinstance(one, LineInForce):
                reference = reference or one.their_reference
            else:
                event = one.event
            until, at = one.day + window, (one.statement, one.line)
            self._waiting.append(Waiting(until, one.position, reference, one.amount, event, *at))

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """What waits: lines of statements first, and of each side the earliest end first."""
        return tuple(nsmallest(WAITING_MAX, self._waiting, key=lambda one: (one.event != "", one)))

    def move(self, statement: str, standing: Standing, sums: Sums) -> None:
        """Count lines that waited until now."""
        self.add(statement, Standing.WAITING, Sums(*(-each for each in sums)))
        self.add(statement, standing, sums)

    def of(self, statement: str) -> dict[Standing, Sums]:
        """Return the sums of a statement by standing, in the order of :class:`Standing`."""
        found = self._sums.get(statement, {})
        return {one: found[one] for one in Standing if any(found.get(one, Sums()))}
