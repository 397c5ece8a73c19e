"""Days of a month without a statement of an issuer."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from projections.books.before_closing import MissingDays, missing_days
from projections.store.period import read_period
from tests.projections.history_cases import project
from tests.projections.matching.statement_cases import Books, day_number

if TYPE_CHECKING:
    from projections.store.tables import Store


def test_days_without_a_statement_are_missing_from_the_first_one_on(store: Store) -> None:
    books = Books()
    for issuer, *spans in (
        ("kb", (-3, 4), (7, 9), (12, 31)),
        ("cards", (5, 8), (9, 31)),
        ("wallet", (20, 22)),
    ):
        for days in spans:
            books.told((), issuer=issuer, days=days)
    old = books.told((), issuer="evo", days=(1, 31), kind="GAMES")
    books.told((), issuer="evo", days=(1, 29), kind="GAMES", supersedes=(old,))
    books.wait(40)
    project(books.chain, store)

    def missing(text: str, today: date) -> list[MissingDays]:
        return missing_days(store, read_period(text), size=store.position, today=today)

    assert missing("2026-03", date(2026, 4, 2)) == [
        MissingDays("evo", 2, day_number(30), day_number(31)),
        MissingDays("kb", 4, day_number(5), day_number(11)),
        MissingDays("wallet", 9, day_number(23), day_number(31)),
    ]
    assert missing("2026-03", day_number(7)) == [MissingDays("kb", 2, day_number(5), day_number(6))]
    assert missing("2026-01", date(2026, 4, 2)) == []
