"""Current tables and games of a chain: place, opening, limits.

Everything is as of a position; limits are in force by the timestamp of the last counted message.
Money is haléř, timestamps are microseconds. There are few tables and games in a chain.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from ledger import games
from ledger.core.units import Count, Haler
from ledger.events import event_types as e
from projections.store.as_of import moment_of_question, size_of
from projections.store.events import read_events
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["GameOffered", "Limit", "Offer", "TableInForce", "offer"]

State = Literal["listed", "open", "suspended", "closed"]


@dataclass(frozen=True, slots=True)
class Limit:
    """Smallest and largest stake on one bet; 0 means no limit."""

    bet_code: str
    least: int
    greatest: int


@dataclass(frozen=True, slots=True)
class TableInForce:
    """A table; ``round_maximum`` is the limit of a participant in a round, 0 for no limit."""

    table: str
    registration: str
    game: str
    place: str
    streamed: bool
    position: Count
    state: State
    limits: tuple[Limit, ...] = ()
    round_maximum: Haler = 0


@dataclass(frozen=True, slots=True)
class GameOffered:
    """A game of the licence; ``plan_version`` is the newest one in this program, empty if none."""

    game: str
    name: str
    category: str
    position: int
    state: State
    plan_version: str


@dataclass(frozen=True, slots=True)
class Offer:
    """Tables and games by name."""

    position: int
    tables: tuple[TableInForce, ...]
    games: tuple[GameOffered, ...]


WANTED = dict.fromkeys(
    (
        *("TableOpened", "TableClosed", "TableSuspended", "TableResumed", "TableLimitsSet"),
        *("GameListed", "GameLaunched", "GameSuspended", "GameResumed", "GameWithdrawn"),
    ),
    "",
)
STATES: dict[type[e.Event], State] = {
    e.TableClosed: "closed",
    e.TableSuspended: "suspended",
    e.TableResumed: "open",
    e.GameLaunched: "open",
    e.GameSuspended: "suspended",
    e.GameResumed: "open",
    e.GameWithdrawn: "closed",
}


def offer(store: Store, *, at: int | None = None, now: int | None = None) -> Offer:
    """Return the tables and games, with the limits in force at ``now`` or the last message."""
    register_plans(store)
    size = size_of(store, at)
    moment = moment_of_question(store, size, now)
    tables: dict[str, TableInForce] = {}
    offered: dict[str, GameOffered] = {}
    since: dict[str, int] = {}
    for position, _, event in read_events(store, WANTED, first=0, end=size):
        match event:
            case e.TableOpened():
                since.pop(event.table, None)
                tables[event.table] = TableInForce(
                    event.table,
                    event.registration,
                    event.game,
                    event.place,
                    event.streamed,
                    position,
                    "open",
                )
            case e.TableLimitsSet():
                begins = event.effective_from
                if event.table in tables and since.get(event.table, 0) <= begins <= moment:
                    since[event.table] = begins
                    tables[event.table] = _limited(tables[event.table], event)
            case e.GameListed():
                offered[event.game] = GameOffered(
                    event.game,
                    event.name,
                    event.category,
                    position,
                    "listed",
                    _newest_plan(event.game),
                )
            case e.TableClosed() | e.TableSuspended() | e.TableResumed():
                if event.table in tables:
                    state = STATES[type(event)]
                    tables[event.table] = replace(tables[event.table], state=state)
            case _ if event.game in offered:
                offered[event.game] = replace(offered[event.game], state=STATES[type(event)])
    return Offer(
        size,
        tuple(tables[name] for name in sorted(tables)),
        tuple(offered[name] for name in sorted(offered)),
    )


def _limited(table: TableInForce, event: e.TableLimitsSet) -> TableInForce:
    rows = zip(event.bet_codes, event.minimums, event.maximums, strict=False)
    limits = tuple(Limit(*row) for row in rows)
    return replace(table, limits=limits, round_maximum=event.round_maximum)


def _newest_plan(game: str) -> str:
    try:
        return games.versions(game)[-1]
    except games.UnknownGameError:
        return ""
