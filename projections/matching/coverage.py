"""Determine the days and subjects that the statements in force cover.

An entry of our books can be reported as missing only where a statement covers it. What comes in:
the statements in force. What goes out: spans of days without a gap, for each kind of issuer and
each covered subject: a class, method or system of payment, a table or a game. Consecutive
statements without a gap form one span, even if they are of different issuers. Statements in a
foreign currency cover nothing, because all entries in our books are in crowns.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.store.tables import Store

__all__ = ["EPOCH", "Coverage", "spans_of", "statement_coverage"]

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
"""Kind of issuer, covered subject, first and last day (counted from 1970-01-01). For game providers
the finest level of the report (``bet``, ``round`` or ``total``) stands for the kind of issuer."""


class Coverage(NamedTuple):
    """Coverage by the statements in force.

    ``spans`` are the covered days, ``places`` the kinds of issuers (or levels of game reports) that
    have a statement, ``periods`` the first and last day of each statement by its name, ``subjects``
    what its issuer covers.
    """

    spans: tuple[Span, ...]
    places: frozenset[str]
    periods: dict[str, tuple[int, int]]
    subjects: dict[str, frozenset[str]]


def statement_coverage(store: Store, size: int) -> Coverage:
    """Return the coverage by the statements in force, from the messages below position ``size``."""
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
    subjects = {row["statement"]: frozenset(row["covers"] or tables[row["issuer"]]) for row in rows}
    days = [
        (places[row["statement"]], key, *periods[row["statement"]])
        for row in rows
        if row["is_ours"]
        for key in subjects[row["statement"]]
    ]
    return Coverage(spans_of(days), frozenset(places.values()), periods, subjects)


def spans_of(days: Iterable[Span]) -> tuple[Span, ...]:
    """Merge spans of the same subject that touch or overlap."""
    found: list[Span] = []
    for place, key, first, last in sorted(days):
        if found and found[-1][:2] == (place, key) and first <= found[-1][3] + 1:
            found[-1] = (place, key, found[-1][2], max(last, found[-1][3]))
        else:
            found.append((place, key, first, last))
    return tuple(found)


def _number(day: date) -> int:
    return (day - EPOCH).days
