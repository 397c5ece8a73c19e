"""One field for any identifier: what in the chain has that name.

What comes in: a position, a hash, or a name of anything that has a tag: round, bet, account,
session, payment and so on. What goes out: each kind of thing of that name with its first position.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.log.port import Query, events_at
from projections.store.as_of import event_tables

if TYPE_CHECKING:
    from tools.access.query_context import QueryContext

__all__ = ["Found", "is_of_log", "search"]

TAGS = (
    *("round", "account", "bet", "session", "deposit", "withdrawal", "fee", "case", "tournament"),
    *("table", "shoe", "game", "person", "series", "place", "hold", "key", "finding"),
)
POSITION = re.compile(r"\d{1,15}", re.ASCII)
HASH = re.compile(r"[0-9a-fA-F]{64}")
PAGES = {
    "round": "/rounds/",
    "account": "/accounts/",
    "case": "/cases/",
    "finding": "/findings/",
    "tournament": "/tournaments/",
}


@dataclass(frozen=True, slots=True)
class Found:
    """Something of that name: its kind, its first position, and where it is shown."""

    kind: str
    name: str
    position: int
    address: str


def search(context: QueryContext, text: str) -> tuple[Found, ...]:
    """Find what has a name and the reader may see."""
    name = text.strip()
    found = []
    if POSITION.fullmatch(name) and int(name) < context.size:
        found.append(_event(int(name)))
    if HASH.fullmatch(name):
        found += [_event(position) for position in _of_hash(context, name.lower())]
    for tag in TAGS:
        query = Query(tags=(f"{tag}:{name}",))
        for recorded in events_at(
            context.log, context.log.find(query, before=context.size, limit=1)
        ):
            if context.may_read(type(recorded.event).__name__):
                found.append(Found(tag, name, recorded.position, _address(tag, name)))
    return tuple(found)


def is_of_log(text: str) -> bool:
    """Return whether the log alone answers; for a hash the tables are looked through."""
    return HASH.fullmatch(text.strip()) is None


def _event(position: int) -> Found:
    return Found("event", str(position), position, f"/events/{position}")


def _address(tag: str, name: str) -> str:
    return PAGES[tag] + name if tag in PAGES else f"/events?tag={tag}:{name}"


def _of_hash(context: QueryContext, digest: str) -> list[int]:
    """Find the message of a hash: the next one says it, and the head is that of the last."""
    if digest == context.place.head:
        return [context.size - 1]
    tables = "|".join(event_tables(context.store))
    rows = context.store.rows(
        f"SELECT position FROM merge(currentDatabase(), '^({tables})$') "  # noqa: S608 - own tables
        "WHERE previous_hash = unhex({digest:String}) AND position < {size:Int64}",
        digest=digest,
        size=context.size,
    )
    return [row["position"] - 1 for row in rows if row["position"]]
