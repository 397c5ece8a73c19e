"""Reconcile recorded money with due money, and everything else that must agree.

What comes in: the tables of a chain. What goes out: findings, in the order of the chain, and the
corrections that restored the right amount. Every bet with a settlement is settled again from the
record; ClickHouse answers all other questions as sets (the views ``*_findings``). Derived values of
the write side are not trusted: due amounts, breaks and participants are computed from placements,
results and plans.

Guaranteed: settling again takes memory for the unfinished rounds, for corrections and for findings,
whatever the length of the log; ClickHouse groups on its disk beyond ``SPILL`` bytes, and joins in
memory. A run that continues an earlier one finds what a complete run finds: it skips only rounds
without any later event.
"""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ledger.rules.duties import DUTIES
from projections.fairness.watch import watch
from projections.reconciliation.accounts import (
    closed_wrongly,
    methods_not_allowed,
    notices_incomplete,
)
from projections.reconciliation.amendments import AMENDING, amendments_in
from projections.reconciliation.bonuses import bonuses_not_allowed
from projections.reconciliation.clocks import clocks_not_kept
from projections.reconciliation.dormancy import dormancy_not_given
from projections.reconciliation.duties import duties_not_done, first_facts
from projections.reconciliation.feeds import feeds_not_followed
from projections.reconciliation.findings import Finding, Found, render_findings
from projections.reconciliation.floor import FLOOR, floor_not_kept
from projections.reconciliation.hands import judge_hand
from projections.reconciliation.holds import erased_under_hold
from projections.reconciliation.hours import tables_too_few
from projections.reconciliation.life import lives, with_state
from projections.reconciliation.measures import loosened_too_early, looser_after_closing
from projections.reconciliation.outside import outside_differs
from projections.reconciliation.retention import destroyed_early, wrongly_erased
from projections.reconciliation.rounds import Correction, judge
from projections.reconciliation.scope import Earlier, carried_rounds
from projections.reconciliation.studio import (
    cards_too_often,
    payouts_not_checked,
    rounds_without_dealer,
    shoes_not_allowed,
)
from projections.reconciliation.time_money import time_money_wrong
from projections.reconciliation.tournaments import judge_tournament, tournament_histories
from projections.resettlement.hands import hands
from projections.resettlement.limits import LimitsBook
from projections.resettlement.round_history import replay_rounds
from projections.store.as_of import as_of, event_tables, moment_of
from projections.store.events import read_events
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future

    from ledger.rules.duties import Duty
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["Correction", "Reconciliation", "examine", "reconcile", "replay_rounds"]

SPILL = 1_000_000_000
"""Bytes of a grouping or sorting that ClickHouse may hold in memory."""
SMALL = 200_000
"""Messages up to which one thread is faster than setting up several."""
VIEWS = {
    "bet_findings": (),
    "round_findings": (),
    "entry_findings": (),
    "protection_findings": (
        *("BetPlaced", "HandAction", "TournamentEntryPaid", "SeatTaken", "DepositCredited"),
    ),
    "measure_findings": ("LimitSet",),
    "cage_findings": ("DepositCredited", "WithdrawalRequested", "WithdrawalPaid"),
    "statement_findings": ("AccountStatement",),
    "posting_findings": (),
}
"""The views of findings, and the facts without which they cannot find any: planning a query takes
time, whatever its result."""


class _Input(NamedTuple):
    """Input of a check: messages below ``size``, the last of them recorded at ``now``."""

    store: Store
    size: int
    now: int
    rules: OperatorRules


_Judge: TypeAlias = "Callable[[_Input], Iterable[Found]]"


def _not_done(duty: Duty, of: _Input) -> Iterator[Found]:
    return duties_not_done(of.store, of.size, of.now, of.rules, duty)


JUDGES: tuple[tuple[tuple[str, ...], _Judge], ...] = (
    (("CasinoHoursBegan",), lambda of: tables_too_few(of.store, of.size)),
    (FLOOR, lambda of: floor_not_kept(of.store, of.size, of.rules.figures)),
    (("ClockMeasured",), lambda of: clocks_not_kept(of.store, of.size, of.now)),
    (("FeedMessageUnmapped",), lambda of: feeds_not_followed(of.store, of.size)),
    (("BonusGranted",), lambda of: bonuses_not_allowed(of.store, of.size)),
    (("AccountClosed",), lambda of: closed_wrongly(of.store, of.size)),
    (("CancellationConfirmed",), lambda of: notices_incomplete(of.store, of.size)),
    (("PaymentMethodRegistered",), lambda of: methods_not_allowed(of.store, of.size)),
    (("LimitSet",), lambda of: loosened_too_early(of.store, of.size)),
    (("AccountClosed",), lambda of: looser_after_closing(of.store, of.size)),
    (
        ("CancellationRequested",),
        lambda of: dormancy_not_given(of.store, of.size, of.rules.figures),
    ),
    (("RoundOpened",), lambda of: payouts_not_checked(of.store, of.size, of.now)),
    (("ShoeLoaded",), lambda of: cards_too_often(of.store, of.size)),
    (("RoundOpened",), lambda of: rounds_without_dealer(of.store, of.size)),
    (("ShoeLoaded",), lambda of: shoes_not_allowed(of.store, of.size)),
    (("TimeCollectionTaken",), lambda of: time_money_wrong(of.store, of.size)),
    (("RoundOpened",), lambda of: _leaning(of.store, of.size)),
    (("PersonErased",), lambda of: erased_under_hold(of.store, of.size)),
    (
        ("StatementImported",),
        lambda of: outside_differs(of.store, of.size, of.rules.figures),
    ),
    (("RecordDestroyed",), lambda of: destroyed_early(of.store, of.size)),
    (("PersonErased",), lambda of: wrongly_erased(of.store, of.size)),
    *((first_facts(duty), partial(_not_done, duty)) for duty in DUTIES.values()),
)
"""Checks besides the views, each with such facts."""


@dataclass(frozen=True, slots=True)
class Reconciliation:
    """What was examined and found.

    ``rounds`` have a result, ``bets`` were settled again: all of them, or if ``since`` is above 0
    those that begin there, that a later event concerns, or that had findings. The findings are
    complete in either case, including closed ones. ``corrected`` are bets among them that once were
    wrong or were changed, and now are right.
    """

    position: int
    head: str
    rounds: int
    bets: int
    findings: tuple[Finding, ...]
    corrected: tuple[Correction, ...]
    since: int = 0

    @property
    def open(self) -> tuple[Finding, ...]:
        """The findings that are still to be handled."""
        return tuple(found for found in self.findings if found.is_open)

    @property
    def earlier(self) -> Earlier:
        """The state from which a later run continues."""
        return Earlier(self.position, frozenset(one.round for one in self.findings if one.round))

    @property
    def by_code(self) -> dict[str, int]:
        """Count the findings by code."""
        return dict(sorted(Counter(found.code for found in self.findings).items()))


def reconcile(store: Store, *, at: int | None = None) -> list[Finding]:
    """Return the findings open now, or with the messages below ``at``, by position.

    Raises:
        InputError: fewer messages are projected.

    """
    return list(examine(store, at=at).findings)


def examine(store: Store, *, at: int | None = None, since: Earlier | None = None) -> Reconciliation:
    """Reconcile, and return also what was examined and what was corrected.

    Args:
        store: the tables.
        at: as of so many messages.
        since: an earlier run to continue; the findings are those of a complete run.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    rules = operator_rules(store)
    size, first, again = place.position, 0, frozenset[str]()
    if since is not None:
        carried = carried_rounds(store, since, size)
        first, again = (0, again) if carried is None else (since.until, carried)
    found: list[Found] = []
    corrected: list[Correction] = []
    rounds = bets = 0
    with _queries_in_parallel(store, size, rules) as answers:
        limits = LimitsBook(store, size)
        amended = read_events(store, dict.fromkeys(AMENDING, ""), first=0, end=size)
        amendments = amendments_in(amended)
        for history in replay_rounds(store, size, since=first, rounds=again):
            judgement = judge(history, limits.at_opening(history), amendments)
            found += judgement.findings
            corrected += judgement.corrected
            rounds, bets = rounds + 1, bets + judgement.bets
        for hand in hands(store, size, since=first, rounds=again):
            of_hand = judge_hand(hand, amendments)
            found += of_hand.findings
            corrected += of_hand.corrected
            bets += of_hand.bets
        for tournament in tournament_histories(store, size):
            found += judge_tournament(tournament, rules.figures)
        for answer in answers:
            found += answer.result()
    corrected.sort(key=lambda correction: correction.position)
    findings = with_state(render_findings(found, rules), lives(store, size))
    return Reconciliation(size, place.head, rounds, bets, findings, tuple(corrected), first)


@contextmanager
def _queries_in_parallel(
    store: Store, size: int, rules: OperatorRules
) -> Iterator[list[Future[list[Found]]]]:
    """Query ClickHouse over separate connections, while rounds are settled again here.

    Only queries whose facts exist are run.
    """
    now, filled, is_over = moment_of(store, size), set(event_tables(store)), Event()

    def found_by(judges: Iterable[tuple[tuple[str, ...], _Judge]], other: Store) -> list[Found]:
        asked, found = _Input(other, size, now, rules), list[Found]()
        for needed, judge_of in judges:
            if not is_over.is_set() and (not needed or filled.intersection(needed)):
                found += judge_of(asked)
        return found

    views = [(needed, partial(_found_by, view)) for view, needed in VIEWS.items()]
    with (
        store.clone() as one,
        store.clone() as other,
        ThreadPoolExecutor(2, "gameledger-asked") as threads,
    ):
        try:
            yield [threads.submit(found_by, views, one), threads.submit(found_by, JUDGES, other)]
        finally:
            is_over.set()


def _leaning(store: Store, size: int) -> Iterator[Found]:
    for one in watch(store, at=size).watched:
        if one.leans:
            about = f"{one.kind} {one.name} {one.game}"
            yield Found("RESULTS_LEAN", position=one.position, detail=one.in_words, about=about)


def _found_by(view: str, asked: _Input) -> list[Found]:
    rows = asked.store.rows(
        "SELECT code, position, account, round, bet, amount, detail "  # noqa: S608 - own view
        f"FROM {view}(size = {{size:Int64}}) SETTINGS "
        f"max_bytes_before_external_group_by = {SPILL}, max_bytes_before_external_sort = {SPILL}"
        + (", max_threads = 1" if asked.size <= SMALL else ""),
        size=asked.size,
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
            about=_figure(row) if row["code"] == "STATEMENT_WRONG" else "",
        )
        for row in rows
    ]


def _figure(row: dict[str, Any]) -> str:
    """Return the wrong figure of a statement: the first word of the detail."""
    return f"{row['position']} {row['detail'].split()[0]}"
