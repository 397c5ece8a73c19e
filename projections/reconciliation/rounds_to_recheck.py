"""Determine the rounds to settle again after an earlier reconciliation.

What comes in: the end of the earlier reconciliation, and the rounds of its findings. What goes out:
the earlier rounds to settle again. The settlement of a round depends on its own events, on the
limits and the plan before its opening and on the previous direction of the wheel. So these are the
rounds with a new event or a finding, and the preceding rounds at their wheel. All rounds that begin
later are settled. All other checks run over the whole chain: they are set queries, of which a part
costs as much as all, and time alone changes their results.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import schemas
from ledger import games
from ledger.games.roulette import RoulettePlan
from ledger.games.wheels import WheelPlan
from projections.resettlement.round_history import round_of_last_spin
from projections.store.as_of import event_tables
from projections.store.definitions import any_of
from projections.store.events import read_events

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.tables import Store

__all__ = [
    "PreviousReconciliation",
    "RoundsToRecheck",
    "rounds_to_recheck",
    "tables_of_rounds",
    "with_preceding_rounds",
]

RECHECKED_ROUNDS_MAX = 1_000
"""Number of earlier rounds beyond which a complete run is cheaper."""
ROUNDS_SEARCHED_AT_ONCE = 20
"""Number of rounds of a table that are searched at once for the last valid spin."""
ROUND_END_EVENTS = ("RoundResulted", "RoundVoided")
WHEEL_EVENTS = ("RoundOpened", "WheelSpun", "SpinDeclaredInvalid", "BallLanded", "WheelStopped")


@dataclass(frozen=True, slots=True)
class PreviousReconciliation:
    """An earlier reconciliation: its number of messages, and the rounds of its findings."""

    until: int
    rounds: frozenset[str]


class RoundsToRecheck(NamedTuple):
    """Earlier rounds to check again, and the rounds before them at a wheel, which are only read."""

    rounds: frozenset[str]
    before: frozenset[str]


def rounds_to_recheck(
    store: Store, earlier: PreviousReconciliation, size: int
) -> RoundsToRecheck | None:
    """Return the earlier rounds to check again; None if they are too many."""
    tables = tables_of_rounds(store)
    if not tables:
        return RoundsToRecheck(frozenset(), frozenset())
    of_rounds = "SELECT DISTINCT round FROM merge(currentDatabase(), {tables:String})"
    rows = store.rows(
        f"{of_rounds} WHERE position < {{until:Int64}} AND round IN "
        f"({of_rounds} WHERE position >= {{until:Int64}} AND position < {{size:Int64}}) "
        f"LIMIT {RECHECKED_ROUNDS_MAX + 1}",
        tables=any_of(tables),
        until=earlier.until,
        size=size,
    )
    carried = {str(row["round"]) for row in rows} | earlier.rounds
    return with_preceding_rounds(store, earlier.until, size, carried)


def with_preceding_rounds(
    store: Store, until: int, size: int, rounds: set[str]
) -> RoundsToRecheck | None:
    """Add the preceding rounds at the same wheels; None if there are too many rounds."""
    if len(rounds) > RECHECKED_ROUNDS_MAX:
        return None
    before = _preceding_rounds(store, until, size, rounds) - rounds
    return RoundsToRecheck(frozenset(rounds), frozenset(before))


def tables_of_rounds(store: Store) -> list[str]:
    """Return the tables of events that have a field ``round`` and at least one row."""
    return [
        name
        for name in event_tables(store)
        if any(fact["name"] == "round" for fact in schemas.newest()[name].facts)
    ]


def _preceding_rounds(store: Store, until: int, size: int, carried: Iterable[str]) -> set[str]:
    """Return the rounds whose spins directly preceded those of the given rounds."""
    if not store.value("SELECT count() FROM WheelSpun"):
        return set()
    rows = store.rows(
        """
        SELECT table, position, [game] AS games
        FROM RoundOpened
        WHERE position < {until:Int64} AND round IN {carried:Array(String)}
        UNION ALL
        SELECT table, {until:Int64}, groupUniqArray(game)
        FROM RoundOpened
        WHERE position >= {until:Int64} AND position < {size:Int64}
        GROUP BY table""",
        until=until,
        size=size,
        carried=sorted(carried),
    )
    return {
        name
        for row in rows
        if any(map(_may_spin, row["games"]))
        for name in _spun_before(store, row["table"], int(row["position"]))
    }


def _may_spin(game: str) -> bool:
    """Return whether rounds of a game may have a spin; true for an unknown game."""
    if game not in games.games():
        return True
    return any(isinstance(plan, RoulettePlan | WheelPlan) for plan in games.plans_of(game))


def _spun_before(store: Store, table: str, position: int) -> set[str]:
    """Return the round of a table's last valid spin with a result before a position, as a set."""
    while rows := store.rows(
        "SELECT round, position FROM RoundOpened WHERE table = {table:String} "
        "AND position < {position:Int64} ORDER BY position DESC LIMIT {before:Int64}",
        before=ROUNDS_SEARCHED_AT_ONCE,
        table=table,
        position=position,
    ):
        names = [row["round"] for row in rows]
        wanted = dict.fromkeys((*WHEEL_EVENTS, *ROUND_END_EVENTS), "round IN {names:Array(String)}")
        events = read_events(store, wanted, first=0, end=position, names=names)
        if all(at.event.type in {"RoundOpened", *ROUND_END_EVENTS} for at in events):
            return set()  # this table has no wheel
        if last := round_of_last_spin(events):
            return {last}
        position = int(rows[-1]["position"])
    return set()
