"""What statements say otherwise, as findings of reconciliation with both sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import HOUR
from projections.findings.finding import Side
from projections.reconciliation.checks import python_checks
from projections.reconciliation.reconcile import reconcile
from tests.projections.history_cases import project
from tests.projections.matching.statement_cases import Books, Told, moment

if TYPE_CHECKING:
    from projections.findings.finding import Finding
    from projections.store.tables import Store

(CODES,) = (one.codes for one in python_checks() if "NOT_IN_BOOKS" in one.codes)
GAMES = {"issuer": "evolution", "kind": "GAMES"}


def of_outside(books: Books, store: Store) -> list[Finding]:
    project(books.chain, store)
    return [one for one in reconcile(store, only=CODES) if one.ours or one.theirs]


def test_both_sides_are_told(books: Books, store: Store) -> None:
    ours = books.deposit(10, "d-1", 50_000)
    line = Told(11, amount=49_000, reference="d-1", their_reference="b-1")
    name = books.told([Told(9, "fee", amount=-5), line])
    (one,) = of_outside(books, store)
    assert (one.code, one.amount, one.account, one.position) == ("AMOUNT_DIFFERS", 1_000, "a", ours)
    assert one.sentence == "A statement and our books differ by 10.00 CZK: kb, d-1."
    assert one.ours == Side("d-1", 50_000, at=moment(10) - 7, position=ours)
    recorded = ours + 1
    midnight = moment(10, 23 * HOUR)
    assert one.theirs == Side("b-1", 49_000, at=midnight, position=recorded, statement=name, line=2)


def test_a_side_that_has_nothing_is_left_out(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told([Told(11, amount=49_000, their_reference="b-1")])
    here, there = sorted(of_outside(books, store), key=lambda one: one.code)
    assert (here.code, here.ours) == ("NOT_IN_BOOKS", None)
    assert (there.code, there.theirs) == ("NOT_IN_STATEMENT", None)


def test_the_figure_that_differs_is_the_amount_of_both_sides(books: Books, store: Store) -> None:
    books.round(10, "r")
    books.bet(10, "r-1", 10_000, 20_050)
    books.told([Told(10, "bet", bet="r-1", stake=10_000, paid=20_000, table="t")], **GAMES)
    (one,) = of_outside(books, store)
    assert (one.code, one.amount, one.bet, one.round) == ("AMOUNT_ROUNDED", 50, "r-1", "r")
    assert one.ours is not None
    assert one.theirs is not None
    assert (one.ours.amount, one.theirs.amount) == (20_050, 20_000)


def test_what_is_double_has_its_own_amount(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told([Told(10, amount=50_000, reference="d-1", their_reference=n) for n in "ab"])
    (one,) = of_outside(books, store)
    assert (one.code, one.amount) == ("LINE_DOUBLE", 50_000)
    assert one.sentence == "A statement has 500.00 CZK once more: kb, d-1."


@pytest.mark.parametrize(
    ("known", "codes"),
    [("", ["NOT_IN_BOOKS"] * 3), ("d-1", ["LINE_DOUBLE"] * 2)],
)
def test_each_line_has_a_finding_of_its_own_whatever_its_number(
    books: Books, store: Store, known: str, codes: list[str]
) -> None:
    if known:
        books.deposit(10, known, 50_000)
    line = Told(10, amount=50_000, reference=known or "x", their_reference="0")
    books.told([line] * 3)
    books.wait(40)
    found = of_outside(books, store)
    assert [one.code for one in found] == codes
    assert len({one.identity for one in found}) == len(codes)


@pytest.mark.parametrize(
    ("lines", "code", "amount"),
    [
        ([Told(10, "bet", bet="x", paid=700)], "NOT_IN_BOOKS", 700),
        ([Told(10, "bet", bet="x", stake=500, paid=700)], "NOT_IN_BOOKS", 500),
        ([Told(10, "total", table="t", stake=10_000, paid=20_000)], "TOTAL_DIFFERS", 50),
        ([Told(10, "total", table="t", stake=9_000, paid=20_000)], "TOTAL_DIFFERS", 1_000),
        (
            [
                Told(10, "bet", bet="r-1", stake=10_000, paid=20_050),
                Told(10, "bet", bet="r-1", paid=5),
            ],
            "LINE_DOUBLE",
            5,
        ),
    ],
)
def test_the_amount_of_a_finding_about_play_is_the_one_in_question(
    books: Books, store: Store, lines: list[Told], code: str, amount: int
) -> None:
    books.round(10, "r")
    books.bet(10, "r-1", 10_000, 20_050)
    books.told(lines, covers=("none",), **GAMES)
    (one,) = of_outside(books, store)
    assert (one.code, one.amount) == (code, amount)


def test_a_payout_of_less_is_shown_as_a_total(books: Books, store: Store) -> None:
    """Its difference is written off of no line, because that of no line is wrong."""
    paid = [
        Told(10, "chargeback", amount=500, reference="x", settlement="p-1"),
        Told(11, "settlement", amount=-400, settlement="p-1"),
    ]
    name = books.told(paid, issuer="pay", kind="PAYMENTS")
    books.wait(40)
    (one,) = (one for one in of_outside(books, store) if one.code == "TOTAL_DIFFERS")
    assert (one.amount, one.sentence) == (
        100, "A total differs by 1.00 CZK from what it has to sum up: pay, p-1.",
    )  # fmt: skip
    assert one.theirs is not None
    assert (one.theirs.statement, one.theirs.line, one.theirs.amount) == (name, 0, -400)


def test_a_corrected_file_that_says_the_same_is_the_same_finding(
    books: Books, store: Store
) -> None:
    line = Told(11, amount=49_000, their_reference="b-1")
    books.deposit(10, "d-1", 50_000)
    wrong = books.told([line, Told(12, amount=1)])
    before = {one.identity for one in of_outside(books, store) if one.code == "NOT_IN_BOOKS"}
    books.told([line], on=33, supersedes=(wrong,))
    after = {one.identity for one in of_outside(books, store)}
    assert len(before) == 2
    assert len(after - before) == 1  # d-1, which is in no statement
    assert len(after & before) == 1
