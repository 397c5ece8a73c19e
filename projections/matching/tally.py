"""Count the lines of each statement by status, so that every line is accounted for.

Every line is counted once. A provider's payout to our bank counts as waiting until the bank's line
about it is found. A fault of this program in one set of lines does not stop the matching of the
others: the lines of that set are counted as undecided.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from heapq import nsmallest
from typing import TYPE_CHECKING, Any

from projections.matching.values import LineInForce, LineStatus, Sums, Waiting

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from projections.matching.values import Difference, Entry

__all__ = ["Tally", "sums_in"]

_log = logging.getLogger(__name__)
FAULTS = (ArithmeticError, AssertionError, AttributeError, LookupError, TypeError, ValueError)
"""What a fault of this program in the matching of a set raises."""

WAITING_MAX = 200
"""Greatest number of waiting lines and entries that are listed individually."""


def sums_in(row: Mapping[str, Any]) -> Sums:
    """Return the sums in a row of a query; missing columns count as 0."""
    return Sums(*(row.get(name, 0) for name in Sums._fields))


class Tally:
    """Sums by statement and status."""

    def __init__(self) -> None:
        """Start empty."""
        self._sums: dict[str, dict[LineStatus, Sums]] = defaultdict(dict)
        self._waiting: list[Waiting] = []

    def add(self, statement: str, status: LineStatus, sums: Sums) -> None:
        """Add the sums of some lines of a statement."""
        of_statement = self._sums[statement]
        of_statement[status] = of_statement.get(status, Sums()).plus(sums)

    def record(
        self, lines: Iterable[LineInForce], status: LineStatus, entries: Iterable[Entry]
    ) -> None:
        """Count lines with a status.

        An entry that is a provider's payout also moves the provider's own line from waiting to this
        status, or to ``SETTLEMENT`` if this status is a match.
        """
        for line in lines:
            sums = Sums(1, line.amount, line.fee, line.stake, line.paid)
            self.add(line.statement, status, sums)
        for entry in entries:
            if entry.statement and status is not LineStatus.WAITING:
                payout_status = LineStatus.SETTLEMENT if status.is_match else status
                self.move(entry.statement, payout_status, Sums(1, -entry.amount, entry.fee))

    def add_waiting(self, all_of: Iterable[LineInForce | Entry], window: int) -> None:
        """Record lines and entries whose counterpart may come until their window (in days) ends."""
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
        """Waiting items: lines first, then entries, each with the earliest deadline first."""
        return tuple(nsmallest(WAITING_MAX, self._waiting, key=lambda one: (one.event != "", one)))

    def move(self, statement: str, status: LineStatus, sums: Sums) -> None:
        """Change the status of lines that were counted as waiting."""
        self.add(statement, LineStatus.WAITING, Sums().minus(sums))
        self.add(statement, status, sums)

    def guarded(self, differences: Iterator[Difference]) -> Iterator[Difference]:
        """Yield the differences of one set; a fault leaves its lines undecided."""
        try:
            yield from differences
        except FAULTS:
            _log.exception("lines are undecided: a fault of the program while they were matched")

    def close(self, statement: str, imported: Sums) -> Sums:
        """Count as undecided, and return, what lacks exactly one status of the imported lines."""
        undecided = imported
        for sums in self._sums.get(statement, {}).values():
            undecided = undecided.minus(sums)
        self.add(statement, LineStatus.UNDECIDED, undecided)
        return undecided

    def of(self, statement: str) -> dict[LineStatus, Sums]:
        """Return the sums of a statement by status, in the order of :class:`LineStatus`.

        Statuses without lines are left out.
        """
        found = self._sums.get(statement, {})
        return {one: found[one] for one in LineStatus if any(found.get(one, Sums()))}
