"""Money in statements against our books: by reference, by amount and day, one to many."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.rules.operator import shipped_rules
from projections.matching.match import differences, matched_statements
from projections.matching.values import LineStatus
from projections.store.as_of import moment_of
from tests.projections.history_cases import project
from tests.projections.matching.statement_cases import CARD, Books, Told

if TYPE_CHECKING:
    from projections.store.tables import Store

FIGURES = shipped_rules()["sazka"].figures
"""Five days at a bank, two at a payment provider."""


def found(books: Books, store: Store) -> list[tuple[str, str, str]]:
    """Give what differs: code, our reference, that of the line; and prove each statement."""
    project(books.chain, store)
    matched_statements(store)
    return sorted(
        (
            one.status.value,
            one.ours[0].reference if one.ours else "",
            " ".join(line.their_reference or line.reference for line in one.theirs),
        )
        for one in differences(store, store.position, moment_of(store, store.position), FIGURES)
    )


def standing(store: Store, statement: str) -> dict[str, tuple[int, int]]:
    """Give lines and amount of a statement by how they stand."""
    (one,) = (each for each in matched_statements(store) if each.statement == statement)
    return {how.value: (sums.lines, sums.amount) for how, sums in one.by_status.items()}


@pytest.mark.law("L-59")
def test_what_names_our_reference_is_matched(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.deposit(11, "d-2", 50_000)
    books.withdrawal(12, "w-1", 20_000)
    name = books.told(
        [
            Told(10, amount=50_000, reference="d-1"),
            Told(12, amount=50_000, end_to_end="d-2"),
            Told(13, amount=-20_000, variable_symbol="w-1"),
            Told(31, "fee", amount=-900),
            Told(31, "interest", amount=12),
        ]
    )
    assert found(books, store) == []
    assert standing(store, name) == {"by_reference": (3, 80_000), "cost": (2, -888)}


def test_a_variable_symbol_has_lost_the_zeros_in_front(books: Books, store: Store) -> None:
    books.deposit(10, "0000000042", 50_000)
    books.deposit(11, "43", 50_000)
    lines = [Told(12, amount=50_000, variable_symbol=symbol) for symbol in ("43", "42")]
    name = books.told(lines)
    assert found(books, store) == []
    assert standing(store, name) == {"by_reference": (2, 100_000)}


def test_what_names_nothing_takes_the_amount_of_the_nearest_day(books: Books, store: Store) -> None:
    for day in (10, 11, 12):
        books.deposit(day, f"d-{day}", 50_000)
    name = books.told(
        [Told(day, amount=50_000, their_reference=f"b-{day}") for day in (10, 12, 20)]
    )
    assert found(books, store) == [
        ("NOT_IN_BOOKS", "", "b-20"),
        ("NOT_IN_STATEMENT", "d-11", ""),
    ]
    assert standing(store, name) == {"by_amount": (2, 100_000), "NOT_IN_BOOKS": (1, 50_000)}


def test_a_line_that_names_an_account_takes_no_other(books: Books, store: Store) -> None:
    books.account("b")
    books.deposit(10, "d-a", 50_000, "a")
    books.deposit(10, "d-b", 50_000, "b")
    books.told(
        [
            Told(10, amount=50_000, variable_symbol="b", their_reference="b-1"),
            Told(10, amount=50_000, variable_symbol="b", their_reference="b-2"),
        ]
    )
    assert found(books, store) == [("NOT_IN_BOOKS", "", "b-2"), ("NOT_IN_STATEMENT", "d-a", "")]


def test_another_amount_of_the_same_account_is_one_finding(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_050)
    books.deposit(12, "d-2", 70_000)
    books.told(
        [
            Told(11, amount=50_000, variable_symbol="a", their_reference="b-1"),
            Told(12, amount=60_000, reference="d-2", their_reference="b-2"),
        ]
    )
    assert found(books, store) == [
        ("AMOUNT_DIFFERS", "d-2", "b-2"),
        ("AMOUNT_ROUNDED", "d-1", "b-1"),
    ]


def test_a_withdrawal_in_two_lines_is_matched_together(books: Books, store: Store) -> None:
    books.withdrawal(10, "w-1", 100_000)
    name = books.told(
        [
            Told(10, amount=-60_000, reference="w-1"),
            Told(11, amount=-40_000, reference="w-1"),
        ]
    )
    assert found(books, store) == []
    assert standing(store, name) == {"together": (2, -100_000)}


def test_half_of_a_withdrawal_waits_for_the_rest(books: Books, store: Store) -> None:
    books.withdrawal(10, "w-1", 100_000)
    half = Told(10, amount=-60_000, reference="w-1", their_reference="b-1")
    name = books.told([half], days=(1, 10), on=11)
    assert found(books, store) == []
    assert standing(store, name) == {"waiting": (1, -60_000)}
    books.wait(20)
    assert found(books, store) == [("AMOUNT_DIFFERS", "w-1", "b-1")]


def test_what_is_matched_already_makes_another_line_a_double(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    name = books.told(
        [
            Told(10, amount=50_000, reference="d-1", their_reference="b-1"),
            Told(12, amount=50_000, reference="d-1", their_reference="b-2"),
        ]
    )
    assert found(books, store) == [("LINE_DOUBLE", "d-1", "b-2")]
    assert standing(store, name) == {"by_reference": (1, 50_000), "LINE_DOUBLE": (1, 50_000)}


@pytest.mark.law("L-59")
def test_a_line_behind_its_window_is_late_and_matched(books: Books, store: Store) -> None:
    books.deposit(10, "in-time", 50_000)
    books.deposit(10, "late", 60_000)
    name = books.told(
        [
            Told(15, amount=50_000, reference="in-time"),
            Told(16, amount=60_000, reference="late", their_reference="b-2"),
        ]
    )
    assert found(books, store) == [("BOOKED_LATE", "late", "b-2")]
    assert standing(store, name) == {"by_reference": (1, 50_000), "BOOKED_LATE": (1, 60_000)}
    (one,) = matched_statements(store)
    assert one.unmatched.lines == 0


@pytest.mark.law("L-59")
def test_money_charged_back_is_found_until_it_is_booked(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told(
        [
            Told(10, amount=50_000, reference="d-1"),
            Told(12, "chargeback", amount=-50_000, reference="d-1", their_reference="b-2"),
        ],
        days=(1, 20),
    )
    assert found(books, store) == [("CHARGED_BACK", "d-1", "b-2")]
    books.returned(22, "d-1", 50_000)
    assert found(books, store) == [("BOOKED_LATE", "d-1", "b-2")]


def test_what_came_against_the_rules_and_went_back_is_on_both_sides(
    books: Books, store: Store
) -> None:
    books.returned(10, "d-1", 50_000, credited=False)
    books.told(
        [Told(10, amount=50_000, reference="d-1"), Told(11, amount=-50_000, reference="d-1")]
    )
    assert found(books, store) == []


@pytest.mark.parametrize("names", [("", ""), ("d-1", ""), ("", "d-1"), ("d-1", "d-1")])
@pytest.mark.parametrize("credited", [True, False])
def test_a_returned_deposit_takes_its_lines_whichever_names_it(
    books: Books, store: Store, names: tuple[str, str], *, credited: bool
) -> None:
    if credited:
        books.deposit(10, "d-1", 50_000)
    books.returned(12, "d-1", 50_000, credited=credited)
    came, went = names
    lines = [Told(10, amount=50_000, reference=came), Told(13, amount=-50_000, reference=went)]
    books.told(lines, covers=("account", "bank"))
    assert found(books, store) == []


def test_a_deposit_that_came_and_went_without_lines_takes_none_of_another(
    books: Books, store: Store
) -> None:
    books.deposit(10, "d-1", 50_000)
    books.returned(10, "d-1", 50_000)
    books.deposit(12, "d-2", 50_000)
    books.told([Told(10, amount=50_000)])
    assert found(books, store) == []


def test_a_deposit_and_a_withdrawal_of_one_name_do_not_cancel_each_other(
    books: Books, store: Store
) -> None:
    books.deposit(10, "7", 50_000)
    books.withdrawal(10, "7", 50_000)
    books.told([])
    assert found(books, store) == 2 * [("NOT_IN_STATEMENT", "7", "")]


@pytest.mark.parametrize(
    ("covered", "is_missed"), [((5, 15), True), ((5, 14), False), ((6, 15), False)]
)
def test_only_what_is_covered_for_its_whole_window_is_missing(
    books: Books, store: Store, covered: tuple[int, int], is_missed: bool
) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told([], days=covered, on=20)
    assert found(books, store) == ([("NOT_IN_STATEMENT", "d-1", "")] if is_missed else [])


def test_statements_without_a_gap_cover_together(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told([], days=(1, 12))
    books.told([], days=(13, 20))
    assert found(books, store) == [("NOT_IN_STATEMENT", "d-1", "")]


@pytest.mark.parametrize(
    ("other", "on", "is_missed"),
    [
        ([(1, 10)], 40, False),
        ([(1, 10)], 56, True),
        ([(1, 31)], 40, True),
        ([(1, 10), (22, 31)], 80, False),
        ([(1, 10), (11, 31)], 40, True),
        ([(28, 31)], 40, True),
        ([(-60, -40)], 40, True),
    ],
)
def test_what_another_account_may_still_tell_is_not_missing(
    books: Books, store: Store, other: list[tuple[int, int]], on: int, is_missed: bool
) -> None:
    books.deposit(18, "d-1", 50_000)
    books.told([], on=32)
    for days in other:
        books.told([], issuer="fio", days=days, on=32)
    books.wait(on)
    assert found(books, store) == ([("NOT_IN_STATEMENT", "d-1", "")] if is_missed else [])


def test_a_line_waits_for_our_entry_as_long_as_its_window(books: Books, store: Store) -> None:
    name = books.told([Told(10, amount=50_000, their_reference="b-1")], days=(1, 10), on=15)
    assert found(books, store) == []
    assert standing(store, name) == {"waiting": (1, 50_000)}
    books.wait(16)
    assert found(books, store) == [("NOT_IN_BOOKS", "", "b-1")]


def test_a_superseded_statement_does_not_count(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    wrong = books.told([Told(10, amount=49_000, reference="d-1", their_reference="b-1")])
    assert found(books, store) == [("AMOUNT_DIFFERS", "d-1", "b-1")]
    right = books.told([Told(10, amount=50_000, reference="d-1")], on=33, supersedes=(wrong,))
    assert found(books, store) == []
    assert [one.statement for one in matched_statements(store)] == [right]


def test_lines_of_an_import_that_was_killed_do_not_count(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told([Told(10, amount=1, their_reference="b")], is_finished=False)
    assert found(books, store) == []


def test_a_provider_pays_out_its_batch_as_one_line_of_the_bank(books: Books, store: Store) -> None:
    for number in range(3):
        books.deposit(10, f"d-{number}", 50_000, **CARD)
    shared = {"settlement": "batch-7"}
    paid = [
        Told(10, amount=50_000, fee=500, reference=f"d-{number}", **shared) for number in range(3)
    ]
    books.told(paid, issuer="pay", kind="PAYMENTS")
    name = books.told([Told(12, amount=148_500, end_to_end="batch-7", their_reference="b-1")])
    assert found(books, store) == []
    assert standing(store, name) == {"by_reference": (1, 148_500)}


def test_a_payout_that_the_bank_has_otherwise_is_found(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000, **CARD)
    books.deposit(11, "d-2", 60_000, **CARD)
    provider = books.told(
        [
            Told(10, amount=50_000, fee=500, reference="d-1"),
            Told(11, amount=60_000, fee=1_450, reference="d-2"),
            Told(12, "settlement", amount=-108_050, settlement="batch-7"),
            Told(13, "settlement", amount=-1_000, settlement="batch-8"),
        ],
        issuer="pay",
        kind="PAYMENTS",
    )
    books.told([Told(13, amount=108_000, reference="batch-7", their_reference="b-1")])
    assert found(books, store) == [
        ("AMOUNT_ROUNDED", "batch-7", "b-1"),
        ("NOT_IN_STATEMENT", "batch-8", ""),
    ]
    assert standing(store, provider)[LineStatus.ROUNDED.value] == (1, -108_050)


def test_a_line_of_zero_moved_no_money(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    name = books.told(
        [
            Told(2, reference="d-1", their_reference="authorised"),
            Told(10, amount=50_000, reference="d-1"),
            Told(30, reference="d-1", their_reference="closed"),
            Told(10, reference="unknown"),
            Told(10, variable_symbol="a"),
            Told(10, fee=500, their_reference="declined"),
        ]
    )
    assert found(books, store) == []
    assert standing(store, name) == {
        "by_reference": (1, 50_000),
        "no_money": (4, 0),
        "cost": (1, 0),
    }


@pytest.mark.parametrize(
    ("payouts", "differing"),
    [
        ([(-40_000, 0)], ["p-1"]),
        ([(-40_000, 0), (-4_000, 0)], ["p-1 p-1"]),
        ([(-49_500, 0)], []),
        ([(-49_000, 500)], []),
        ([(-40_000, 0), (-9_500, 0)], []),
        ([(-60_000, 0)], []),
        ([(-49_500, 0), (49_500, 0)], []),
    ],
)
def test_a_payout_of_less_than_its_lines_is_found_though_the_bank_agrees(
    books: Books, store: Store, payouts: list[tuple[int, int]], differing: list[str]
) -> None:
    books.deposit(10, "d-1", 50_000, **CARD)
    line = Told(10, amount=50_000, fee=500, reference="d-1", settlement="p-1")
    paid = [
        Told(11, "settlement", amount=amount, fee=fee, settlement="p-1") for amount, fee in payouts
    ]
    name = books.told([line, *paid], issuer="pay", kind="PAYMENTS")
    books.told([Told(12, amount=-one.amount, reference="p-1") for one in paid])
    assert found(books, store) == [("TOTAL_DIFFERS", "p-1", names) for names in differing]
    matched = {
        one.statement: one.unmatched.amount + one.matched.amount
        for one in matched_statements(store)
    }
    assert matched[name] == 50_000 + sum(amount for amount, _ in payouts)


def test_a_payout_that_is_named_like_a_deposit_takes_the_line_of_the_bank(
    books: Books, store: Store
) -> None:
    books.deposit(10, "7", 50_000, **CARD)
    line = Told(10, amount=50_000, reference="7", settlement="7")
    books.told([line], issuer="pay", kind="PAYMENTS")
    books.told([Told(12, amount=50_000, reference="7")])
    assert found(books, store) == []


def test_a_payout_waits_for_further_ones_of_its_batch(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000, **CARD)
    lines = [
        Told(10, amount=50_000, reference="d-1", settlement="p-1"),
        Told(10, "settlement", amount=-40_000, settlement="p-1"),
    ]
    books.told(lines, issuer="pay", kind="PAYMENTS", days=(1, 10), on=12)
    assert found(books, store) == []
    books.wait(13)
    assert found(books, store) == [("TOTAL_DIFFERS", "p-1", "p-1")]


def test_another_currency_is_never_taken_for_ours(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    books.told(
        [Told(10, amount=50_000, their_reference="b-1")], issuer="eur", currency="EUR", covers=()
    )
    assert found(books, store) == [("NOT_IN_BOOKS", "", "b-1")]


def test_a_statement_without_lines_counts_as_well(books: Books, store: Store) -> None:
    empty = books.told([], issuer="kb-2")
    full = books.told([Told(10, "fee", amount=-900)])
    assert found(books, store) == []
    lines = {
        one.statement: (one.imported.lines, one.matched.lines) for one in matched_statements(store)
    }
    assert lines == {empty: (0, 0), full: (1, 1)}


def test_another_currency_answers_for_nothing_in_ours(books: Books, store: Store) -> None:
    books.deposit(10, "d-1", 50_000)
    name = books.told([], issuer="eur", currency="EUR")
    assert found(books, store) == []
    assert [(one.statement, one.imported.lines) for one in matched_statements(store)] == [(name, 0)]
