"""Facts of a round or an account, in the order of the chain, each with its hash.

ClickHouse writes the facts of each event as JSON, so that one query answers for tables of
many shapes. The hash of a message stands in the one behind it, or in the head. Sealed
personal fields are left out.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec

import schemas
from ledger.core import events as e
from projections.facts.telling import in_english
from projections.facts.timing import APART, timing
from projections.store.as_of import event_tables, hashes
from projections.store.events import EventAt, fields_as_json

if TYPE_CHECKING:
    from ledger.core.encoding import Recorded
    from projections.store.as_of import AsOf
    from projections.store.tables import Store

__all__ = ["Fact", "fact_of", "facts_of"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One event in its place.

    ``facts`` are its fields by name, money in haléř and moments in microseconds; ``hash`` is
    that of its message, hexadecimal. ``timing`` says when it happened, and on which side of the
    close of its round, where that differs from the record by more than a moment.
    """

    position: int
    recorded_at: int
    occurred_at: int
    event: str
    sentence: str
    actor: str
    source: str
    hash: str
    facts: dict[str, Any]
    timing: str = ""

    def typed(self) -> EventAt[Any]:
        """Return the event itself; one with sealed fields has none (``ValidationError``)."""
        event = msgspec.convert(self.facts, e.EVENTS[self.event])
        return EventAt(self.position, self.recorded_at, event)


def facts_of(
    store: Store, place: AsOf, *, tag: str, name: str, newest: int | None = None
) -> list[Fact]:
    """Return the facts that name a round or an account.

    Args:
        store: the tables.
        place: messages below its position count.
        tag: ``round`` or ``account``.
        name: which one.
        newest: how many of the last ones; all if it is left out.

    """
    filled = event_tables(store)
    branches = [
        _branch(event, tag, limited=newest is not None)
        for event in _events_with(tag)
        if event in filled
    ]
    if not branches:
        return []
    rows = store.rows(
        "SELECT position, recorded_at, occurred_at, actor, source, event, facts FROM ("  # noqa: S608 - own names
        + " UNION ALL ".join(branches)
        + ") ORDER BY position DESC"
        + (" LIMIT {newest:Int64}" if newest is not None else ""),
        size=place.position,
        name=name,
        newest=newest or 0,
    )
    rows.reverse()
    facts = [json.loads(row["facts"]) for row in rows]
    late = {
        one.get("round", "")
        for row, one in zip(rows, facts, strict=True)
        if abs(row["recorded_at"] - row["occurred_at"]) > APART
    }
    closed_at: dict[str, int] = {}
    if late - {""}:
        closes = store.rows(
            "SELECT round, min(recorded_at) AS closed_at FROM BetsClosed "
            "WHERE position < {size:Int64} AND round IN {rounds:Array(String)} GROUP BY round",
            size=place.position,
            rounds=sorted(late),
        )
        closed_at = {row["round"]: row["closed_at"] for row in closes}
    hash_of = hashes(store, place, [row["position"] for row in rows], filled)
    return [
        _fact(row, one, hash_of[row["position"]], closed_at.get(one.get("round", "")))
        for row, one in zip(rows, facts, strict=True)
    ]


def fact_of(recorded: Recorded, closed_at: int | None) -> Fact:
    """Return a message of the log as a fact; ``closed_at`` is when its round was closed."""
    envelope, event = recorded.envelope, recorded.event
    name = type(event).__name__
    facts = {
        field: list(value) if isinstance(value, tuple) else value
        for field, value in msgspec.structs.asdict(event).items()
        if not isinstance(value, bytes)
    }
    return Fact(
        position=recorded.position,
        recorded_at=envelope.recorded_at,
        occurred_at=envelope.occurred_at,
        event=name,
        sentence=in_english(name, facts),
        actor=envelope.actor,
        source=envelope.source,
        hash=recorded.hash.hex(),
        facts=facts,
        timing=timing(name, envelope.occurred_at, envelope.recorded_at, closed_at),
    )


def _fact(row: dict[str, Any], facts: dict[str, Any], hash_: str, closed_at: int | None) -> Fact:
    return Fact(
        position=row["position"],
        recorded_at=row["recorded_at"],
        occurred_at=row["occurred_at"],
        event=row["event"],
        sentence=in_english(row["event"], facts),
        actor=row["actor"],
        source=row["source"],
        hash=hash_,
        facts=facts,
        timing=timing(row["event"], row["occurred_at"], row["recorded_at"], closed_at),
    )


@cache
def _events_with(tag: str) -> tuple[str, ...]:
    """Name the event types with a field of the name of a tag, or an array that has the tag."""
    return tuple(
        event
        for event, schema in schemas.newest().items()
        if any(_names(fact, tag) for fact in schema.facts)
    )


def _names(fact: dict[str, Any], tag: str) -> bool:
    return bool(fact["name"] == tag or (_is_array(fact) and fact.get("tag") == tag))


def _is_array(fact: dict[str, Any]) -> bool:
    return isinstance(fact["type"], dict) and fact["type"].get("type") == "array"


def _test(fact: dict[str, Any]) -> str:
    column = f"`{fact['name']}`"
    return f"has({column}, {{name:String}})" if _is_array(fact) else f"{column} = {{name:String}}"


@cache
def _branch(event: str, tag: str, *, limited: bool) -> str:
    facts = schemas.newest()[event].facts
    condition = " OR ".join(_test(fact) for fact in facts if _names(fact, tag))
    last = " ORDER BY position DESC LIMIT {newest:Int64}" if limited else ""
    return (
        "(SELECT position, recorded_at, occurred_at, actor, source, "  # noqa: S608 - own names
        f"'{event}' AS event, {fields_as_json(event)} AS facts FROM {event} "
        f"WHERE ({condition}) AND position < {{size:Int64}}{last})"
    )
