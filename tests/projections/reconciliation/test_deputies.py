"""Who stands in on a day: the last event whose days hold it counts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ledger.events import event_types as e
from projections.reconciliation.deputies import Deputy, deputies_on, with_deputy
from tests.projections.history_cases import project
from tests.projections.matching.statement_cases import Books

if TYPE_CHECKING:
    from projections.store.tables import Store


def test_the_deputy_of_a_day_is_that_of_the_last_event_that_holds_it(store: Store) -> None:
    books = Books()
    for person, deputy, first, last in (
        ("jana", "petr", 10, 20),
        ("jana", "eva", 14, 16),
        ("jana", "", 18, 20),
        ("petr", "eva", 12, 12),
    ):
        days = {"first_day": f"2026-03-{first}", "last_day": f"2026-03-{last}"}
        books.at(2, e.DeputyNamed(absent=person, deputy=deputy, reason="", by="risk", **days))
    project(books.chain, store)

    def on(day: int) -> dict[str, Deputy]:
        return deputies_on(store, store.position, date(2026, 3, day))

    petr, eva = Deputy("petr", "2026-03-20"), Deputy("eva", "2026-03-16")
    assert [on(day).get("jana") for day in (9, 10, 14, 16, 17, 18, 21)] == [
        None, petr, eva, eva, petr, None, None,
    ]  # fmt: skip
    assert on(12) == {"jana": petr, "petr": Deputy("eva", "2026-03-12")}
    assert deputies_on(store, 0, date(2026, 3, 12)) == {}
    assert with_deputy("jana", on(12)) == ("jana", "petr")
    assert with_deputy("eva", on(12)) == ("eva",)
