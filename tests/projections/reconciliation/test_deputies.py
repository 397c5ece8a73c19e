"""Who stands in on a day: the last event whose days hold it counts."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from hypothesis import given
from hypothesis import strategies as st

from ledger.events import event_types as e
from projections.reconciliation.deputies import (
    Deputy,
    deputies_from,
    deputies_on,
    standing,
    with_deputy,
)
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

    petr = Deputy("petr", "2026-03-10", "2026-03-13")
    eva = Deputy("eva", "2026-03-14", "2026-03-16")
    again = Deputy("petr", "2026-03-17", "2026-03-17")
    assert [on(day).get("jana") for day in (9, 10, 14, 16, 17, 18, 21)] == [
        None, petr, eva, eva, again, None, None,
    ]  # fmt: skip
    of_petr = Deputy("eva", "2026-03-12", "2026-03-12")
    assert on(12) == {"jana": petr, "petr": of_petr}
    planned = deputies_from(store, store.position, date(2026, 3, 1))
    assert planned == {"jana": [petr, eva, again], "petr": [of_petr]}
    assert deputies_from(store, store.position, date(2026, 3, 18)) == {}
    assert deputies_on(store, 0, date(2026, 3, 12)) == {}
    assert with_deputy("jana", on(12)) == ("jana", "petr")
    assert with_deputy("eva", on(12)) == ("eva",)


SPAN = st.tuples(
    st.sampled_from(["jana", "petr"]),
    st.sampled_from(["", "eva", "jan"]),
    st.integers(1, 12),
    st.integers(0, 6),
)


@given(st.lists(SPAN, max_size=8), st.integers(1, 20))
def test_days_that_events_share_belong_to_the_last_one(
    named: list[tuple[str, str, int, int]], first: int
) -> None:
    events = [
        {
            "absent": person,
            "deputy": deputy,
            "first_day": f"2026-03-{begins:02d}",
            "last_day": f"2026-03-{begins + days:02d}",
        }
        for person, deputy, begins, days in named
    ]
    day = date(2026, 3, first)
    found = standing(events, day)
    for at in range(first, 20):
        shown = f"2026-03-{at:02d}"
        for person in ("jana", "petr"):
            holding = [
                one["deputy"]
                for one in events
                if one["absent"] == person and one["first_day"] <= shown <= one["last_day"]
            ]
            listed = [
                one.deputy
                for one in found.get(person, ())
                if one.first_day <= shown <= one.last_day
            ]
            assert listed == [*filter(None, holding[-1:])]
