"""Issuers that say what the books say and err on purpose: each error is found once, none else."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from projections.matching.match import differences, matched_statements
from projections.store.as_of import moment_of
from tests.projections.history_cases import emptied, project
from tests.projections.matching.statement_cases import CARD, Books, Told, day_number
from tests.projections.matching.test_matching_money import FIGURES
from tests.search import amount
from tools.simulator import MISTAKES, issue

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tools.simulator import IssuedStatement, Mistake

DAYS = (-9, 45)
"""Some days before and behind the month, so that everything in it is due."""


def month(random: Random, *, rounds: int = 12) -> Books:
    """Write a month of deposits, withdrawals and bets; some amounts again and again.

    What moves money is named by variable symbols, which is all that some banks pass on.
    """
    books = Books()
    accounts = ("a", "b", "c")
    for account in accounts:
        books.account(account)
    number = 0
    for day in range(1, 31):
        for way in (None, CARD, CARD):
            number += 1
            amount = random.choice((50_000, 100_000, random.randrange(10_000, 900_000)))
            books.deposit(day, f"{1_000 + number}", amount, random.choice(accounts), **way or {})
        if random.random() < 0.4:
            books.withdrawal(day, f"{5_000 + day}", random.randrange(10_000, 90_000))
        if random.random() < 0.1:
            books.returned(day, f"{1_000 + number - 2}", 1_000)
    for number in range(rounds):
        day = 1 + number * 30 // rounds
        table = random.choice(("t-1", "t-2"))
        books.round(day, f"r-{number}", table=table)
        for bet in range(random.randrange(1, 4)):
            stake = random.randrange(100, 9_000)
            paid = random.choice((0, 2 * stake + random.randrange(100)))
            books.bet(day, f"r-{number}-{bet}", stake, paid, of=f"r-{number}")
    return books


def import_in_any_order(books: Books, issued: list[IssuedStatement], random: Random) -> None:
    """Import what issuers say, a statement each, in any order."""
    for one in random.sample(issued, k=len(issued)):
        lines = [Told.of(line) for line in one.lines]
        books.told(
            lines, issuer=one.name, kind=one.kind, days=DAYS, covers=one.covers, on=DAYS[1] + 1
        )
    books.wait(DAYS[1] + 7)


def found(books: Books, store: Store) -> list[tuple[str, str]]:
    """Give what differs: code, and what it is about."""
    project(books.chain, store)
    for one in matched_statements(store):
        assert one.matched.plus(one.unmatched) == one.imported
    return sorted(
        (
            one.status.value,
            one.ours[0].reference if one.ours else one.theirs[0].their_reference,
        )
        for one in differences(store, store.position, moment_of(store, store.position), FIGURES)
    )


def named(mistakes: list[Mistake]) -> list[tuple[str, str]]:
    return sorted((one.finding, one.about) for one in mistakes)


def issued_by(
    books: Books, random: Random, mistakes: int
) -> tuple[list[IssuedStatement], list[Mistake]]:
    period = (day_number(DAYS[0]), day_number(DAYS[1]))
    return issue(books.chain.log().read(), period, random=random, mistakes=mistakes)


def test_issuers_without_errors_agree(store: Store) -> None:
    random = Random(1)
    books = month(random)
    issued, mistakes = issued_by(books, random, 0)
    import_in_any_order(books, issued, random)
    assert mistakes == []
    assert found(books, store) == []


@pytest.mark.law("L-59")
def test_every_error_is_found_once_and_nothing_else(store: Store) -> None:
    random = Random(2)
    books = month(random, rounds=30)
    issued, mistakes = issued_by(books, random, len(MISTAKES))
    assert {one.what for one in mistakes} == set(MISTAKES)
    assert len(mistakes) == 4 * len(MISTAKES)
    import_in_any_order(books, issued, random)
    assert found(books, store) == named(mistakes)


@settings(
    max_examples=amount(2, 20),
    deadline=None,
    phases=(Phase.explicit, Phase.generate),  # a chain that is a little shorter tells no more
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(seed=st.integers(0, 2**32), mistakes=st.integers(0, 9))
def test_random_errors_are_exactly_what_is_found(store: Store, seed: int, mistakes: int) -> None:
    random = Random(seed)
    books = month(random)
    issued, made = issued_by(books, random, mistakes)
    import_in_any_order(books, issued, random)
    assert found(books, emptied(store)) == named(made)


def test_the_order_of_imports_changes_nothing(store: Store) -> None:
    answers = []
    for order in (1, 2):
        books = month(Random(3))
        issued, _ = issued_by(books, Random(3), 5)
        import_in_any_order(books, issued, Random(order))
        answers.append(found(books, emptied(store)))
    assert answers[0] == answers[1]
