"""Read events from the tables: typed, and in the order of the chain.

ClickHouse writes the fields of each event as JSON, so that one query can read tables of different
columns. Encrypted personal fields are left out.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

import schemas
from ledger.core.decoders import decoder_of
from ledger.events import event_types as e
from projections.store.as_of import event_tables

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from projections.store.tables import Store

__all__ = ["STEP", "EventAt", "read_events", "read_steps"]

STEP = 50_000
"""Number of positions that are read at once, so that memory does not grow with the log."""

E_co = TypeVar("E_co", bound=e.Event, covariant=True)


class EventAt(NamedTuple, Generic[E_co]):
    """An event with its position; ``recorded_at`` is in microseconds."""

    position: int
    recorded_at: int
    event: E_co


def read_events(
    store: Store, wanted: Mapping[str, str], *, first: int, end: int, **parameters: Any
) -> list[EventAt[Any]]:
    """Read the events of a range of positions, in the order of the chain.

    The query names only tables that have rows: planning takes time for each of them.

    Args:
        store: the tables.
        wanted: event types, each with an SQL condition for its rows; empty for all rows.
        first: first position.
        end: position after the last one.
        parameters: query parameters of the conditions.

    """
    filled = wanted.keys() & event_tables(store)
    if not filled:
        return []
    branches = (
        f"SELECT position, recorded_at, '{kind}' AS event, {_fields_as_json(kind)} AS facts "  # noqa: S608 - own names
        f"FROM {kind} WHERE position >= {{first:Int64}} AND position < {{end:Int64}}"
        + (f" AND {condition}" if condition else "")
        for kind, condition in wanted.items()
        if kind in filled
    )
    rows = store.rows(
        f"SELECT position, recorded_at, event, facts FROM ({' UNION ALL '.join(branches)}) "  # noqa: S608 - own names
        "ORDER BY position",
        first=first,
        end=end,
        **parameters,
    )
    return [
        EventAt(
            row["position"],
            row["recorded_at"],
            decoder_of(e.EVENTS[row["event"]]).json(row["facts"]),
        )
        for row in rows
    ]


def read_steps(
    store: Store,
    wanted: Mapping[str, str],
    *,
    size: int,
    since: int = 0,
    rounds: Collection[str] = (),
) -> Iterator[tuple[int, list[EventAt[Any]]]]:
    """Read events below ``size`` in the order of the chain, in steps that bound the memory.

    Yields the position after each step, and its events. Of the events before ``since``, only those
    of ``rounds`` are read, in one step.
    """
    if since and rounds:
        is_of_them = "round IN {rounds:Array(String)}"
        of_rounds = {
            kind: f"({condition}) AND {is_of_them}" if condition else is_of_them
            for kind, condition in wanted.items()
        }
        yield since, read_events(store, of_rounds, first=0, end=since, rounds=sorted(rounds))
    for first in range(since, size, STEP):
        end = min(first + STEP, size)
        yield end, read_events(store, wanted, first=first, end=end)


@cache
def _fields_as_json(kind: str) -> str:
    """Return SQL that formats the fields of an event as a JSON object, without encrypted fields."""
    columns = (f"`{f['name']}`" for f in schemas.newest()[kind].facts if f["type"] != "bytes")
    return f"formatRow('JSONEachRow', {', '.join(columns)})"
