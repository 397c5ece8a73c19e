"""Money recorded against money due, and everything else that must agree.

What comes in: the tables of a chain. What goes out: findings, in the order of the chain,
and the corrections that restored the right amount. Every bet with a settlement is settled
again from the record; all other questions are put to ClickHouse as sets (the views
``*_findings``). Nothing the write side derived is believed: amounts due, breaks and
participants are found from placements, results and plans.

Promised: settling again takes memory for the rounds that are not finished, for corrections
and for findings, whatever the length of the log; what ClickHouse groups goes to its disk
beyond ``SPILL`` bytes, what it joins stays in its memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from projections.reconciliation.complaints import cases_overdue
from projections.reconciliation.deadlines import temporary_accounts_overdue
from projections.reconciliation.findings import Finding, Found, told
from projections.reconciliation.hands import judge_hand
from projections.reconciliation.rounds import Amendment, Correction, judge
from projections.reconciliation.tournaments import courses as tournament_courses
from projections.reconciliation.tournaments import judge_tournament
from projections.resettlement.course import RoundCourse, follow
from projections.resettlement.hands import hands
from projections.resettlement.limits import LimitsBook
from projections.store.as_of import as_of
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["Correction", "Reconciliation", "courses", "examine", "reconcile"]

STEP = 50_000
"""Positions that are read at once."""
SPILL = 2_000_000_000
"""Bytes of one grouping or sorting that ClickHouse may hold in memory."""
VIEWS = (
    "bet_findings",
    "round_findings",
    "protection_findings",
    "measure_findings",
    "cage_findings",
    "statement_findings",
    "posting_findings",
)
BEGINS = frozenset({"RoundOpened", "BetPlaced", "BetConcluded", "RoundResulted", "WheelSpun"})
"""Events that make a round that is not followed be followed."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What was examined and found.

    ``rounds`` have a result, ``bets`` were settled again. ``corrected`` are bets that once
    were wrong or were changed, and now are right.
    """

    position: int
    head: str
    rounds: int
    bets: int
    findings: tuple[Finding, ...]
    corrected: tuple[Correction, ...]

    @property
    def by_code(self) -> dict[str, int]:
        """Count the findings by code."""
        return dict(sorted(Counter(found.code for found in self.findings).items()))


def reconcile(store: Store, *, at: int | None = None) -> list[Finding]:
    """Return what is open now, or was open with the messages below ``at``, by position.

    Raises:
        InputError: so many messages are not projected.

    """
    return list(examine(store, at=at).findings)


def examine(store: Store, *, at: int | None = None) -> Reconciliation:
    """Reconcile, and tell too what was examined and what was corrected.

    Raises:
        InputError: so many messages are not projected.

    """
    place = as_of(store, at)
    rules = operator_rules(store)
    found: list[Found] = []
    corrected: list[Correction] = []
    limits, amendments = LimitsBook(store, place.position), _amendments(store, place.position)
    rounds = bets = 0
    for course in courses(store, place.position):
        judgement = judge(course, limits.at_opening(course), amendments)
        found += judgement.findings
        corrected += judgement.corrected
        rounds, bets = rounds + 1, bets + judgement.bets
    for hand in hands(store, place.position):
        judgement = judge_hand(hand, amendments)
        found += judgement.findings
        corrected += judgement.corrected
        bets += judgement.bets
    for tournament in tournament_courses(store, place.position):
        found += judge_tournament(tournament, rules.figures)
    for view in VIEWS:
        found += _found_by(store, view, place.position)
    found += cases_overdue(store, place.position)
    found += temporary_accounts_overdue(store, place.position)
    corrected.sort(key=lambda correction: correction.position)
    findings = tuple(told(found, rules))
    return Reconciliation(place.position, place.head, rounds, bets, findings, tuple(corrected))


def courses(store: Store, size: int) -> Iterator[RoundCourse]:
    """Follow all rounds below a position; give each with a result once nothing is open.

    Rounds whose bets still are open come at the end.
    """
    running: dict[str, RoundCourse] = {}
    for first in range(0, size, STEP):
        rows = store.rows(
            "SELECT position, recorded_at, event, round, bet, account, table, code, text, box, "
            "amount, due, number, flag, parent FROM round_lines(first = {first:Int64}, "
            "size = {end:Int64}, round = '') ORDER BY position",
            first=first,
            end=min(first + STEP, size),
        )
        for row in rows:
            name = row["round"]
            course = running.get(name)
            if course is None:
                if row["event"] not in BEGINS:
                    continue  # of a round that is over; what is wrong with it is found as a set
                course = running[name] = RoundCourse(name)
            follow(course, row)
            if course.is_finished:
                del running[name]
                if course.resulted_position:
                    yield course
    yield from (course for course in running.values() if course.resulted_position)


def _amendments(store: Store, size: int) -> dict[str, Amendment]:
    """Add up what was changed after settlement, by bet."""
    columns = "position, bet"
    rows = store.rows(
        "SELECT bet, max(position) AS last_position, sum(win) AS win, sum(stake) AS stake, "  # noqa: S608 - own columns
        "sum(withheld) AS withheld, sum(collected) AS collected FROM ("
        f"SELECT {columns}, difference AS win, 0 AS stake, 0 AS withheld, 0 AS collected "
        "FROM WinCorrected "
        f"UNION ALL SELECT {columns}, 0, difference, 0, 0 FROM BetCorrected "
        f"UNION ALL SELECT {columns}, 0, 0, amount, collected + claimed FROM PrizeWithheld) "
        "WHERE position < {size:Int64} GROUP BY bet",
        size=size,
    )
    return {
        row["bet"]: Amendment(
            row["last_position"], row["win"], row["stake"], row["withheld"], row["collected"]
        )
        for row in rows
    }


def _found_by(store: Store, view: str, size: int) -> list[Found]:
    rows = store.rows(
        "SELECT code, position, account, round, bet, amount, detail "  # noqa: S608 - own view
        f"FROM {view}(size = {{size:Int64}}) SETTINGS "
        f"max_bytes_before_external_group_by = {SPILL}, max_bytes_before_external_sort = {SPILL}",
        size=size,
    )
    return [
        Found(
            row["code"],
            position=row["position"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["amount"],
            detail=row["detail"],
        )
        for row in rows
    ]
