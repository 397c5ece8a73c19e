"""Determine the days and subjects that the statements in force cover.

An entry of our books can be reported as missing only where a statement covers it. What comes in:
the statements in force. What goes out: spans of days without a gap, for each kind of issuer and
each covered subject: a class, method or system of payment, a table or a game. Consecutive
statements without a gap form one span, even if they are of different issuers. Statements in a
foreign currency cover nothing, because all entries in our books are in crowns. Where several
issuers cover one subject, an entry may be in a statement of any of them: days count that all of
them cover, each from its first statement on, and until it has sent none for a while.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date
from itertools import zip_longest
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from projections.store.tables import Store

__all__ = ["EPOCH", "Coverage", "spans_of", "statement_coverage"]

EPOCH = date(1970, 1, 1)
LATE_DAYS = 45
"""Days behind its last statement for which the next one of an issuer is awaited; then it ended."""

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


def statement_coverage(store: Store, size: int, today: int) -> Coverage:
    """Return the coverage by the statements in force, from the messages below position ``size``.

    ``today`` is the day on which further statements are awaited.
    """
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
    days = defaultdict[str, list[Span]](list)
    for row in rows:
        if row["is_ours"]:
            place, period = places[row["statement"]], periods[row["statement"]]
            keys = subjects[row["statement"]]
            days[row["issuer"]] += [(place, key, *period) for key in keys]
    return Coverage(_of_all(days.values(), today), frozenset(places.values()), periods, subjects)


def spans_of(days: Iterable[Span]) -> tuple[Span, ...]:
    """Merge spans of the same subject that touch or overlap."""
    found: list[Span] = []
    for place, key, first, last in sorted(days):
        if found and found[-1][:2] == (place, key) and first <= found[-1][3] + 1:
            found[-1] = (place, key, found[-1][2], max(last, found[-1][3]))
        else:
            found.append((place, key, first, last))
    return tuple(found)


def _of_all(issuers: Iterable[Iterable[Span]], today: int) -> tuple[Span, ...]:
    """Return the spans of several issuers, without the days of which one of them owes a statement.

    These are the days between its spans of a subject, and those behind the last of them, while the
    next one is awaited.
    """
    own = [spans_of(spans) for spans in issuers]
    found = spans_of(span for spans in own for span in spans)
    for spans in own:
        for one, following in zip_longest(spans, spans[1:]):
            until = one[3] if one[3] + LATE_DAYS < today else max(one[3], today)
            if following is not None and following[:2] == one[:2]:
                until = following[2] - 1
            found = tuple(part for span in found for part in _without(span, one, until))
    return found


def _without(span: Span, one: Span, until: int) -> Iterator[Span]:
    """Yield what is left of a span without the days behind another one of its subject."""
    place, key, first, last = span
    if (place, key) != one[:2]:
        yield span
        return
    if first <= (ends := min(last, one[3])):
        yield place, key, first, ends
    if (begins := max(first, until + 1)) <= last:
        yield place, key, begins, last


def _number(day: date) -> int:
    return (day - EPOCH).days
