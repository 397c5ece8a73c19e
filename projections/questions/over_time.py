"""Over time, for charts: money of an account, results of games, stakes by hour, findings by day.

Money is haléř, timestamps are microseconds; a day is one of Prague. Results are bounded, whatever
the length of the log: the last movements of an account, the last days of the house.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import HOUR, in_prague
from projections.store.as_of import moment_of, size_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import date

    from projections.findings.finding import Finding, State
    from projections.store.tables import Store

__all__ = [
    "BalanceAt",
    "FindingDay",
    "GameDay",
    "HourStakes",
    "findings_by_day",
    "house_by_day",
    "money_over_time",
    "stakes_by_hour",
]

MOVEMENTS_MAX = 10_000
DAYS = 31

HELD = """
    SELECT at, haler FROM
    (
        SELECT position, at, sum(moved) OVER (ORDER BY position) AS haler FROM
        (
            SELECT position, any(recorded_at) AS at, sum(amount) AS moved FROM postings
            WHERE kind IN ('wallet', 'reserved', 'in_play', 'withdrawals')
                AND account = {account:String} AND position < {size:Int64}
            GROUP BY position
            HAVING moved != 0
        )
    )
    ORDER BY position DESC
    LIMIT {limit:Int64}
"""
BY_DAY = """
    WITH
        toDate(fromUnixTimestamp64Micro({now:Int64}, 'Europe/Prague')) - {days:Int32} AS before,
        (SELECT max(position) FROM day_ends WHERE position <= {size:Int64}) AS end,
        today AS
        (
            SELECT
                round, amount,
                toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day
            FROM postings
            WHERE (kind = 'game_result' OR kind = 'charges' AND event = 'RakeTaken')
                AND round != '' AND position < {size:Int64} AND position >= end
        )
    SELECT game, day, sum(amount) AS haler
    FROM
    (
        SELECT game, day, plus - minus AS amount
        FROM daily_movements
        WHERE (kind = 'game_result' OR kind = 'charges' AND event = 'RakeTaken')
            AND table != '' AND position <= {size:Int64} AND day > before
        UNION ALL
        SELECT opened.game AS game, today.day AS day, today.amount AS amount
        FROM today
        INNER JOIN
        (
            SELECT round, argMin(game, position) AS game
            FROM facts_of_rounds
            WHERE fact = 'opened' AND position < {size:Int64}
                AND round IN (SELECT round FROM today)
            GROUP BY round
        ) AS opened ON today.round = opened.round
        WHERE today.day > before
    )
    GROUP BY game, day
    ORDER BY game, day
"""


BY_HOUR = """
    SELECT intDiv(recorded_at, {hour:Int64}) * {hour:Int64} AS at, sum(amount) AS haler
    FROM BetConcluded
    WHERE position >= {first:Int64} AND position < {end:Int64}
    GROUP BY at
    ORDER BY at
"""
ENDS = """
    SELECT position, day FROM day_ends
    WHERE position <= {size:Int64}
    ORDER BY position DESC
    LIMIT {limit:Int64}
"""


@dataclass(frozen=True, slots=True)
class BalanceAt:
    """An account's money from time ``at`` on: in the wallet, at tables and in withdrawals."""

    at: int
    haler: int


@dataclass(frozen=True, slots=True)
class GameDay:
    """The house's result of a game on a day, including corrections and rake."""

    game: str
    day: date
    haler: int


def money_over_time(store: Store, account: str, *, at: int | None = None) -> tuple[BalanceAt, ...]:
    """Return the last 10,000 changes of an account's money, oldest first."""
    rows = store.rows(HELD, account=account, size=size_of(store, at), limit=MOVEMENTS_MAX)
    return tuple(BalanceAt(**row) for row in reversed(rows))


def house_by_day(store: Store, *, at: int | None = None, days: int = DAYS) -> tuple[GameDay, ...]:
    """Return the house's result by game and day, for ``days`` days up to the last message."""
    size = size_of(store, at)
    rows = store.rows(BY_DAY, size=size, days=days, now=moment_of(store, size))
    return tuple(GameDay(**row) for row in rows)


@dataclass(frozen=True, slots=True)
class HourStakes:
    """Stakes of the bets that were concluded in the hour from ``at`` on."""

    at: int
    haler: int


def stakes_by_hour(store: Store, *, first: int, end: int) -> tuple[HourStakes, ...]:
    """Return the stakes of each hour between positions, also of hours without bets between."""
    rows = store.rows(BY_HOUR, first=first, end=end, hour=HOUR)
    found = {row["at"]: row["haler"] for row in rows}
    if not found:
        return ()
    hours = range(min(found), max(found) + HOUR, HOUR)
    return tuple(HourStakes(at, found.get(at, 0)) for at in hours)


@dataclass(frozen=True, slots=True)
class FindingDay:
    """How many findings of a state are about what was recorded on a day."""

    day: date
    state: State
    count: int


def findings_by_day(
    store: Store, findings: Iterable[Finding], *, size: int, days: int = DAYS
) -> tuple[FindingDay, ...]:
    """Count findings by the day on which the message at their position was recorded, and by state.

    Counted are those of the day of the last of ``size`` messages and of ``days`` days before it.
    """
    ends = sorted((row["position"], row["day"]) for row in store.rows(ENDS, size=size, limit=days))
    dates = [day for _, day in ends] + [in_prague(moment_of(store, size)).date()]
    earlier = ends[0][0] if len(ends) == days else 0
    places = [position for position, _ in ends]
    counts = Counter(
        (dates[bisect_right(places, one.position)], one.state)
        for one in findings
        if earlier <= one.position < size
    )
    return tuple(FindingDay(*key, count) for key, count in sorted(counts.items()))
