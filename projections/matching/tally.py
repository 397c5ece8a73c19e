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

from projections.matching.values import LineInForce, LineStatus, OpenSums, Sums, Waiting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
        self._open: dict[tuple[str, int], Sums] = {}
        self._entries: dict[tuple[int, int], Entry] = {}

    def add(self, statement: str, status: LineStatus, sums: Sums, day: int = 0) -> None:
        """Add the sums of some lines of a statement; those that do not agree are of one day."""
        of_statement = self._sums[statement]
        of_statement[status] = of_statement.get(status, Sums()).plus(sums)
        if not status.is_match:
            self._open[statement, day] = self._open.get((statement, day), Sums()).plus(sums)

    def record(
        self, lines: Iterable[LineInForce], status: LineStatus, entries: Iterable[Entry]
    ) -> None:
        """Count lines with a status.

        An entry that is a provider's payout also moves the provider's own line from waiting to this
        status, or to ``SETTLEMENT`` if this status is a match.
        """
        for line in lines:
            sums = Sums(1, line.amount, line.fee, line.stake, line.paid)
            self.add(line.statement, status, sums, line.day)
        for entry in entries:
            if not status.is_match:
                self._add_entry(entry)
            if entry.statement and status is not LineStatus.WAITING:
                payout_status = LineStatus.SETTLEMENT if status.is_match else status
                sums = Sums(1, -entry.amount, entry.fee)
                self.move(entry.statement, payout_status, sums, entry.day)

    def record_tolerated(
        self, lines: Sequence[LineInForce], entries: Sequence[Entry], rest: int
    ) -> None:
        """Count lines as matched but for a ``rest`` of their amounts, which stays open.

        The lines count as not matched, as long as the rest is.
        """
        self.record((), LineStatus.WITHIN_TOLERANCE, entries)
        for line in lines:
            left = rest if line is lines[-1] else 0
            matched = Sums(0, line.amount - left, line.fee)
            self.add(line.statement, LineStatus.WITHIN_TOLERANCE, matched)
            self.add(line.statement, LineStatus.TOLERATED, Sums(1, left), line.day)

    def _add_entry(self, entry: Entry) -> None:
        """Count an entry as open, once; a provider's payout is open as its own line."""
        if entry.event != "settlement":
            self._entries[entry.position, entry.part] = entry

    def add_waiting(
        self, all_of: Iterable[LineInForce | Entry], window_of: Callable[[int], int]
    ) -> None:
        """Record lines and entries whose counterpart may come within the window of their day."""
        for one in all_of:
            reference, event = one.reference, ""
            if isinstance(one, LineInForce):
                reference = reference or one.their_reference
            else:
                event = one.event
                self._add_entry(one)
            until, at = one.day + window_of(one.day), (one.statement, one.line)
            self._waiting.append(Waiting(until, one.position, reference, one.amount, event, *at))

    @property
    def waiting(self) -> tuple[Waiting, ...]:
        """Waiting items: lines first, then entries, each with the earliest deadline first."""
        return tuple(nsmallest(WAITING_MAX, self._waiting, key=lambda one: (one.event != "", one)))

    @property
    def open(self) -> tuple[OpenSums, ...]:
        """What does not agree: lines by statement and day, then entries of our books by day."""
        entries: dict[tuple[str, int], Sums] = {}
        for one in self._entries.values():
            sums = Sums(1, one.amount)
            entries["", one.day] = entries.get(("", one.day), Sums()).plus(sums)
        found = sorted(self._open.items()) + sorted(entries.items())
        return tuple(OpenSums(*of, sums) for of, sums in found if any(sums))

    def move(self, statement: str, status: LineStatus, sums: Sums, day: int) -> None:
        """Change the status of lines of a day that were counted as waiting."""
        self.add(statement, LineStatus.WAITING, Sums().minus(sums), day)
        self.add(statement, status, sums, day)

    def guarded(self, differences: Iterator[Difference]) -> Iterator[Difference]:
        """Yield the differences of one set; a fault leaves its lines undecided."""
        try:
            yield from differences
        except FAULTS:
            _log.exception("lines are undecided: a fault of the program while they were matched")

    def close(self, statement: str, imported: Sums, day: int) -> Sums:
        """Count as undecided, and return, what lacks exactly one status of the imported lines.

        It is open since ``day``, the last of the statement.
        """
        undecided = imported
        for sums in self._sums.get(statement, {}).values():
            undecided = undecided.minus(sums)
        self.add(statement, LineStatus.UNDECIDED, undecided, day)
        return undecided

    def of(self, statement: str) -> dict[LineStatus, Sums]:
        """Return the sums of a statement by status, in the order of :class:`LineStatus`.

        Statuses without lines are left out.
        """
        found = self._sums.get(statement, {})
        return {one: found[one] for one in LineStatus if any(found.get(one, Sums()))}
