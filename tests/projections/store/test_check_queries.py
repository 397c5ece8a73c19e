"""Queries of checks combined into one: the rows are those of each query with its code."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from projections.store.check_queries import COLUMNS, combined

if TYPE_CHECKING:
    from projections.store.tables import Store

PART = """WITH bets AS
(
    SELECT
        number AS position, toString(intDiv(number, 3)) AS account, 'r' AS round,
        toString(number) AS bet, number * 10 AS stake
    FROM numbers(20)
)
"""
FIRST = """SELECT
    position, account, round, bet, stake AS amount, concat(bet, ', ', account) AS detail
FROM bets
WHERE stake > 40 AND account IN ('1', '2') OR stake = 0"""
SECOND = """SELECT
    if(stake > 100, position, 0) AS position, '' AS account, round, bet,
    intDiv(stake, 2) AS amount, '' AS detail
FROM bets
WHERE bet != '3'"""
GROUPED = """SELECT
    min(bets.position) AS position, account, '' AS round, '' AS bet, sum(stake) AS amount,
    'a, b' AS detail
FROM bets
WHERE stake > 0
GROUP BY account"""
JOINED = """WITH others AS
(
    SELECT '4' AS other
)
SELECT position, account, round, bet, stake AS amount, '' AS detail
FROM bets
INNER JOIN others ON bets.bet = others.other
WHERE stake > 0"""
CHECKS = {"A": FIRST, "B": SECOND, "C": GROUPED, "D": JOINED}


@pytest.mark.parametrize("codes", ["AB", "ABCD", "A", "CD", "BC"])
def test_a_combined_query_has_the_rows_of_each_query(store: Store, codes: str) -> None:
    queries = {code: CHECKS[code] for code in codes}
    found = store.rows(PART + combined(queries, has_parts=False))
    assert all(list(row) == ["code", *COLUMNS] for row in found)
    due = [{"code": code, **row} for code, query in queries.items() for row in _rows(store, query)]
    assert sorted(map(repr, found)) == sorted(map(repr, due))
    assert due


def _rows(store: Store, query: str) -> list[dict[str, object]]:
    return store.rows(f"{PART}SELECT * FROM ({query})")  # noqa: S608 - own query


def test_a_part_is_read_once_for_the_checks_that_select_its_rows() -> None:
    assert combined(CHECKS, has_parts=False).count("FROM bets") == len(CHECKS) - 1
