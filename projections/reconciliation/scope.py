"""The rounds that must be settled again after an earlier reconciliation.

What comes in: the end of the earlier one, and the rounds of its findings. What goes out: the
earlier rounds to settle again. A round is settled by its own facts, by the limits and the plan
before its opening and by the previous direction of the wheel. So these are the rounds with a new
fact or a finding, and those before them at a wheel. Rounds that begin later are all settled. All
other questions are put to the whole chain each time: they are sets, of which a part costs as much
as all, and time alone changes their answers.
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

__all__ = ["Carried", "Earlier", "carried_rounds", "tables_of_rounds", "with_those_before"]

CARRIED_MAX = 1_000
"""Earlier rounds beyond which all are checked again, which then costs less."""
BEFORE = 20
"""Rounds of a table that are searched at once for the last valid spin."""
ENDS = ("RoundResulted", "RoundVoided")
WHEEL = ("RoundOpened", "WheelSpun", "SpinDeclaredInvalid", "BallLanded", "WheelStopped")


@dataclass(frozen=True, slots=True)
class Earlier:
    """An earlier reconciliation: its number of messages, and the rounds of its findings."""

    until: int
    rounds: frozenset[str]


class Carried(NamedTuple):
    """Earlier rounds to check again, and those before them at a wheel, which are read with them."""

    rounds: frozenset[str]
    before: frozenset[str]


def carried_rounds(store: Store, earlier: Earlier, size: int) -> Carried | None:
    """Return the earlier rounds to check again; None if they are too many."""
    tables = tables_of_rounds(store)
    if not tables:
        return Carried(frozenset(), frozenset())
    of_rounds = "SELECT DISTINCT round FROM merge(currentDatabase(), {tables:String})"
    rows = store.rows(
        f"{of_rounds} WHERE position < {{until:Int64}} AND round IN "
        f"({of_rounds} WHERE position >= {{until:Int64}} AND position < {{size:Int64}}) "
        f"LIMIT {CARRIED_MAX + 1}",
        tables=any_of(tables),
        until=earlier.until,
        size=size,
    )
    carried = {str(row["round"]) for row in rows} | earlier.rounds
    return with_those_before(store, earlier.until, size, carried)


def with_those_before(store: Store, until: int, size: int, rounds: set[str]) -> Carried | None:
    """Add the rounds before them at a wheel; None if they are too many."""
    if len(rounds) > CARRIED_MAX:
        return None
    before = _turned_before(store, until, size, rounds) - rounds
    return Carried(frozenset(rounds), frozenset(before))


def tables_of_rounds(store: Store) -> list[str]:
    """Return the tables of events that name a round, and have rows."""
    return [
        name
        for name in event_tables(store)
        if any(fact["name"] == "round" for fact in schemas.newest()[name].facts)
    ]


def _turned_before(store: Store, until: int, size: int, carried: Iterable[str]) -> set[str]:
    """Return the rounds whose spins preceded those of the rounds that are checked again."""
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
    """Return whether a round of a game may have a spin; so may one of an unknown game."""
    if game not in games.games():
        return True
    return any(isinstance(plan, RoulettePlan | WheelPlan) for plan in games.plans_of(game))


def _spun_before(store: Store, table: str, position: int) -> set[str]:
    """Return the round with a table's last valid spin for a result before a position."""
    while rows := store.rows(
        "SELECT round, position FROM RoundOpened WHERE table = {table:String} "
        "AND position < {position:Int64} ORDER BY position DESC LIMIT {before:Int64}",
        before=BEFORE,
        table=table,
        position=position,
    ):
        names = [row["round"] for row in rows]
        wanted = dict.fromkeys((*WHEEL, *ENDS), "round IN {names:Array(String)}")
        events = read_events(store, wanted, first=0, end=position, names=names)
        if all(at.event.type in {"RoundOpened", *ENDS} for at in events):
            return set()  # no wheel stands at this table
        if last := round_of_last_spin(events):
            return {last}
        position = int(rows[-1]["position"])
    return set()
