"""Results of an earlier examination, reused so that a later one checks fewer rounds (ADR 0043).

What comes in: the tables, and the end of the earlier examination. What goes out: the rounds whose
events changed since then, or whose results can still change, and queries restricted to them. Events
before that end do not change, as the chain's hash there proves; the findings of a round follow from
its own events and from earlier ones. The result ``None`` requires a complete examination: rules
were published that also apply to earlier play, or there are so many rounds that a complete
examination is cheaper.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import schemas
from projections.checks.rounds import Correction  # noqa: TC001 - the same
from projections.findings.finding import DetectedFinding  # noqa: TC001 - msgspec reads the types
from projections.reconciliation.rounds_to_recheck import tables_of_rounds, with_preceding_rounds
from projections.store.as_of import event_types_since
from projections.store.definitions import any_of, inlined, needed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.reconciliation.rounds_to_recheck import RoundsToRecheck
    from projections.store.tables import Store

__all__ = [
    "EarlierResults",
    "changed_rounds",
    "changed_tables",
    "open_rounds",
    "restrict_to_rounds",
    "retained_findings",
]

RETROACTIVE = ("OperatorRulesPublished", "TableOpened")
"""Event types that change the rules for earlier play."""
OPEN = """
SELECT named.round AS round
FROM
(
    SELECT DISTINCT round FROM merge(currentDatabase(), {tables:String})
    WHERE position < {size:Int64} AND position >= {since:Int64}
    UNION DISTINCT
    SELECT arrayJoin({again:Array(String)}) AS round
) AS named
LEFT JOIN
(
    SELECT
        round, countIf(fact = 'opened') AS opened,
        countIf(fact IN ('resulted', 'voided')) AS ended
    FROM facts_of_rounds
    WHERE position < {size:Int64} AND (position >= {since:Int64} OR round IN {again:Array(String)})
    GROUP BY round
) AS facts ON named.round = facts.round
WHERE facts.opened = 0 OR facts.ended = 0"""
BEGUN = """
SELECT DISTINCT round FROM facts_of_rounds
WHERE fact = 'opened' AND position < {until:Int64} AND round IN
(
    SELECT DISTINCT round FROM merge(currentDatabase(), {tables:String})
    WHERE position >= {until:Int64} AND position < {size:Int64}
)"""
IMPRISONED = """
SELECT DISTINCT round FROM BetImprisoned
WHERE position < {until:Int64}
    AND bet NOT IN (SELECT bet FROM PrisonDecided WHERE position < {until:Int64})"""
OPENED_LATE = """
SELECT DISTINCT round FROM facts_of_bets
WHERE position < {until:Int64} AND account IN
    (SELECT account FROM AccountOpened
    WHERE position >= {until:Int64} AND position < {size:Int64})
UNION DISTINCT
SELECT DISTINCT round FROM HandAction
WHERE position < {until:Int64} AND account IN
    (SELECT account FROM AccountOpened
    WHERE position >= {until:Int64} AND position < {size:Int64})"""
AGAIN = "position >= {since:Int64} OR round IN {again:Array(String)}"


@dataclass(frozen=True, slots=True)
class EarlierResults:
    """Results of an examination of the messages below ``until``.

    ``head`` is the hash of the last of them, ``answers`` the findings of each check by its name,
    and ``open`` the rounds without an opening or an end, whose findings may change by events of
    other rounds. ``memory`` is what checks remember themselves.
    """

    until: int
    head: str
    answers: dict[str, tuple[DetectedFinding, ...]]
    corrected: tuple[Correction, ...]
    open: frozenset[str]
    memory: dict[str, Any] = field(default_factory=dict)


def changed_tables(store: Store, first: int, size: int) -> frozenset[str]:
    """Return the tables with rows of the messages from ``first`` on and below ``size``.

    There may be some without among them.
    """
    tables, types = store.tables_with_position(), event_types_since(store, first, size)
    if types is None:
        return frozenset(store.counted(tables, first, size))
    by_views = needed(frozenset(schemas.newest()))
    return frozenset({*needed(types), *store.counted(tables - by_views.keys(), first, size)})


def changed_rounds(
    store: Store, earlier: EarlierResults, size: int, changed: frozenset[str]
) -> RoundsToRecheck | None:
    """Return the earlier rounds to check again; None if all must be checked again.

    ``changed`` are the tables with rows of later messages.
    """
    if not changed.isdisjoint(RETROACTIVE):
        return None
    again, tables = set(earlier.open), changed.intersection(tables_of_rounds(store))
    questions = [
        IMPRISONED,
        *([BEGUN] if tables else []),
        *([OPENED_LATE] if "AccountOpened" in changed else []),
    ]
    for question in questions:
        rows = store.rows(question, until=earlier.until, size=size, tables=any_of(tables))
        again |= {row["round"] for row in rows}
    return with_preceding_rounds(store, earlier.until, size, again)


def open_rounds(
    store: Store,
    size: int,
    earlier: EarlierResults | None,
    again: frozenset[str],
    changed: frozenset[str],
) -> frozenset[str]:
    """Return the rounds without an opening or an end, among the messages below ``size``.

    Args:
        store: the tables.
        size: number of messages that count.
        earlier: results to continue; None: rounds are looked for in all messages.
        again: earlier rounds that may have been opened or ended since.
        changed: the tables with rows of later messages.

    """
    tables = set(tables_of_rounds(store))
    if earlier is not None:
        tables &= changed
    if not tables:
        return frozenset() if earlier is None else earlier.open
    rows = store.rows(
        OPEN,
        size=size,
        since=0 if earlier is None else earlier.until,
        again=sorted(again),
        tables=any_of(tables),
    )
    return frozenset(row["round"] for row in rows)


def restrict_to_rounds(tables: frozenset[str], question: str) -> str:
    """Restrict a query to the rows of tables about the rounds that are checked again.

    The query then also has the parameters ``since`` and ``again``.
    """
    named = re.compile(rf"\b(FROM|JOIN) ({'|'.join(sorted(tables))})\b(?: AS (\w+))?")

    def put(found: re.Match[str]) -> str:
        clause, table, alias = found.groups()
        return f"{clause} (SELECT * FROM {table} WHERE {AGAIN}) AS {alias or table}"  # noqa: S608 - own names

    return named.sub(put, inlined(question))


def retained_findings(
    found: Iterable[DetectedFinding], again: frozenset[str]
) -> list[DetectedFinding]:
    """Return the earlier findings about rounds that are not checked again."""
    return [one for one in found if one.round and one.round not in again]
