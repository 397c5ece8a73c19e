"""List tournaments, and show one with its payments, pool and prizes computed again.

Money is haléř, timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ledger import games  # noqa: TC001 - the schema of the answer is made of it
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count, Haler, Moment
from projections.checks.tournaments import (
    TournamentHistory,
    check_tournament,
    tournament_histories,
)
from projections.findings.finding import Finding, render_findings
from projections.reconciliation.finding_lifecycle import finding_histories, with_state
from projections.store.as_of import as_of
from projections.store.operator import published_rules

if TYPE_CHECKING:
    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = [
    "Payment",
    "PoolLine",
    "PrizeLine",
    "TournamentLine",
    "TournamentReplay",
    "list_tournaments",
    "show_tournament",
]

Status = Literal["announced", "running", "ended", "cancelled"]


@dataclass(frozen=True, slots=True)
class TournamentLine:
    """One tournament of a list; ``prize_pool`` is ``None`` while registration is open."""

    tournament: str
    game: str
    name: str
    starts_at: Moment
    status: Status
    entries: Count
    money_pool: Haler
    prize_pool: Haler | None


@dataclass(frozen=True, slots=True)
class Payment:
    """A payment that was not returned."""

    entry: str
    account: str
    kind: str
    amount: int


@dataclass(frozen=True, slots=True)
class PoolLine:
    """The division of the money as recorded."""

    entries: int
    column: str
    money_pool: int
    fee: int
    top_up: int
    prize_pool: int


@dataclass(frozen=True, slots=True)
class PrizeLine:
    """A prize as recorded and as computed again, with the reason; ``None`` if there is none."""

    place: int
    account: str
    due: int | None
    due_again: int | None
    paid: int | None
    explanation: games.Explanation | None


@dataclass(frozen=True, slots=True)
class TournamentReplay:
    """One tournament: its announcement, payments, pool, deal, places and prizes.

    ``places`` begin with the best; players eliminated in one hand share an item.
    """

    position: int
    head: str
    tournament: str
    game: str
    plan_version: str
    name: str
    format: str
    structure: str
    fee_percent: str
    guarantee: int
    announced_at: int
    starts_at: int
    status: Status
    hands: int
    entries: int
    payments: tuple[Payment, ...]
    pool: PoolLine | None
    deal: tuple[tuple[str, int], ...]
    places: tuple[tuple[str, ...], ...]
    prizes: tuple[PrizeLine, ...]
    findings: tuple[Finding, ...]


def list_tournaments(store: Store, *, at: int | None = None) -> list[TournamentLine]:
    """List tournaments in the order of their announcements.

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    lines = []
    for history in tournament_histories(store, place.position):
        state = history.state
        if state is None:
            continue
        pool = state.pool
        lines.append(
            TournamentLine(
                tournament=history.tournament,
                game=state.announced.game,
                name=state.announced.name,
                starts_at=state.announced.starts_at,
                status=state.status,
                entries=state.entries,
                money_pool=sum(state.stakes.values()),
                prize_pool=pool.prize_pool if pool is not None else None,
            )
        )
    return lines


def show_tournament(store: Store, name: str, *, at: int | None = None) -> TournamentReplay:
    """Show a tournament.

    Raises:
        InputError: no counted message announced it.

    """
    place = as_of(store, at)
    history = next(iter(tournament_histories(store, place.position, name=name)), None)
    if history is None or history.state is None:
        raise InputError(Phrase("TOURNAMENT_UNKNOWN", name=name, size=place.position))
    state, announced, deal = history.state, history.state.announced, history.state.deal
    published = published_rules(store)
    gone = [tuple(group) for group in reversed(state.out)]
    return TournamentReplay(
        position=place.position,
        head=place.head,
        tournament=name,
        game=announced.game,
        plan_version=announced.plan_version,
        name=announced.name,
        format=announced.format,
        structure=announced.structure,
        fee_percent=announced.fee_percent,
        guarantee=announced.guarantee,
        announced_at=state.announced_at,
        starts_at=announced.starts_at,
        status=state.status,
        hands=history.hands,
        entries=state.entries,
        payments=tuple(
            Payment(one.entry, one.account, one.kind, one.amount) for one in state.payments
        ),
        pool=_pool(state.pool),
        deal=tuple(zip(deal.accounts, deal.shares, strict=False)) if deal is not None else (),
        places=(*((player,) for player in state.playing), *gone),
        prizes=_prizes(history),
        findings=_findings(store, history, published, place.position),
    )


def _findings(
    store: Store, history: TournamentHistory, published: PublishedRules, size: int
) -> tuple[Finding, ...]:
    findings = render_findings(
        check_tournament(history, published), published.last, published.at_position
    )
    return with_state(findings, finding_histories(store, size)) if findings else ()


def _pool(event: Any) -> PoolLine | None:
    if event is None:
        return None
    return PoolLine(
        event.entries, event.column, event.money_pool, event.fee, event.top_up, event.prize_pool
    )


def _prizes(history: TournamentHistory) -> tuple[PrizeLine, ...]:
    again = {prize.account: prize for prize in history.right_prizes}
    recorded = {event.account: event for _, _, event in history.prizes}
    lines = []
    for name in dict.fromkeys((*recorded, *again)):
        event, prize = recorded.get(name), again.get(name)
        place = event.place if event is not None else (prize.place if prize is not None else 0)
        lines.append(
            PrizeLine(
                place=place,
                account=name,
                due=event.due if event is not None else None,
                due_again=prize.due if prize is not None else None,
                paid=event.paid if event is not None else None,
                explanation=prize.line.explanation() if prize is not None else None,
            )
        )
    return tuple(sorted(lines, key=lambda line: (line.place, -(line.due_again or 0))))
