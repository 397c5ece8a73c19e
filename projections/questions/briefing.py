"""Summary of one gaming day: money by game, protection, refusals, open matters.

What comes in: the positions of the day in the chain. What goes out: sums of that day, and the
house's results of the days before it. Each query reads only the range of these days, whatever the
length of the chain. Money is haléř, a day is one of Prague.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from projections.reconciliation.complaints import Case, list_cases
from projections.reconciliation.finding_lifecycle import KnownFinding, list_findings

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = [
    "TREND_DAYS",
    "DayRange",
    "GameOfDay",
    "OpenFindings",
    "OpenMatters",
    "PlayedDay",
    "open_matters",
    "played_day",
]

TREND_DAYS = 30
WEEK = timedelta(days=7)
CASES_MAX = 5
CODES_MAX = 10

MOVED = """
    SELECT round, recorded_at, stake - paid AS amount, stake, paid, 1 AS bets FROM BetSettled
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT round, recorded_at, -difference, 0, 0, 0 FROM WinCorrected
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT round, recorded_at, difference, 0, 0, 0 FROM BetCorrected
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT round, recorded_at, collected + claimed, 0, 0, 0 FROM PrizeWithheld
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT round, recorded_at, amount, 0, 0, 0 FROM RakeTaken
    WHERE position >= {first:Int64} AND position < {end:Int64}
"""
RESULTS = f"""
    SELECT
        game, toDate(fromUnixTimestamp64Micro(recorded_at, 'Europe/Prague')) AS day,
        sum(amount) AS result, sum(stake) AS stakes, sum(paid) AS payments, sum(bets) AS settled
    FROM ({MOVED}) AS moved
    LEFT JOIN
    (
        SELECT round, argMin(game, position) AS game FROM RoundOpened
        WHERE position >= {{opened_first:Int64}} AND position < {{end:Int64}}
        GROUP BY round
    ) AS opened USING round
    GROUP BY game, day
"""  # noqa: S608 - texts of our own
"""Sums of each game and day; a round opened before ``opened_first`` has an empty game."""
REFUSED = """
    SELECT code, count() AS times FROM BetRefused
    WHERE position >= {first:Int64} AND position < {end:Int64}
    GROUP BY code
    ORDER BY times DESC, code
    LIMIT {limit:Int64}
"""
PROTECTED = """
    SELECT 'BreakImposed' AS event, count() AS times FROM BreakImposed
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT 'PanicButtonPressed', count() FROM PanicButtonPressed
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT 'ExclusionImposed', count() FROM ExclusionImposed
    WHERE position >= {first:Int64} AND position < {end:Int64}
    UNION ALL
    SELECT 'LimitSet', count() FROM LimitSet
    WHERE position >= {first:Int64} AND position < {end:Int64}
"""


@dataclass(frozen=True, slots=True)
class DayRange:
    """A day: its messages from position ``first`` up to, but not including, ``end``.

    The trend begins at ``trend_first``; openings of rounds are looked up from ``opened_first``, a
    day earlier.
    """

    day: date
    opened_first: int
    trend_first: int
    first: int
    end: int


@dataclass(frozen=True, slots=True)
class GameOfDay:
    """One game on the day; ``trend`` is the house's result of each day, this day last.

    ``game`` is empty for corrections of rounds of earlier months. ``week_before`` is the result of
    the same weekday one week before, ``None`` if nothing was played.
    """

    game: str
    bets: int
    stakes: int
    paid: int
    result: int
    week_before: int | None
    trend: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlayedDay:
    """The events of a day, summed; the result does not change once the day is over."""

    day: date
    games: tuple[GameOfDay, ...]
    refusals: tuple[tuple[str, int], ...]
    protection: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class OpenFindings:
    """Open findings with one code: number, sum of those in crowns, time of the first record."""

    code: str
    count: int
    amount: int
    since: int


@dataclass(frozen=True, slots=True)
class OpenMatters:
    """Recorded findings that are open, by code, and the most urgent cases.

    Codes are sorted by the sum of amounts, greatest first, then by age, oldest first.
    """

    findings: tuple[OpenFindings, ...]
    cases: tuple[Case, ...]


def played_day(store: Store, days: DayRange) -> PlayedDay:
    """Return the summary of a day, and the results of the days before it."""
    span = {"first": days.first, "end": days.end}
    by_game: dict[str, dict[date, dict[str, int]]] = {}
    for row in store.rows(
        RESULTS, first=days.trend_first, end=days.end, opened_first=days.opened_first
    ):
        by_game.setdefault(row["game"], {})[row["day"]] = row
    refused = store.rows(REFUSED, **span, limit=CODES_MAX)
    played = [(name, one) for name, one in sorted(by_game.items()) if days.day in one]
    return PlayedDay(
        days.day,
        tuple(_game(name, days.day, one) for name, one in played),
        tuple((row["code"], row["times"]) for row in refused),
        tuple((row["event"], row["times"]) for row in store.rows(PROTECTED, **span)),
    )


def open_matters(store: Store, *, at: int, now: int | None = None) -> OpenMatters:
    """Return the open findings and cases by the messages below ``at``, judged at ``now``."""
    by_code: dict[str, list[KnownFinding]] = {}
    for one in list_findings(store, at=at).findings:
        by_code.setdefault(one.finding.code, []).append(one)
    found = [
        OpenFindings(
            code,
            len(some),
            sum(abs(one.finding.amount) for one in some if one.finding.currency == "CZK"),
            min(one.raised_at for one in some),
        )
        for code, some in by_code.items()
    ]
    found.sort(key=lambda one: (-one.amount, one.since, one.code))
    return OpenMatters(
        tuple(found[:CODES_MAX]), list_cases(store, at=at, now=now).cases[:CASES_MAX]
    )


def _game(game: str, day: date, by_day: dict[date, dict[str, int]]) -> GameOfDay:
    sums = by_day[day]
    results = {one: row["result"] for one, row in by_day.items()}
    before = (day - timedelta(days=back) for back in range(TREND_DAYS - 1, -1, -1))
    return GameOfDay(
        game,
        sums["settled"],
        sums["stakes"],
        sums["payments"],
        sums["result"],
        results.get(day - WEEK),
        tuple(results.get(one, 0) for one in before),
    )
