"""Values of matching: lines of statements, entries of our books, their status, and differences.

Amounts are haléř as seen by the operator: incoming money is positive, outgoing money negative. Days
are counted from 1970-01-01 in Prague.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from projections.matching.rules import MatchingRules

__all__ = ["Difference", "Entry", "LineInForce", "LineStatus", "OpenSums", "Sums", "Waiting"]


class LineStatus(StrEnum):
    """Status of a line: first the kinds of a match, then ``WAITING``, then those of a difference.

    A value in capitals is the code of the finding. ``WAITING`` is neither matched nor wrong yet:
    its window is still open, or the entry that it must agree with does not exist yet. ``UNDECIDED``
    is what matching left without exactly one status, which is a fault of this program. Of a line
    within the tolerance the difference alone is ``TOLERATED``, and what agrees is
    ``WITHIN_TOLERANCE``.
    """

    REFERENCE = "by_reference"
    TOGETHER = "together"
    AMOUNT = "by_amount"
    SETTLEMENT = "settlement"
    COST = "cost"
    TOTAL = "total"
    NO_MONEY = "no_money"
    WITHIN_TOLERANCE = "within_tolerance"
    WRITTEN_OFF = "written_off"
    LATE = "BOOKED_LATE"
    WRONG_DAY = "BOOKED_WRONG_DAY"
    WAITING = "waiting"
    UNDECIDED = "undecided"
    TOLERATED = "AMOUNT_TOLERATED"
    DIFFERS = "AMOUNT_DIFFERS"
    ROUNDED = "AMOUNT_ROUNDED"
    DOUBLE = "LINE_DOUBLE"
    CHARGED_BACK = "CHARGED_BACK"
    NOT_IN_BOOKS = "NOT_IN_BOOKS"
    NOT_IN_STATEMENT = "NOT_IN_STATEMENT"
    TOTAL_DIFFERS = "TOTAL_DIFFERS"

    @property
    def is_match(self) -> bool:
        """Return whether the money agrees, on time or not."""
        return self in _MATCHES


_MATCHES = frozenset(list(LineStatus)[: list(LineStatus).index(LineStatus.WAITING)])


class LineInForce(NamedTuple):
    """One line of a statement in force.

    Lines about money use ``amount`` and ``fee``, lines about games ``stake`` and ``paid``.
    ``reference`` is our reference in the line (empty if it has none), ``their_reference`` the
    issuer's own identifier of the line. ``kind`` is the currency if that is not ours.
    """

    statement: str
    line: int
    position: int
    issuer: str
    kind: str
    day: int
    amount: int
    fee: int
    stake: int
    paid: int
    reference: str
    their_reference: str
    account: str

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key among the lines of a day: position of its record, then line number."""
        return (self.position, self.line)

    @property
    def currency(self) -> str:
        """The currency of the amounts if it is not ours."""
        return "" if self.kind.islower() else self.kind


class Entry(NamedTuple):
    """One entry of our books: a movement of money, a bet, or a provider's payout to our bank.

    ``is_due``: its window is over and covered by statements, so a statement must contain it.
    ``is_covered``: a statement of a day near enough may contain it, even if it does not name it.
    ``part`` distinguishes two entries of one event. ``statement`` and ``line`` identify the
    provider's line that reports a payout, and ``fee`` is that of this line; they are empty and 0
    for other entries.
    """

    position: int
    part: int
    event: str
    reference: str
    account: str
    round: str
    amount: int
    stake: int
    paid: int
    first_day: int
    day: int
    at: int
    is_due: bool
    statement: str = ""
    line: int = 0
    fee: int = 0
    is_covered: bool = True

    @property
    def order(self) -> tuple[int, ...]:
        """Sort key among the entries of a day: position in the chain, then part."""
        return (self.position, self.part)


class Difference(NamedTuple):
    """A disagreement between our books and a statement; one of the two sides may be empty.

    ``figures`` names the figures that differ (stake, payment) if a line has both. ``days_apart`` is
    the number of days between both sides if that is too long, otherwise 0. ``rules`` are those by
    which both sides were compared; None of games.
    """

    status: LineStatus
    ours: tuple[Entry, ...]
    theirs: tuple[LineInForce, ...]
    figures: tuple[str, ...] = ()
    days_apart: int = 0
    rules: MatchingRules | None = None


class Waiting(NamedTuple):
    """A line or an entry without a counterpart yet, and the last day on which one may come.

    ``statement`` and ``line`` identify a line that waits for our books; they are empty and 0 for an
    entry that waits for its line in a statement.
    """

    until: int
    position: int
    reference: str
    amount: int
    event: str = ""
    statement: str = ""
    line: int = 0


class Sums(NamedTuple):
    """Number of lines, and their sums in haléř."""

    lines: int = 0
    amount: int = 0
    fee: int = 0
    stake: int = 0
    paid: int = 0

    def plus(self, other: Sums) -> Sums:
        """Return the sum of both."""
        return Sums(*(one + another for one, another in zip(self, other, strict=True)))

    def minus(self, other: Sums) -> Sums:
        """Return what is left without the other."""
        return self.plus(Sums(*(-each for each in other)))


class OpenSums(NamedTuple):
    """Sums of what does not agree, or not yet, of one day (counted from 1970-01-01 in Prague).

    With a ``statement``, its lines; without one, entries of our books that no line agrees with.
    """

    statement: str
    day: int
    sums: Sums
