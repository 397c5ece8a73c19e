"""The imported statements as of a position, and how much of each does not agree with our books.

What comes in: the tables, the number of messages that count, and the moment of the question. What
goes out: a row a statement, those of the newest days first; one that is superseded has no lines
that count.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ledger.core.units import Count, Hundredth
from projections.matching.match import match_statements
from projections.store.as_of import size_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.matching.values import Sums
    from projections.store.tables import Store

__all__ = [
    "StatementRegister",
    "StatementState",
    "foreign_currencies",
    "imported_statements",
    "list_statements",
]

IMPORTED = """
    SELECT
        statement, issuer, issuer_kind, first_day, last_day, number, currency, lines, position,
        superseded_position, gap_days, opens_at_closing, account
    FROM statements(size = {size:Int64}) AS imported
    INNER JOIN
    (
        SELECT statement, JSONExtractString(settings, 'account') AS account
        FROM StatementImported WHERE position < {size:Int64}
    ) AS settings USING (statement)
    ORDER BY last_day DESC, issuer, position DESC
"""

FOREIGN = """
    SELECT DISTINCT statement, currency FROM StatementImported
    WHERE position < {size:Int64} AND currency != 'CZK'
"""


@dataclass(frozen=True, slots=True)
class StatementState:
    """A statement and its state.

    ``unmatched`` are its lines that do not agree with our books, or not yet; ``open_amount`` is the
    sum of these in hundredths of the currency, of a game provider that of their stakes. Both are 0
    of one that is superseded. ``gap_days`` lie between it and the statement before.
    """

    statement: str
    issuer: str
    account: str
    first_day: str
    last_day: str
    currency: str
    lines: Count
    unmatched: Count
    open_amount: Hundredth
    is_superseded: bool
    gap_days: Count
    position: Count


@dataclass(frozen=True, slots=True)
class StatementRegister:
    """All statements below ``position``."""

    position: Count
    statements: tuple[StatementState, ...]


def list_statements(
    store: Store, *, at: int | None = None, now: int | None = None
) -> StatementRegister:
    """Return the imported statements with their state.

    Args:
        store: the tables.
        at: number of messages that count; all projected ones by default.
        now: moment of the question, by default that of the last message.

    Raises:
        InputError: fewer messages are projected.

    """
    size = size_of(store, at)
    matched = {one.statement: one for one in match_statements(store, at=size, now=now).statements}
    found = []
    for row in imported_statements(store, size):
        sums = matched[row["statement"]].unmatched if row["statement"] in matched else None
        found.append(
            StatementState(
                row["statement"],
                row["issuer"],
                row["account"],
                str(row["first_day"]),
                str(row["last_day"]),
                row["currency"],
                row["lines"],
                sums.lines if sums else 0,
                _amount(row, sums),
                row["superseded_position"] != 0,
                row["gap_days"],
                row["position"],
            )
        )
    return StatementRegister(size, tuple(found))


def _amount(row: Mapping[str, Any], sums: Sums | None) -> int:
    if sums is None:
        return 0
    return sums.stake if row["issuer_kind"] == "GAMES" else sums.amount


def imported_statements(store: Store, size: int) -> list[dict[str, Any]]:
    """Return all imported statements, those of the newest days first."""
    return store.rows(IMPORTED, size=size)


def foreign_currencies(store: Store, size: int) -> dict[str, str]:
    """Return the currencies of statements that are not in crowns, by statement."""
    return {row["statement"]: row["currency"] for row in store.rows(FOREIGN, size=size)}
