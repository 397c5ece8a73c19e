"""Search for any identifier in the chain.

Input: a position, a hash, or the name of anything with a tag: round, bet, account, session, payment
and so on. Output: each kind of object with that name, with its first position; if there is none,
objects with similar names.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from projections.reconciliation.numbers import position_of
from projections.store.as_of import event_tables
from tools.access.search_terms import SearchResult

if TYPE_CHECKING:
    from tools.access.query_context import QueryContext

__all__ = ["is_of_log", "search", "similar"]

TAGS = (
    *("round", "account", "bet", "session", "deposit", "withdrawal", "fee", "case", "tournament"),
    *("table", "shoe", "game", "person", "series", "place", "hold", "key", "finding"),
)
POSITION = re.compile(r"0|[1-9]\d{0,14}", re.ASCII)
HASH = re.compile(r"[0-9a-fA-F]{8,64}")
"""A hash, or the beginning of one, as pages show it."""
SUGGESTED = 10
"""Names of a kind that are offered for a beginning of one."""
NAMED = (
    ("round", "RoundOpened"),
    ("account", "AccountOpened"),
    ("bet", "BetPlaced"),
    ("case", "ComplaintFiled"),
    ("tournament", "TournamentAnnounced"),
    ("table", "TableOpened"),
    ("finding", "FindingRaised"),
)
"""Kinds of things whose similar names are found, and the events that bring them into the chain."""
TYPING_ERRORS = 2
"""Letters by which a similar name may differ."""
SIMILAR = """
    SELECT '{kind}' AS kind, {kind} AS name, min(position) AS first FROM {table}
    WHERE position < {{size:Int64}} AND (
        positionCaseInsensitiveUTF8({kind}, {{name:String}}) > 0
        OR editDistance(lower({kind}), lower({{name:String}})) <= {{errors:Int64}})
    GROUP BY name
    ORDER BY startsWith(lower(name), lower({{name:String}})) DESC, name LIMIT {{limit:Int64}}"""
PAGES = {
    "round": "/rounds/",
    "account": "/accounts/",
    "case": "/cases/",
    "finding": "/findings/",
    "tournament": "/tournaments/",
}


def search(context: QueryContext, text: str) -> tuple[SearchResult, ...]:
    """Find the objects with a name that the reader may see."""
    name = text.strip()
    found = []
    if POSITION.fullmatch(name) and int(name) < context.size:
        found.append(_event(int(name)))
    if HASH.fullmatch(name):
        found += [_event(position) for position in _of_hash(context, name.lower())]
    if context.may_read("FindingRaised"):
        found += _of_number(context, name)
    for tag in TAGS:
        query = Query(tags=(f"{tag}:{name}",))
        for recorded in events_at(
            context.log, context.log.find(query, before=context.size, limit=1)
        ):
            if context.may_read(type(recorded.event).__name__):
                round_ = getattr(recorded.event, "round", "") if tag == "bet" else ""
                address = _address("round", round_) if round_ else _address(tag, name)
                found.append(SearchResult(tag, name, recorded.position, address))
    return tuple(found)


def similar(context: QueryContext, text: str) -> tuple[SearchResult, ...]:
    """Find names that contain a text, or differ from it by a few letters, ignoring case."""
    queries = [
        SIMILAR.format(kind=kind, table=table) for kind, table in NAMED if context.may_read(table)
    ]
    if not queries or len(text.strip()) <= TYPING_ERRORS:
        return ()
    rows = context.store.rows(
        " UNION ALL ".join(f"SELECT * FROM ({query})" for query in queries),  # noqa: S608 - own text
        name=text.strip(),
        size=context.size,
        errors=TYPING_ERRORS,
        limit=SUGGESTED,
    )
    return tuple(
        SearchResult(row["kind"], row["name"], row["first"], _address(row["kind"], row["name"]))
        for row in rows
    )


def _of_number(context: QueryContext, number: str) -> list[SearchResult]:
    position = position_of(context.log, number, context.size)
    if position is None:
        return []
    (raised,) = events_at(context.log, [position])
    name = raised.event.finding if isinstance(raised.event, e.FindingRaised) else ""
    return [SearchResult("finding", name, position, _address("finding", name))]


def is_of_log(text: str) -> bool:
    """Return whether the log alone can answer; for a hash the tables are searched."""
    return HASH.fullmatch(text.strip()) is None


def _event(position: int) -> SearchResult:
    return SearchResult("event", str(position), position, f"/events/{position}")


def _address(tag: str, name: str) -> str:
    named = quote(name, safe="")
    return PAGES[tag] + named if tag in PAGES else f"/events?tag={tag}:{named}"


def _of_hash(context: QueryContext, digest: str) -> list[int]:
    """Find messages by a prefix of their hash, as stored in the next message or the head."""
    if context.place.head.startswith(digest):
        return [context.size - 1]
    tables = "|".join(event_tables(context.store))
    rows = context.store.rows(
        f"SELECT position FROM merge(currentDatabase(), '^({tables})$') "  # noqa: S608 - own tables
        "WHERE startsWith(lower(hex(previous_hash)), {digest:String}) AND position < {size:Int64} "
        "LIMIT {limit:Int64}",
        digest=digest,
        size=context.size,
        limit=SUGGESTED,
    )
    return [row["position"] - 1 for row in rows if row["position"]]
