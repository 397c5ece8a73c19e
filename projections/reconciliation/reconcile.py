"""Reconcile paid money with the money due, and run all other checks of the record.

What comes in: the tables of a chain. What goes out: findings, in the order of the chain, and the
corrections that restored the right amount. Every settled bet is settled again from the record;
ClickHouse runs all other checks as set queries (the views ``*_findings``). Values derived by the
write side are not trusted: amounts due, breaks and participants are computed from placements,
results and plans.

Guaranteed: the memory of the new settlement is bounded by the unfinished rounds, corrections and
findings, not by the length of the log; ClickHouse groups on disk beyond ``SPILL`` bytes, and joins
in memory. A run that continues an earlier one has the same findings as a complete run: it skips
only rounds without any later event.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple

from projections.checks import CheckInput
from projections.checks.hands import check_hand
from projections.checks.rounds import Correction, check_round
from projections.checks.tournaments import check_tournament, tournament_histories
from projections.findings.finding import DetectedFinding, Finding, render_findings
from projections.reconciliation.checks import (
    Check,
    View,
    python_checks,
    settled_codes,
    tables_read,
    views_of_findings,
)
from projections.reconciliation.duties import END
from projections.reconciliation.earlier_results import (
    EarlierResults,
    changed_rounds,
    changed_tables,
    open_rounds,
    restrict_to_rounds,
    retained_findings,
)
from projections.reconciliation.finding_lifecycle import finding_histories, with_state
from projections.reconciliation.rounds_to_recheck import PreviousReconciliation, rounds_to_recheck
from projections.reconciliation.view_details import detail_of
from projections.resettlement.amendments import AMENDING, amendments_in
from projections.resettlement.hands import replay_finished_hands
from projections.resettlement.limits import LimitsBook
from projections.resettlement.round_history import replay_rounds
from projections.store.as_of import as_of, event_tables, moment_of_question
from projections.store.definitions import has_column, view_of_findings
from projections.store.definitions import needed as needed_by
from projections.store.events import read_events
from projections.store.operator import published_rules
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from collections.abc import Set as AbstractSet
    from concurrent.futures import Future

    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = [
    "Correction",
    "Reconciliation",
    "examine",
    "examine_on",
    "reconcile",
    "replay_rounds",
]

SPILL = 1_000_000_000
"""Bytes beyond which ClickHouse groups and sorts on disk."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """Result of a reconciliation.

    ``rounds`` is the number of rounds with a result, ``bets`` that of the bets settled again: all
    of them, or if ``since`` is above 0 only those that begin at that position or later, have a
    later event, or had findings. ``findings`` are complete in either case, including closed ones.
    ``corrected`` are bets among them that were wrong or changed, and are right now. ``moment`` is
    that at which deadlines were judged.
    """

    position: int
    head: str
    rounds: int
    bets: int
    findings: tuple[Finding, ...]
    corrected: tuple[Correction, ...]
    since: int = 0
    moment: int = 0

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that still have to be handled."""
        return tuple(found for found in self.findings if found.is_open)

    @property
    def earlier(self) -> PreviousReconciliation:
        """The state from which a later run can continue."""
        return PreviousReconciliation(
            self.position, frozenset(one.round for one in self.findings if one.round)
        )

    @property
    def by_code(self) -> dict[str, int]:
        """Number of findings by code."""
        return dict(sorted(Counter(found.code for found in self.findings).items()))


def reconcile(
    store: Store,
    *,
    at: int | None = None,
    now: int | None = None,
    only: frozenset[str] = frozenset(),
) -> list[Finding]:
    """Return all findings, including handled ones, by position.

    Only the messages below ``at`` count; all by default. Deadlines are judged at the moment
    ``now``, by default that of the last message. Only findings with the codes ``only`` are
    returned, and only their checks run; all by default.

    Raises:
        InputError: fewer messages are projected.

    """
    return list(examine(store, at=at, now=now, only=only).findings)


def examine(
    store: Store,
    *,
    at: int | None = None,
    now: int | None = None,
    since: PreviousReconciliation | EarlierResults | None = None,
    only: frozenset[str] = frozenset(),
) -> Reconciliation:
    """Reconcile; return the findings, the number of checked rounds and bets, and the corrections.

    Args:
        store: the tables.
        at: number of messages that count; all by default.
        now: moment at which deadlines are judged, by default that of the last message.
        since: an earlier run to continue, of the same codes; the findings are the same as those of
            a complete run.
        only: codes of findings; only the checks run that may detect them, and bets are settled
            again only for codes of the settlement. All codes by default.

    Raises:
        InputError: fewer messages are projected.

    """
    return examine_on(store, at=at, now=now, since=since, only=only)[0]


def examine_on(
    store: Store,
    *,
    at: int | None = None,
    now: int | None = None,
    since: PreviousReconciliation | EarlierResults | None = None,
    only: frozenset[str] = frozenset(),
) -> tuple[Reconciliation, EarlierResults]:
    """Reconcile as :func:`examine`; also return the state from which a later run can continue.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    published = published_rules(store)
    rules = published.last
    register_plans(store)
    size = place.position
    moment = moment_of_question(store, size, now)
    run = _run_since(store, since, size)._replace(only=only, moment=moment)
    memory = {} if run.known is None else dict(run.known.memory)
    of = partial(CheckInput, size=size, now=moment, published=published, memory=memory)
    with store.repeatable(), _queries_in_parallel(store, of, run) as queries:
        settled = _settle_again(store, size, published, run)
        answers = {
            "settled": tuple(settled.findings),
            "tournaments": tuple(settled.of_tournaments),
            **{name: tuple(answer.result()) for name, answer in queries.items()},
        }
    corrected = settled.corrected
    if run.known is not None:
        old = run.known.answers
        views = views_of_findings()
        of_rounds = [one.name for one in views if one.of_rounds and one.name in queries]
        for name in ("settled", *of_rounds):
            answers[name] = (*retained_findings(old[name], run.again), *answers[name])
        answers |= {name: old[name] for name in old if name not in answers}
        untouched = (one for one in run.known.corrected if one.round not in run.again)
        corrected = (*untouched, *corrected)
    unfinished = open_rounds(store, size, run.known, run.again, run.changed)
    found = [one for answer in answers.values() for one in answer if run.concerns({one.code})]
    rendered = render_findings(found, rules, published.at_position)
    findings = with_state(rendered, finding_histories(store, size))
    sorted_ = tuple(sorted(corrected, key=lambda one: one.position))
    examined = Reconciliation(
        size, place.head, settled.rounds, settled.bets, findings, sorted_, run.first, moment
    )
    return examined, EarlierResults(size, place.head, answers, sorted_, unfinished, memory)


class _Run(NamedTuple):
    """Scope of a run: its first position, earlier rounds to check again, and remembered results.

    ``before`` are rounds that are read only because later ones depend on them; ``changed`` are the
    tables with rows of messages that are not in the remembered results; ``only`` the wanted codes,
    all if it is empty; ``moment`` that at which deadlines are judged.
    """

    first: int
    again: frozenset[str]
    known: EarlierResults | None
    before: frozenset[str] = frozenset()
    changed: frozenset[str] = frozenset()
    only: frozenset[str] = frozenset()
    moment: int = 0

    def concerns(self, codes: AbstractSet[str]) -> bool:
        """Return whether one of these codes is wanted."""
        return not self.only or not self.only.isdisjoint(codes)

    def may_change(self, name: str, sources: frozenset[str]) -> bool:
        """Return whether a check must run again.

        A check without ``sources`` always runs, because its result changes with time. One that
        remembers a span of time has the same result within it.
        """
        if self.known is None or name not in self.known.answers or not sources:
            return True
        first, end = self.known.memory.get(name, (0, END))
        return not (sources.isdisjoint(self.changed) and first <= self.moment < end)


def _run_since(
    store: Store, since: PreviousReconciliation | EarlierResults | None, size: int
) -> _Run:
    whole = _Run(0, frozenset(), None)
    if since is None or since.until > size:
        return whole
    if isinstance(since, PreviousReconciliation):
        carried = rounds_to_recheck(store, since, size)
        if carried is None:
            return whole
        return _Run(since.until, carried.rounds, None, carried.before)
    changed = changed_tables(store, since.until, size)
    again = changed_rounds(store, since, size, changed)
    if again is None:
        return whole
    return _Run(since.until, again.rounds, since, again.before, changed)


class _Resettlement(NamedTuple):
    """Result of settling rounds, hands and tournaments again."""

    findings: list[DetectedFinding]
    of_tournaments: list[DetectedFinding]
    corrected: tuple[Correction, ...]
    rounds: int
    bets: int


def _settle_again(store: Store, size: int, published: PublishedRules, run: _Run) -> _Resettlement:
    found: list[DetectedFinding] = []
    corrected: list[Correction] = []
    rounds = bets = 0
    if not run.concerns(settled_codes()):
        return _Resettlement([], [], (), 0, 0)
    limits = LimitsBook(store, size)
    amendments = amendments_in(read_events(store, dict.fromkeys(AMENDING, ""), first=0, end=size))
    read = run.again | run.before
    for history in replay_rounds(store, size, since=run.first, rounds=read):
        if history.round in run.before:
            continue
        checked = check_round(history, limits.at_opening(history), amendments)
        found += checked.findings
        corrected += checked.corrected
        rounds, bets = rounds + 1, bets + checked.bets
    for hand in replay_finished_hands(store, size, since=run.first, rounds=read):
        of_hand = check_hand(hand, amendments)
        found += of_hand.findings
        corrected += of_hand.corrected
        bets += of_hand.bets
    of_tournaments = [
        one
        for tournament in tournament_histories(store, size)
        for one in check_tournament(tournament, published)
    ]
    return _Resettlement(found, of_tournaments, tuple(corrected), rounds, bets)


@contextmanager
def _queries_in_parallel(
    store: Store, of: Callable[[Store], CheckInput], run: _Run
) -> Iterator[dict[str, Future[list[DetectedFinding]]]]:
    """Query ClickHouse over separate connections, while rounds are settled again in this thread.

    Checks whose event types do not exist return nothing without a query.
    """
    filled, is_over = set(event_tables(store)), Event()

    def found_by(other: Store, check: Check) -> list[DetectedFinding]:
        if is_over.is_set() or not _may_find(check.needs, filled):
            return []
        return list(check.find(of(other)))

    views = [
        Check(
            view.name,
            (),
            partial(_query_view, view, run, filled),
            view.codes,
            _sources_of(view.name),
        )
        for view in views_of_findings()
    ]
    with (
        store.clone() as one,
        store.clone() as other,
        one.repeatable(),
        other.repeatable(),
        ThreadPoolExecutor(1, "gameledger-asked") as for_views,
        ThreadPoolExecutor(1, "gameledger-asked") as for_checks,
    ):
        try:
            yield {
                check.name: threads.submit(found_by, over, check)
                for threads, over, checks in (
                    (for_views, one, views),
                    (for_checks, other, python_checks()),
                )
                for check in checks
                if run.concerns(check.codes) and run.may_change(check.name, check.sources)
            }
        finally:
            is_over.set()


@cache
def _sources_of(view: str) -> frozenset[str]:
    """Return the tables that a view reads."""
    return frozenset(needed_by(tables_read(view)))


def _may_find(needs: Collection[str], filled: AbstractSet[str]) -> bool:
    """Return whether a check has one of the event types that it needs, or needs none."""
    return not needs or not filled.isdisjoint(needs)


def _query_view(
    view: View, run: _Run, filled: AbstractSet[str], queries: CheckInput
) -> list[DetectedFinding]:
    """Query the checks of a view that are wanted and whose event types exist.

    Planning the query of a check takes longer than its rows, unless the chain is long.
    """
    due = frozenset(
        code
        for code, needs in view.checks.items()
        if run.concerns({code}) and _may_find(needs, filled)
    )
    if not due:
        return []
    more = ", parts" if has_column(view.name, "parts") else ""
    sql = (
        f"SELECT code, position, account, round, bet, amount, detail{more} "  # noqa: S608 - own view
        f"FROM ({view_of_findings(view.name, due)}) SETTINGS "
        f"max_bytes_before_external_group_by = {SPILL}, max_bytes_before_external_sort = {SPILL}"
    )
    if run.known is not None and view.of_rounds:
        sql, again = restrict_to_rounds(view.of_rounds, sql), sorted(run.again)
        rows = queries.store.rows(sql, size=queries.size, since=run.first, again=again)
    else:
        rows = queries.store.rows(sql, size=queries.size)
    return [
        DetectedFinding(
            row["code"],
            position=row["position"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["amount"],
            detail=detail_of(row),
            about=_figure(row) if row["code"] == "STATEMENT_WRONG" else "",
        )
        for row in rows
    ]


def _figure(row: dict[str, Any]) -> str:
    """Return the identifying part of a wrong statement: its position and the name of the figure."""
    return f"{row['position']} {row['parts'][0]}"
