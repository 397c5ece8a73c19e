"""Open items by age: their sums are what the books and the statements of each day have as open."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ledger.core.clock import midnight_after
from ledger.events import event_types as e
from projections.books.ageing import AgedItems, open_items
from projections.books.closing import close
from projections.matching.match import match_statements
from projections.store.as_of import size_at
from projections.store.period import read_period
from tests.projections.history_cases import emptied, project
from tests.projections.matching.statement_cases import BANK, Books, Told, day_number, moment, named
from tests.projections.matching.test_matching_properties import (
    ENTRIES,
    MONEY_STATEMENTS,
    PROPERTY,
    record,
)

if TYPE_CHECKING:
    from projections.store.tables import Store

LAST_DAY = 60


@pytest.fixture
def books() -> Books:
    """Books with an account."""
    made = Books()
    made.account("a")
    return made


def aged(store: Store, day: int) -> tuple[AgedItems, ...]:
    """Give the open items as of the end of a day of March 2026."""
    ends = midnight_after(moment(day))
    found = open_items(store, at=size_at(store, ends, store.position), now=ends)
    assert found.day == day_number(day).isoformat()
    return found.items


@PROPERTY
@given(
    entries=ENTRIES,
    drawn=MONEY_STATEMENTS,
    days=st.lists(st.integers(8, LAST_DAY), min_size=2, max_size=4),
)
def test_ages_sum_up_to_what_the_books_of_any_day_have_as_open(
    store: Store,
    entries: list[tuple[Any, ...]],
    drawn: list[tuple[str, str, list[Told]]],
    days: list[int],
) -> None:
    books = Books()
    for account in ("a", "b"):
        books.account(account)
    for number, (kind, day, name, amount, account) in enumerate(
        sorted(entries, key=lambda one: one[1])
    ):
        if kind == "withdrawal":
            asked: dict[str, Any] = {"withdrawal": f"{name}-{number}", "account": account}
            books.at(day, e.WithdrawalRequested(**asked, amount=amount, **BANK))
            if number % 2:
                books.at(day, e.WithdrawalCancelled(**asked, amount=amount, reason="r"))
        record(books, kind, day, name, amount, account)
    for number, (kind, currency, lines) in enumerate(drawn):
        told = [line if kind == "PAYMENTS" else line.but(settlement="") for line in lines]
        books.told(told, issuer=f"i-{number}", kind=kind, currency=currency)
    books.wait(LAST_DAY)
    project(books.chain, emptied(store))
    for day in days:
        ends = midnight_after(moment(day))
        size = size_at(store, ends, store.position)
        trial = close(store, read_period(day_number(day).isoformat())).trial
        closing = {line.account: line.closing for line in trial}
        statements = match_statements(store, at=size, now=ends).statements
        found = aged(store, day)
        for one in found:
            assert one.total == one.days_0_1 + one.days_2_7 + one.days_8_30 + one.older
            assert one.books in {one.total, None}
        of = {one.kind: one.total for one in found}
        assert of.get("withdrawals", 0) == -closing.get("withdrawals", 0)
        assert of.get("claims", 0) == closing.get("claims", 0)
        lines = sum(one.total for one in found if one.kind == "lines")
        assert lines == sum(one.unmatched.amount for one in statements)


@pytest.mark.parametrize(
    ("day", "ages"),
    [
        (10, (500, 0, 0, 0)),
        (11, (500, 0, 0, 0)),
        (12, (0, 500, 0, 0)),
        (17, (0, 500, 0, 0)),
        (18, (0, 0, 500, 0)),
        (40, (0, 0, 500, 0)),
        (41, (0, 0, 0, 500)),
    ],
)
def test_an_item_ages_from_its_day(
    books: Books, store: Store, day: int, ages: tuple[int, ...]
) -> None:
    books.at(10, e.WithdrawalRequested(account="a", withdrawal="w-1", amount=500, **BANK))
    books.wait(LAST_DAY)
    project(books.chain, store)
    (one,) = aged(store, day)
    assert (one.days_0_1, one.days_2_7, one.days_8_30, one.older) == ages
    assert (one.kind, one.items, one.books) == ("withdrawals", 1, 500)


def test_what_is_settled_is_the_oldest_claim(books: Books, store: Store) -> None:
    for day, amount in ((2, 500), (9, 300)):
        name: dict[str, Any] = {"deposit": f"d-{day}", "name_digest": named(f"d-{day}")}
        back: dict[str, Any] = {"account": "a", "amount": amount, "claimed": amount}
        books.at(day, e.DepositReturned(credited=True, reason="r", **name, **back, **BANK))
    books.at(10, e.ClaimSettled(account="a", way="wallet", amount=600, reason="r"))
    books.wait(LAST_DAY)
    project(books.chain, store)
    (claims,) = (one for one in aged(store, 10) if one.kind == "claims")
    assert (claims.days_0_1, claims.total, claims.books) == (200, 200, 200)


def test_a_payment_that_no_statement_shows_is_open(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 500)
    books.deposit(11, "d-2", 700)
    books.told([Told(10, amount=500, reference="d-1"), Told(11, amount=900)])
    books.wait(LAST_DAY)
    project(books.chain, store)
    assert [(one.kind, one.items, one.total) for one in aged(store, 50)] == [
        ("payments", 1, 700),
        ("lines", 1, 900),
    ]


def test_currencies_of_an_issuer_are_not_summed_up(books: Books, store: Store) -> None:
    for currency, amount in (("CZK", 700), ("EUR", 900)):
        books.told([Told(10, amount=amount)], currency=currency, days=(10, 10))
    books.wait(LAST_DAY)
    project(books.chain, store)
    found = [(one.issuer, one.currency, one.total, one.books) for one in aged(store, 50)]
    assert found == [("kb", "CZK", 700, 700), ("kb", "EUR", 900, 900)]
