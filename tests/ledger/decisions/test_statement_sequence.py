"""Which statement follows another: balances, days and numbers decide."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ledger.decisions.statement_sequence import SequencedStatement

FIRST = SequencedStatement("a", date(2026, 11, 1), date(2026, 11, 7), "41", 100, 250)
NEXT = SequencedStatement("b", date(2026, 11, 7), date(2026, 11, 14), "42", 250, 300)


@pytest.mark.parametrize(
    ("first", "following", "is_followed"),
    [
        ({}, {}, True),
        ({}, {"number": "40"}, False),
        ({}, {"number": "41"}, False),
        ({"number": ""}, {"number": ""}, True),
        ({"number": "41/A"}, {"number": "40"}, True),
        ({"number": "41"}, {"number": "40/A"}, True),
        ({"number": "41/A"}, {"number": "41/A"}, False),
        ({"number": "52"}, {"number": "1", "last_day": date(2027, 1, 2)}, True),
        ({"closing": None}, {"opening": None}, False),
        ({}, {"opening": 251}, False),
        ({}, {"first_day": date(2026, 10, 31)}, False),
        ({}, {"last_day": date(2026, 11, 6)}, False),
        ({}, {"first_day": date(2026, 11, 1), "last_day": date(2026, 11, 7)}, True),
        ({}, {"closing": 250}, True),
        ({"opening": 250}, {}, True),
        ({}, {"closing": 250, "number": "43"}, False),
        ({"opening": 250}, {"number": "43"}, False),
        ({"number": ""}, {"number": "", "closing": 250}, False),
        ({"number": "41/A"}, {"number": "42/A", "closing": 250}, False),
        ({"number": ""}, {"number": "", "closing": 250, "first_day": date(2026, 11, 8)}, True),
        ({"number": "52"}, {"number": "1", "closing": 250, "last_day": date(2027, 1, 2)}, True),
        ({"number": "52"}, {"number": "2", "closing": 250, "last_day": date(2027, 1, 2)}, False),
    ],
)
def test_a_statement_is_followed_by_what_begins_where_it_ends(
    first: dict[str, Any], following: dict[str, Any], is_followed: bool
) -> None:
    assert FIRST._replace(**first).is_followed_by(NEXT._replace(**following)) is is_followed


@pytest.mark.parametrize(
    ("first_day", "last_day", "overlaps"),
    [(7, 9, True), (8, 9, False), (1, 1, True), (3, 4, True)],
)
def test_statements_overlap_that_share_a_day(first_day: int, last_day: int, overlaps: bool) -> None:
    other = NEXT._replace(first_day=date(2026, 11, first_day), last_day=date(2026, 11, last_day))
    assert FIRST.overlaps(other) is overlaps
    assert other.overlaps(FIRST) is overlaps


@pytest.mark.parametrize(
    ("facts", "repeats"),
    [
        ({"number": "41"}, True),
        ({"number": "42", "opening": 100, "closing": 250}, False),
        ({"number": "", "opening": 100, "closing": 250}, True),
        ({"number": "", "opening": 100}, False),
        ({"number": "41/A", "opening": 100, "closing": 250}, True),
        ({"number": "41/A"}, False),
    ],
)
def test_a_repeat_has_the_number_or_without_a_counted_one_both_balances(
    facts: dict[str, Any], repeats: bool
) -> None:
    assert FIRST.repeats(NEXT._replace(**facts)) is repeats
