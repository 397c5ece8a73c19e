"""Which days the statements in force cover, and for what: only there can a line be missed.

What comes in: the statements in force. What goes out: spans of days without a gap, for each kind
of issuer and each thing it answers for: a class, method or system of payment, a table or a game.
Statements that follow each other without a gap are one span, whichever issuer they are of. Those
of another currency answer for nothing, as all entries of ours are in crowns.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.tables import Store

__all__ = ["EPOCH", "Covering", "covering", "spans_of"]

EPOCH = date(1970, 1, 1)

IN_FORCE = """
SELECT statement, issuer, issuer_kind, covers, first_day, last_day,
    currency = 'CZK' AS is_ours
FROM statements(size = {size:Int64})
WHERE superseded_position = 0"""

REPORTS = """
SELECT
    statement, groupUniqArrayIf(table, table != '') AS tables,
    multiIf(countIf(kind = 'bet') > 0, 'bet', countIf(kind = 'round') > 0, 'round', 'total')
        AS level
FROM statement_lines
WHERE issuer_kind = 'GAMES' AND position < {size:Int64}
GROUP BY statement"""

Span = tuple[str, str, int, int]
"""Where it is looked for, what is answered for, first and last day. The first is the kind of
issuer; of games it is what the report tells at its finest: bet, round or total."""


class Covering(NamedTuple):
    """What the statements in force cover, where to look, and the days of each statement."""

    spans: tuple[Span, ...]
    places: frozenset[str]
    periods: dict[str, tuple[int, int]]


def covering(store: Store, size: int) -> Covering:
    """Find what the statements in force with messages below ``size`` cover."""
    rows = store.rows(IN_FORCE, size=size)
    places = {row["statement"]: row["issuer_kind"] for row in rows}
    tables = defaultdict[str, set[str]](set)
    if "GAMES" in places.values():
        places = {name: "bet" if kind == "GAMES" else kind for name, kind in places.items()}
        issuers = {row["statement"]: row["issuer"] for row in rows}
        for row in store.rows(REPORTS, size=size):
            if row["statement"] in issuers:
                places[row["statement"]] = row["level"]
                tables[issuers[row["statement"]]].update(row["tables"])
    periods = {
        row["statement"]: (_number(row["first_day"]), _number(row["last_day"])) for row in rows
    }
    days = [
        (places[row["statement"]], key, *periods[row["statement"]])
        for row in rows
        if row["is_ours"]
        for key in row["covers"] or tables[row["issuer"]]
    ]
    return Covering(spans_of(days), frozenset(places.values()), periods)


def spans_of(days: Iterable[Span]) -> tuple[Span, ...]:
    """Put spans that touch or overlap together."""
    found: list[Span] = []
    for place, key, first, last in sorted(days):
        if found and found[-1][:2] == (place, key) and first <= found[-1][3] + 1:
            found[-1] = (place, key, found[-1][2], max(last, found[-1][3]))
        else:
            found.append((place, key, first, last))
    return tuple(found)


def _number(day: date) -> int:
    return (day - EPOCH).days
