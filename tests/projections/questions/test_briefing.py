"""The briefing of a day agrees with the books, and reads only the range of its days."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import DAY, in_prague, midnight_after
from ledger.log.port import envelope_at, size_before
from projections.questions.briefing import TREND_DAYS, DayRange, open_matters, played_day
from projections.questions.over_time import house_by_day

if TYPE_CHECKING:
    from datetime import date

    from projections.store.tables import Store
    from tests.projections.history_cases import Casino


def range_of(casino: Casino, day: date) -> DayRange:
    """Find the positions of a day by looking at every message."""
    log, size = casino.log, casino.log.head().size
    moment = next(
        one
        for one in (envelope_at(log, at).recorded_at for at in range(size))
        if in_prague(one).date() == day
    )
    end = midnight_after(moment)
    begins = [
        size_before(log, end - back * DAY, size) for back in (TREND_DAYS + 1, TREND_DAYS, 1, 0)
    ]
    return DayRange(day, *begins)


@pytest.fixture
def casino(casino: Casino) -> Casino:
    casino.seat("a")
    return casino


def play(casino: Casino, name: str, *bets: tuple[str, int], account: str = "a") -> None:
    casino.do("open_round", round=name, table="t")
    for number, (code, stake) in enumerate(bets, 1):
        casino.bet(name, number, code, stake, account=account)
    casino.finish(name, 17)


def test_the_sums_of_a_day_are_those_of_the_books(casino: Casino, store: Store) -> None:
    play(casino, "q1", ("black", 10_000), ("red", 5_000))
    first = in_prague(casino.clock.moment).date()
    casino.wait(24 * 60)
    casino.seat("b")
    play(casino, "q2", ("black", 2_000), account="b")
    casino.do("correct_win", round="q1", bet="q1-1", difference=-300, cause="counted wrongly")
    casino.do("press_panic_button", account="b")
    casino.project(store)
    second = first + timedelta(days=1)
    books = {(one.game, one.day): one.haler for one in house_by_day(store)}
    for day, bets in ((first, 2), (second, 1)):
        played = played_day(store, range_of(casino, day))
        (game,) = played.games
        assert (game.bets, game.result) == (bets, books[game.game, day])
        assert game.trend[-1] == game.result
        assert game.week_before is None
    assert game.trend[-2] == books[game.game, first]
    assert (game.stakes, game.paid, game.result) == (2_000, 4_000, -2_000 + 300)
    assert dict(played.protection)["PanicButtonPressed"] == 1


def test_refusals_are_counted_on_their_day_alone(casino: Casino, store: Store) -> None:
    day = in_prague(casino.clock.moment).date()
    casino.do("open_round", round="q1", table="t")
    for number in (1, 2):
        casino.bet("q1", number, "black", 10**9)
    casino.project(store)
    refused = played_day(store, range_of(casino, day)).refusals
    assert sum(times for _, times in refused) == 2
    matters = open_matters(store, at=store.position)
    assert (matters.findings, matters.cases) == ((), ())
