"""Money over time, for charts: an account's money, and the house's result of each game.

Money is haléř, moments are microseconds; a day is one of Prague. Answers are bounded: the last
movements of an account, the last days of the house, whatever the length of the log.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from projections.store.as_of import size_of

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
    WITH days AS
    (
        SELECT round, toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day, amount
        FROM postings
        WHERE (kind = 'game_result' OR kind = 'charges' AND event = 'RakeTaken')
            AND round != '' AND position < {size:Int64}
            AND day > (
                SELECT toDate(fromUnixTimestamp64Micro(max(recorded_at), 'Europe/Prague'))
                FROM postings WHERE position < {size:Int64}
            ) - {days:Int32}
    )
    SELECT opened.game AS game, days.day AS day, sum(days.amount) AS haler
    FROM days
    INNER JOIN
    (
        SELECT round, argMin(game, position) AS game
        FROM RoundOpened
        WHERE round IN (SELECT round FROM days)
        GROUP BY round
    ) AS opened ON days.round = opened.round
    GROUP BY game, day
    ORDER BY game, day
"""


@dataclass(frozen=True, slots=True)
class BalanceAt:
    """An account's money from ``at`` on: in the wallet, at tables and in withdrawals."""

    at: int
    haler: int


@dataclass(frozen=True, slots=True)
class GameDay:
    """The house's result of a game on a day, including corrections and rake."""

    game: str
    day: date
    haler: int


def money_over_time(store: Store, account: str, *, at: int | None = None) -> tuple[BalanceAt, ...]:
    """Return the changes of an account's money, oldest first: the last 10,000."""
    rows = store.rows(HELD, account=account, size=size_of(store, at), limit=MOVEMENTS_MAX)
    return tuple(BalanceAt(**row) for row in reversed(rows))


def house_by_day(store: Store, *, at: int | None = None, days: int = DAYS) -> tuple[GameDay, ...]:
    """Return the house's result by game and day, for so many days up to the last movement."""
    rows = store.rows(BY_DAY, size=size_of(store, at), days=days)
    return tuple(GameDay(**row) for row in rows)
