"""The values of matching: lines of statements, entries of ours, how each stands, what differs.

Amounts are haléř from our side: what came to us is above zero, what left us below. Days are
counted from 1970, in Prague.
"""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple

__all__ = ["Difference", "Entry", "LineInForce", "Standing", "Sums", "Waiting"]


class Standing(StrEnum):
    """How a line stands: first the ways of a match, then why there is none.

    What begins with a capital is the code of its finding. ``WAITING`` is neither matched nor
    wrong yet: its window is not over, or what it has to agree with is not there yet.
    """

    REFERENCE = "by_reference"
    TOGETHER = "together"
    AMOUNT = "by_amount"
    SETTLEMENT = "settlement"
    COST = "cost"
    TOTAL = "total"
    NO_MONEY = "no_money"
    LATE = "BOOKED_LATE"
    WRONG_DAY = "BOOKED_WRONG_DAY"
    WAITING = "waiting"
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


_MATCHES = frozenset(list(Standing)[: list(Standing).index(Standing.WAITING)])


class LineInForce(NamedTuple):
    """One line of a statement in force.

    ``amount`` and ``fee`` are those of money, ``stake`` and ``paid`` those of games;
    ``reference`` is what it names of ours, ``their_reference`` the issuer's own name of it.
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
        """Place among the lines of its day: that of its record, and in its statement."""
        return (self.position, self.line)


class Entry(NamedTuple):
    """What our books say: a movement of money, a bet, or the payout of a provider to our bank.

    ``is_due`` says that its window is over and covered by statements, so that it has to be
    in one; ``part`` tells two entries of one event apart. ``statement`` and ``line`` are those
    of a provider that says that it paid out.
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

    @property
    def order(self) -> tuple[int, ...]:
        """Place among the entries of its day: that in the chain."""
        return (self.position, self.part)


class Difference(NamedTuple):
    """What does not agree, with both sides; one of them may be empty.

    ``figures`` are those that differ, stake or payment, where a line has both; ``days_apart`` are
    the days between both sides, where that is too long.
    """

    standing: Standing
    ours: tuple[Entry, ...]
    theirs: tuple[LineInForce, ...]
    figures: tuple[str, ...] = ()
    days_apart: int = 0


class Waiting(NamedTuple):
    """What has no counterpart yet, and the last day on which one may still come.

    ``statement`` and ``line`` are those of a line that waits for our books; they are empty for an
    entry of ours that waits for its line in a statement.
    """

    until: int
    position: int
    reference: str
    amount: int
    event: str = ""
    statement: str = ""
    line: int = 0


class Sums(NamedTuple):
    """How many lines, and what they sum up to, in haléř."""

    lines: int = 0
    amount: int = 0
    fee: int = 0
    stake: int = 0
    paid: int = 0

    def plus(self, other: Sums) -> Sums:
        """Add up."""
        return Sums(*(one + another for one, another in zip(self, other, strict=True)))
