"""Summarize a copy for the tables over all logs, from its own tables.

What comes in: the tables of a copy, and the last day that was summarized before. What goes out: a
summary. Days before that one do not change: a posting belongs to the day of its record.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ledger.core.clock import SystemClock, day_of, in_prague
from projections.books.closing import game_lines, movements_in
from projections.questions.continuous_play import play
from projections.reconciliation.duties import list_duties
from projections.store.as_of import moment_of, size_at
from projections.store.period import read_period
from tools.mirror.shared_tables import CopySummary, DeviceRow, DutyRow, LongPlayRow, PlayRow

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["summarize"]


def summarize(store: Store, since: str) -> CopySummary:
    """Summarize a copy.

    Args:
        store: its tables.
        since: day from which on play is summed up; all days if it is empty.

    """
    size = store.position
    last_day = in_prague(moment_of(store, size)).date()
    began = store.value("SELECT recorded_at FROM ChainOpened WHERE position = 0")
    first_day = date.fromisoformat(since) if since else in_prague(began).date()
    devices = store.rows("SELECT DISTINCT kind, serial FROM DeviceAssigned WHERE serial != ''")
    sequences = play(store).sequences
    now = SystemClock().now()
    duties = Counter((one.code, one.until) for one in list_duties(store, now=now).duties)
    return CopySummary(
        size=size,
        since=since,
        last_day=last_day.isoformat(),
        judged=day_of(now),
        play=[row for day in _days(first_day, last_day) for row in _play_of(store, day, size)],
        devices=[DeviceRow(**row) for row in devices],
        long_play=[
            LongPlayRow(one.account, one.started_at, one.length) for one in sequences if one.reached
        ],
        duties=[DutyRow(*key, count) for key, count in duties.items()],
    )


def _days(first: date, last: date) -> Iterator[str]:
    for number in range((last - first).days + 1):
        yield (first + timedelta(days=number)).isoformat()


def _play_of(store: Store, day: str, size: int) -> Iterator[PlayRow]:
    period = read_period(day)
    first, end = (size_at(store, moment, size) for moment in (period.begins, period.ends))
    sums: dict[str, Counter[str]] = {}
    for line in game_lines(movements_in(store, first, end), {}) if first < end else ():
        of = sums.setdefault(line.game, Counter())
        of["stakes"] += line.stakes - line.returned
        of["winnings"] += line.winnings
        of["result"] += line.result
    for game, of in sums.items():
        if game:
            yield PlayRow(day, game, of["stakes"], of["winnings"], of["result"])
