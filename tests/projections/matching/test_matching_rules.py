"""Rules of matching by day: windows, tolerance and amounts, with their author in the finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.matching.match import matched_statements
from tests.projections.matching.statement_cases import Books, Told
from tests.projections.matching.test_matching_money import found, standing
from tests.projections.matching.test_outside_findings import of_outside

if TYPE_CHECKING:
    from projections.store.tables import Store


def test_a_line_is_matched_by_the_rules_of_its_day(books: Books, store: Store) -> None:
    books.rules(20, bank_days=1)
    for day in (10, 20):
        books.deposit(day, f"d-{day}", 50_000)
    name = books.told([Told(day + 3, amount=50_000, reference=f"d-{day}") for day in (10, 20)])
    assert found(books, store) == [("BOOKED_LATE", "d-20", "d-20")]
    assert standing(store, name) == {"by_reference": (1, 50_000), "BOOKED_LATE": (1, 50_000)}


def test_a_new_rule_leaves_what_earlier_days_were_matched_by(books: Books, store: Store) -> None:
    first = books.rules(10, bank_days=3)
    last = books.rules(10, bank_days=7, by="treasury")
    books.rules(20, bank_days=0)
    books.deposit(9, "d-9", 50_000)
    books.deposit(10, "d-10", 60_000)
    name = books.told([Told(15, amount=50_000), Told(17, amount=60_000)])
    assert found(books, store) == []
    assert standing(store, name) == {"by_amount": (2, 110_000)}
    (one,) = matched_statements(store)
    assert [(rules.position, rules.by) for rules in one.rules][:1] == [(last, "treasury")]
    assert first not in {rules.position for rules in one.rules}
    assert len(one.rules) == 2


def test_a_tolerated_difference_stays_open_alone(books: Books, store: Store) -> None:
    position = books.rules(5, tolerance=50)
    books.deposit(10, "d-1", 50_000)
    books.deposit(10, "d-2", 50_000)
    books.deposit(4, "d-0", 50_000)
    lines = [
        Told(11, amount=49_950, reference="d-1"),
        Told(11, amount=49_949, reference="d-2"),
        Told(4, amount=49_950, reference="d-0"),
    ]
    name = books.told(lines)
    assert found(books, store) == [
        ("AMOUNT_DIFFERS", "d-0", "d-0"),
        ("AMOUNT_DIFFERS", "d-2", "d-2"),
        ("AMOUNT_TOLERATED", "d-1", "d-1"),
    ]
    assert standing(store, name) == {
        "within_tolerance": (0, 50_000),
        "AMOUNT_TOLERATED": (1, -50),
        "AMOUNT_DIFFERS": (2, 99_899),
    }
    (one,) = [each for each in of_outside(books, store) if each.code == "AMOUNT_TOLERATED"]
    assert one.amount == 50
    assert one.sentence == (
        "A statement and our books differ by 0.50 CZK, which is tolerated: kb, d-1, by the rules "
        f"from 2026-03-05 of finance, position {position}."
    )


def test_a_line_that_is_within_the_tolerance_does_not_wait(books: Books, store: Store) -> None:
    books.rules(5, tolerance=50)
    books.deposit(10, "d-1", 50_000)
    name = books.told([Told(10, amount=49_950, reference="d-1")], days=(8, 10))
    assert found(books, store) == [("AMOUNT_TOLERATED", "d-1", "d-1")]
    assert standing(store, name)["within_tolerance"] == (0, 50_000)


def test_an_amount_alone_matches_nothing_where_the_rules_ask_for_a_reference(
    books: Books, store: Store
) -> None:
    books.rules(10, by_amount=False)
    for day in (9, 10):
        books.deposit(day, f"d-{day}", 50_000)
    lines = [
        Told(day, amount=50_000, variable_symbol="a", their_reference=f"b-{day}") for day in (9, 10)
    ]
    books.told(lines)
    assert found(books, store) == [
        ("NOT_IN_BOOKS", "", "b-10"),
        ("NOT_IN_STATEMENT", "d-10", ""),
    ]
