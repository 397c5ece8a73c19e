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

import schemas
from projections.facts.sentences import sentence
from projections.facts.timing import APART, timing
from projections.store.as_of import envelopes, event_tables

if TYPE_CHECKING:
    from projections.store.as_of import AsOf
    from projections.store.tables import Store

__all__ = ["Fact", "facts_of"]


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
    hashes = _hashes(store, place, [row["position"] for row in rows], filled)
    facts = [json.loads(row["facts"]) for row in rows]
    closes = _closes(store, place, rows, facts)
    return [_fact(row, one, hashes, closes) for row, one in zip(rows, facts, strict=True)]


def _closes(
    store: Store, place: AsOf, rows: list[dict[str, Any]], facts: list[dict[str, Any]]
) -> dict[str, int]:
    """Find when the rounds were closed whose facts were not recorded as they happened."""
    rounds = {
        one.get("round", "")
        for row, one in zip(rows, facts, strict=True)
        if abs(row["recorded_at"] - row["occurred_at"]) > APART
    }
    if not rounds - {""}:
        return {}
    found = store.rows(
        "SELECT round, min(recorded_at) AS closed_at FROM BetsClosed "
        "WHERE position < {size:Int64} AND round IN {rounds:Array(String)} GROUP BY round",
        size=place.position,
        rounds=sorted(rounds),
    )
    return {row["round"]: row["closed_at"] for row in found}


def _fact(
    row: dict[str, Any], facts: dict[str, Any], hashes: dict[int, str], closes: dict[str, int]
) -> Fact:
    closed_at = closes.get(facts.get("round", ""))
    return Fact(
        position=row["position"],
        recorded_at=row["recorded_at"],
        occurred_at=row["occurred_at"],
        event=row["event"],
        sentence=sentence(row["event"], facts),
        actor=row["actor"],
        source=row["source"],
        hash=hashes[row["position"]],
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
    columns = ", ".join(f"`{fact['name']}`" for fact in facts if fact["type"] != "bytes")
    condition = " OR ".join(_test(fact) for fact in facts if _names(fact, tag))
    last = " ORDER BY position DESC LIMIT {newest:Int64}" if limited else ""
    return (
        "(SELECT position, recorded_at, occurred_at, actor, source, "  # noqa: S608 - own names
        f"'{event}' AS event, formatRow('JSONEachRow', {columns}) AS facts FROM {event} "
        f"WHERE ({condition}) AND position < {{size:Int64}}{last})"
    )


def _hashes(store: Store, place: AsOf, positions: list[int], tables: list[str]) -> dict[int, str]:
    """Find the hash of each message: what the next one says, or the head."""
    behind = [position + 1 for position in positions if position + 1 < place.position]
    rows = envelopes(store, behind, tables)
    hashes = {row["position"] - 1: row["previous_hash"].hex() for row in rows}
    hashes[place.position - 1] = place.head
    return hashes
