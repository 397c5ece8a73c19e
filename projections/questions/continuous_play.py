"""Compute continuous play in streamed live games (SAZKA 5a(3) to (6)) from the record alone.

A sequence begins with the first placement that became a bet and advances only at evaluations, over
all accounts of the person; the views ``play`` and ``break_violations`` contain the rule. Lengths
are exact, in microseconds; ``minutes`` is the number of whole minutes. The time is ``recorded_at``:
the record decides (SAZKA 13(5)). If rounds of one account overlap, which the rules do not allow, a
sequence begins with the earliest of their placements.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import MINUTE
from projections.store.as_of import size_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = [
    "BreakViolation",
    "Play",
    "Sequence",
    "Violations",
    "break_violations",
    "play",
    "play_and_violations",
]


@dataclass(frozen=True, slots=True)
class Sequence:
    """One sequence of continuous play, up to its last evaluation so far.

    ``number`` counts the person's sequences from 1. ``rounds`` and ``bets`` are those of the
    account; play with an earlier account of the person is included in ``started_at`` and
    ``length``. ``break_until`` is the first time at which bets are accepted again, if the length
    reached 120 minutes, otherwise ``None``. Times and ``length`` are microseconds.
    """

    account: str
    number: int
    started_at: int
    last_evaluated_at: int
    last_position: int
    length: int
    rounds: int
    bets: int
    break_until: int | None

    @property
    def minutes(self) -> int:
        """Length in whole minutes."""
        return self.length // MINUTE

    @property
    def reached(self) -> bool:
        """Return whether the sequence has reached 120 minutes."""
        return self.break_until is not None


@dataclass(frozen=True, slots=True)
class Play:
    """Sequences by account and number."""

    position: int
    sequences: tuple[Sequence, ...]


@dataclass(frozen=True, slots=True)
class BreakViolation:
    """A bet accepted during a break, at ``position`` and time ``placed_at``.

    The previous sequence ran from ``started_at`` to ``evaluated_at`` for ``length`` microseconds;
    bets were not to be accepted before ``until``. ``stake`` is haléř.
    """

    account: str
    round: str
    bet: str
    position: int
    placed_at: int
    stake: int
    started_at: int
    evaluated_at: int
    length: int
    until: int


@dataclass(frozen=True, slots=True)
class Violations:
    """Violations in the order of the chain."""

    position: int
    violations: tuple[BreakViolation, ...]


def play(
    store: Store, *, account: str = "", of_person: bool = False, at: int | None = None
) -> Play:
    """Return the sequences of all accounts, of one, or of all accounts of its person."""
    size = size_of(store, at)
    rows = store.rows(
        "SELECT account, sequence AS number, min(started_at) AS started_at, "
        "max(evaluated_at) AS last_evaluated_at, max(position) AS last_position, "
        "argMax(length, position) AS length, count() AS rounds, sum(bets) AS bets, "
        "nullIf(argMax(until, position), 0) AS break_until "
        "FROM play(size = {size:Int64}, account = {account:String}) "
        "WHERE {account:String} = '' OR {of_person:Bool} OR account = {account:String} "
        "GROUP BY account, sequence ORDER BY account, sequence",
        size=size,
        account=account,
        of_person=of_person,
    )
    return Play(size, tuple(Sequence(**row) for row in rows))


def play_and_violations(
    store: Store, *, account: str = "", at: int | None = None
) -> tuple[Play, Violations]:
    """Return the sequences of all accounts or of one, and the bets accepted during their breaks.

    If no sequence reached 120 minutes there was no break, and no bet is read.
    """
    whole = play(store, account=account, of_person=True, at=at)
    own = tuple(one for one in whole.sequences if account in {"", one.account})
    found = Play(whole.position, own)
    if not any(one.reached for one in whole.sequences):
        return found, Violations(whole.position, ())
    return found, break_violations(store, account=account, at=whole.position)


def break_violations(store: Store, *, account: str = "", at: int | None = None) -> Violations:
    """Find bets that were accepted before the break of their account ended."""
    size = size_of(store, at)
    rows = store.rows(
        "SELECT account, round, bet, position, placed_at, stake, started_at, evaluated_at, "
        "length, until FROM break_violations(size = {size:Int64}, account = {account:String}) "
        "ORDER BY position",
        size=size,
        account=account,
    )
    return Violations(size, tuple(BreakViolation(**row) for row in rows))
