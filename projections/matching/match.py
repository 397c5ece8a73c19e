"""Match statements of banks, payment providers and game providers with our books.

What comes in: the tables, with the messages below a position; superseded statements do not count.
What goes out: the differences, each one once and with both sides, and the status of the lines of
every statement in force. Guaranteed: each line has exactly one status, so that matched and
unmatched amounts sum up to the imported amount, to the haléř; what a fault of this program leaves
without one is undecided, and a difference of its statement; and every run gives the same result,
whatever the order in which statements were imported.
"""

from __future__ import annotations

from collections.abc import Mapping  # noqa: TC003 - msgspec reads it
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger.core.clock import DAY, in_prague
from projections.matching.coverage import EPOCH, statement_coverage
from projections.matching.games import match_games
from projections.matching.matching_scope import MatchingScope
from projections.matching.money import match_money
from projections.matching.rules import MatchingRules, matching_rules
from projections.matching.tally import Tally, sums_in
from projections.matching.values import (
    Difference,
    LineInForce,
    LineStatus,
    OpenSums,
    Sums,
    Waiting,
)
from projections.store.as_of import as_of, moment_of_question
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.operator import Figures
    from projections.store.tables import Store

__all__ = ["Matching", "StatementSums", "differences", "match_statements", "matched_statements"]

HOLDS_DAYS = 3
"""Longest time, in days, that a reported round is assumed to last."""

OF_MONEY = {"BANK", "PAYMENTS"}
IMPORTED = """
SELECT statement, any(issuer) AS issuer, any(issuer_kind) AS issuer_kind,
    max(position) AS position, count() AS lines, sum(amount) AS amount, sum(fee) AS fee,
    sum(stake) AS stake, sum(paid) AS paid
FROM statement_lines
WHERE statement IN {statements:Array(String)}
GROUP BY statement"""


class StatementSums(NamedTuple):
    """Sums of one statement's lines by status; those of ``by_status`` add up to ``imported``.

    ``rules`` are the recorded ones by which lines of its days are matched; none of games.
    """

    statement: str
    imported: Sums
    by_status: Mapping[LineStatus, Sums]
    rules: tuple[MatchingRules, ...] = ()

    @property
    def matched(self) -> Sums:
        """Sums of the lines that agree with our books."""
        return _total(sums for one, sums in self.by_status.items() if one.is_match)

    @property
    def unmatched(self) -> Sums:
        """Sums of the lines that do not agree with our books, or not yet."""
        return _total(sums for one, sums in self.by_status.items() if not one.is_match)


class Matching(NamedTuple):
    """Result of matching: the statements in force, and the items that wait for their counterpart.

    ``statements`` are sorted by name; ``waiting`` has the earliest deadline first. ``open`` sums up
    what is not matched by day: of the lines of a statement, and of the entries of our books.
    """

    statements: tuple[StatementSums, ...]
    waiting: tuple[Waiting, ...]
    open: tuple[OpenSums, ...]


def differences(store: Store, size: int, now: int, figures: Figures) -> Iterator[Difference]:
    """Yield the differences between our books and the statements in force, below ``size``."""
    scope, tally = _scope_of(store, size, now, figures), Tally()
    yield from _matching(store, scope, tally)
    for row in _imported(store, scope):
        _, last_day = scope.covering.periods[row["statement"]]
        if any(undecided := tally.close(row["statement"], sums_in(row), last_day)):
            yield _undecided(row, last_day, undecided)


def matched_statements(
    store: Store, *, at: int | None = None, now: int | None = None
) -> tuple[StatementSums, ...]:
    """Return the sums of each statement in force by status, sorted by its name."""
    return match_statements(store, at=at, now=now).statements


def match_statements(store: Store, *, at: int | None = None, now: int | None = None) -> Matching:
    """Match all statements in force; return their sums by status, and the waiting items.

    What waits is overdue at the moment ``now``, by default that of the last message.

    Raises:
        InputError: fewer messages than ``at`` are projected.

    """
    size = as_of(store, at).position
    scope = _scope_of(
        store, size, moment_of_question(store, size, now), operator_rules(store).figures
    )
    tally = Tally()
    for _ in _matching(store, scope, tally):
        pass
    imported = {row["statement"]: row for row in _imported(store, scope)}
    statements = []
    for name, (first_day, last_day) in sorted(scope.covering.periods.items()):
        row = imported.get(name, {})
        sums = sums_in(row)
        tally.close(name, sums, last_day)
        is_of_money = row.get("issuer_kind") in OF_MONEY
        rules = scope.recorded_rules(first_day, last_day) if is_of_money else ()
        statements.append(StatementSums(name, sums, tally.of(name), rules))
    return Matching(tuple(statements), tally.waiting, tally.open)


def _imported(store: Store, scope: MatchingScope) -> list[dict[str, Any]]:
    return store.rows(IMPORTED, statements=sorted(scope.covering.periods))


def _undecided(row: dict[str, Any], day: int, sums: Sums) -> Difference:
    """Return the difference of a statement some of whose lines lack exactly one status."""
    line = LineInForce(
        row["statement"], 0, row["position"], row["issuer"], "total", day,
        sums.amount, sums.fee, sums.stake, sums.paid, "", row["statement"], "",
    )  # fmt: skip
    return Difference(LineStatus.TOTAL_DIFFERS, (), (line,))


def _scope_of(store: Store, size: int, now: int, figures: Figures) -> MatchingScope:
    today = (in_prague(now).date() - EPOCH).days
    covers = statement_coverage(store, size, today)
    first = min((first for first, _ in covers.periods.values()), default=0)
    return MatchingScope(
        size=size,
        today=today,
        since=(first - HOLDS_DAYS) * DAY,
        rules=matching_rules(store, size, figures),
        covering=covers,
    )


def _matching(store: Store, scope: MatchingScope, tally: Tally) -> Iterator[Difference]:
    if scope.covering.places & OF_MONEY:
        yield from match_money(store, scope, tally)
    if scope.covering.places - OF_MONEY:
        yield from match_games(store, scope, tally)


def _total(all_of: Iterator[Sums]) -> Sums:
    total = Sums()
    for sums in all_of:
        total = total.plus(sums)
    return total
