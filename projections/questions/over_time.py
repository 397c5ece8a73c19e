"""Money over time, for charts: an account's money, and the house's result of each game.

Money is haléř, timestamps are microseconds; a day is one of Prague. Results are bounded, whatever
the length of the log: the last movements of an account, the last days of the house.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from projections.store.as_of import moment_of, size_of

if TYPE_CHECKING:
    from datetime import date

    from projections.store.tables import Store

__all__ = ["BalanceAt", "GameDay", "house_by_day", "money_over_time"]

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
