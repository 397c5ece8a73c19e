"""Closings against a recount of every posting in plain Python, on random and on told histories."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from ledger.core.clock import DAY as DAY_LONG
from ledger.core.clock import in_prague
from ledger.core.errors import InputError
from ledger.events.encoding import decode
from projections.books.closing import MOVED, Movements, close, movements_in
from projections.books.sheets import of_closing
from projections.store.period import read_period
from projections.words.catalogue import Language, Words
from tests.projections.history_cases import project
from tests.projections.posting_twin import postings_of
from tests.projections.projection_cases import START, Chain, any_event, money_history, seeded
from tests.search import amount

if TYPE_CHECKING:
    from projections.store.tables import Store
    from tests.projections.posting_twin import Posting

DAY = in_prague(START).date()


def recounted(postings: list[Posting], first: int, end: int) -> dict[str, tuple[int, int, int]]:
    """Add up before, above and below zero by kind, as the documents of postings say."""
    before: Counter[str] = Counter()
    above: Counter[str] = Counter()
    below: Counter[str] = Counter()
    for one in postings:
        if one.position < first:
            before[one.kind] += one.amount
        elif one.position < end:
            (above if one.amount > 0 else below)[one.kind] += abs(one.amount)
    kinds = {*(kind for kind in before if before[kind]), *above, *below}
    return {kind: (before[kind], above[kind], below[kind]) for kind in kinds}


@pytest.mark.parametrize("seed", range(11, 11 + amount(1, 20)))
def test_a_trial_balance_is_the_postings_added_up_by_hand(store: Store, seed: int) -> None:
    chain = money_history(seed, 120)
    project(chain, store)
    recorded = [decode(message) for message in chain.messages]
    postings = [posting for one in recorded for posting in postings_of(one)]
    for at in (len(recorded), len(recorded) // 2, 1):
        known = [one for one in recorded if one.position < at]
        closing = close(store, read_period(DAY.isoformat()), at=at)
        assert (closing.first, closing.end, closing.position) == (0, len(known), at)
        expected = recounted(postings, closing.first, closing.end)
        assert {one.account for one in closing.trial} == set(expected)
        for line in closing.trial:
            before, above, below = expected[line.account]
            is_floor = ":" in line.account and not line.account.startswith("channel_")
            sign = 1 if is_floor else -1
            debit, credit = (above, below) if is_floor else (below, above)
            assert (line.opening, line.debit, line.credit) == (sign * before, debit, credit)
            assert line.closing == line.opening + line.debit - line.credit
        assert closing.is_even
        for line in closing.games:
            kept = line.stakes - line.returned - line.winnings + line.corrections
            assert kept == line.result + line.open, line


@pytest.mark.parametrize("seed", [21, 22][: amount(1, 2)])
def test_whole_days_are_the_sums_of_their_postings(store: Store, seed: int) -> None:
    chain = money_history(seed, 150, has_days=True)
    project(chain, store)
    size, draw = chain.head.size, Random(seed)
    ends = [row["position"] for row in store.rows("SELECT position FROM day_ends")]
    assert len(ends) > 1
    spans = [(0, size), (ends[0], ends[-1]), (ends[0] + 1, ends[-1] - 1), (ends[1], ends[1])]
    spans += [tuple(sorted(draw.choices(range(size + 1), k=2))) for _ in range(6)]
    for first, end in spans:
        single = store.rows(MOVED, first=first, end=end)
        assert movements_in(store, first, end) == sorted(Movements(**row) for row in single)


def test_what_is_booked_behind_a_day_opens_the_next_one(store: Store) -> None:
    chain = money_history(14, 60)
    project(chain, store)
    today = close(store, read_period(DAY.isoformat()))
    assert not today.is_over
    tomorrow = close(store, read_period((DAY + timedelta(days=1)).isoformat()))
    closed = {one.account: one.closing for one in today.trial if one.closing}
    assert {one.account: one.opening for one in tomorrow.trial} == closed
    assert tomorrow.first == tomorrow.end == len(chain.messages)
    assert (tomorrow.games, tomorrow.channels, tomorrow.floor, tomorrow.earlier) == ((), (), (), ())
    assert all(of.debit == of.credit == 0 for of in tomorrow.totals.values())


def test_slips_of_the_floor_that_correct_those_of_earlier_days_are_listed(store: Store) -> None:
    chain, draw = Chain(), seeded(21)
    sold = replace(any_event(draw, "ChipsSold"), currency="CZK", corrects="")
    tip = replace(any_event(draw, "TipReceived"), currency="EUR", corrects="")
    chain.decide(replace(sold, slip="s-1"), replace(tip, slip="t-1"))
    chain.decide(replace(sold, slip="s-2", corrects="s-1", amount=-5))
    chain.moment += DAY_LONG
    chain.decide(
        replace(sold, slip="s-3", corrects="s-1", amount=-70),
        replace(tip, slip="t-2", corrects="t-1", amount=30),
        replace(sold, slip="s-4"),
        replace(sold, slip="s-5", corrects="s-4"),
        replace(sold, slip="s-6", corrects="t-1"),
    )
    project(chain, store)
    today, tomorrow = (
        close(store, read_period((DAY + timedelta(days=later)).isoformat())) for later in (0, 1)
    )
    assert today.earlier == ()
    day = DAY.isoformat()
    assert [
        (one.movement, one.what, one.day, one.currency, one.amount) for one in tomorrow.earlier
    ] == [("ChipsSold", "s-1", day, "CZK", -70), ("TipReceived", "t-1", day, "EUR", 30)]


def test_places_and_means_of_the_floor_have_names_on_every_sheet(store: Store) -> None:
    chain, draw = Chain(), seeded(21)
    sold = replace(any_event(draw, "ChipsSold"), currency="CZK", corrects="")
    sold = replace(sold, amount=70, method="card", station_kind="table")
    chain.decide(replace(sold, slip="s-1"))
    project(chain, store)
    sheets = of_closing(close(store, read_period(DAY.isoformat())), Words(Language.CS))
    cells = {str(cell) for sheet in sheets for row in sheet.rows for cell in row}
    assert {"hosté", "žetony", "karty"} <= cells
    codes = re.compile(r"(cage|card|cash|chips|guests|stock|apart|table|tronc)(:.+)?")
    assert not list(filter(codes.fullmatch, cells))


def test_a_period_before_the_chain_is_refused(store: Store) -> None:
    project(money_history(15, 5), store)
    with pytest.raises(InputError, match="before the beginning of the chain"):
        close(store, read_period("2019-01"))


@pytest.mark.parametrize(
    "text",
    ["", "2026", "2026-13", "2026-02-30", "2026-Q5", "1800-01", "2026-11-20T08:00", "٢٠٢٦-11"],
)
def test_what_is_no_period_is_refused_with_its_forms(text: str) -> None:
    with pytest.raises(InputError, match="is no period: write a day such as"):
        read_period(text)


@pytest.mark.parametrize(
    ("text", "kind", "first", "last", "hours"),
    [
        ("2026-03-29", "day", "2026-03-29", "2026-03-29", 23),
        ("2026-10-25", "day", "2026-10-25", "2026-10-25", 25),
        ("2026-12", "month", "2026-12-01", "2026-12-31", 31 * 24),
        ("2026-Q1", "quarter", "2026-01-01", "2026-03-31", 90 * 24 - 1),
        ("2026-Q4", "quarter", "2026-10-01", "2026-12-31", 92 * 24 + 1),
    ],
)
def test_periods_are_those_of_the_calendar_in_prague(
    text: str, kind: str, first: str, last: str, hours: int
) -> None:
    found = read_period(text)
    days = found.first_day.isoformat(), found.last_day.isoformat()
    assert (found.kind, *days) == (kind, first, last)
    assert found.ends - found.begins == hours * 3_600_000_000
