"""The charts of the pages, drawn by ``projections.pictures`` from answers.

Input: answers of questions, and the reader's language. Output: an ``svg`` element as text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from ledger.core.clock import in_prague
from projections.findings.finding import State
from projections.pictures.bars import Bar, draw_bars
from projections.pictures.charts import draw_fairness, draw_house_results, draw_money, draw_trend
from projections.pictures.house_charts import BetMark, draw_deviations, draw_shares
from projections.pictures.package_calendar import PackageMark, draw_packages
from projections.pictures.play_clock import draw_play_clock
from projections.words.names import named

if TYPE_CHECKING:
    from collections.abc import Sequence as Series
    from datetime import date

    from projections.fairness.watch import Watched
    from projections.packages.country import Country
    from projections.packages.status import PeriodStatus
    from projections.questions.accounts import Session
    from projections.questions.continuous_play import BreakViolation, Sequence
    from projections.questions.over_time import BalanceAt, FindingDay, GameDay, HourStakes
    from projections.words.catalogue import Words
    from tools.access.dashboard import Briefing
    from tools.data.fairness import HouseResult

__all__ = [
    "clock",
    "day_in_prague",
    "deviations",
    "findings",
    "house",
    "money",
    "packages",
    "shares",
    "trends",
    "turnover",
    "watched",
]


def clock(
    words: Words,
    sequences: Series[Sequence],
    violations: Series[BreakViolation],
    *,
    account: str,
    limit_minutes: int,
    sessions: Series[Session],
) -> str:
    """Draw the sequences of continuous play of an evening, and its sessions."""
    return draw_play_clock(
        sequences,
        words.language,
        title=words.text("access.clock_of", account=account, minutes=limit_minutes),
        limit_minutes=limit_minutes,
        bets_in_breaks=[one.placed_at for one in violations],
        sessions=sessions,
    )


def trends(words: Words, briefing: Briefing | None) -> dict[str, str]:
    """Draw the house's result of the last days by game; nothing without a briefing."""
    return {
        one.game: draw_trend(one.trend, title=_trend_of(words, one.game, len(one.trend)))
        for one in (briefing.played.games if briefing else ())
    }


def _trend_of(words: Words, game: str, days: int) -> str:
    return words.text("access.trend_of", days=days, game=named(words, "games", game))


def watched(words: Words, found: Watched) -> str:
    """Draw the observed results of a wheel, a dealer or a shoe next to the expected ones."""
    game = named(words, "games", found.game) if found.game else ""
    title = f"{words.text(f'watched.{found.kind}')} {found.name} {game}".strip()
    said = words.text(
        "access.evidence_against", results=found.results, evidence=words.rounded(found.highest)
    )
    return draw_fairness(found.counts, words.language, title=title, said=said)


def money(words: Words, held: Series[BalanceAt], *, account: str) -> str:
    """Draw the balance of an account over time."""
    title = words.text("access.money_of", account=account)
    return draw_money(held, words.language, title=title)


def house(words: Words, results: Series[GameDay]) -> str:
    """Draw what the house won by game and day."""
    return draw_house_results(results, words.language, title=words.text("access.results_by_day"))


def turnover(words: Words, stakes: Series[HourStakes], day: date) -> str:
    """Draw the stakes of a day by hour."""
    bars = [Bar(f"{in_prague(one.at).hour}", (one.haler,)) for one in stakes]
    return draw_bars(
        bars,
        [words.text("access.stakes")],
        words.language,
        title=words.text("access.turnover_of", day=words.date(day)),
        axis=words.text("pictures.crowns_axis"),
        write=lambda haler: words.number(haler // 100),
    )


def findings(words: Words, counts: Series[FindingDay]) -> str:
    """Draw findings by day and state."""
    states = get_args(State)
    by_day: dict[date, dict[str, int]] = {}
    for one in counts:
        by_day.setdefault(one.day, {})[one.state] = one.count
    bars = [
        Bar(f"{day.day}. {day.month}.", tuple(found.get(state, 0) for state in states))
        for day, found in by_day.items()
    ]
    return draw_bars(
        bars,
        [named(words, "states", state) for state in states],
        words.language,
        title=words.text("access.findings_by_day"),
        axis=words.text("pictures.count_axis"),
        write=words.number,
    )


def deviations(words: Words, results: Series[HouseResult]) -> str:
    """Draw by how much the house's win on each bet deviates from the plan."""
    title = words.text("access.deviations_by_bet")
    return draw_deviations(_marks(results), words.language, title=title)


def shares(words: Words, results: Series[HouseResult]) -> str:
    """Draw the house's share of the stakes by game, with bounds."""
    title = words.text("access.share_by_game")
    return draw_shares(_marks(results), words.language, title=title)


def _marks(results: Series[HouseResult]) -> list[BetMark]:
    return [
        BetMark(
            one.game, one.bet, one.staked, one.kept, one.expected, one.standard_deviation, one.leans
        )
        for one in results
    ]


def packages(words: Words, periods: Series[PeriodStatus], country: Country) -> str:
    """Draw the state of packages as a calendar."""
    marks = []
    for one in periods:
        name = country.parse_name(one.package)
        begin = in_prague(name.start)
        marks.append(PackageMark(begin.date(), begin.hour, one.state, one.to_correct, name.place))
    return draw_packages(marks, words.language, title=words.text("access.packages"))


def day_in_prague(moment: int) -> str:
    """Return the day of a timestamp in Prague, such as ``2026-11-20``."""
    return in_prague(moment).date().isoformat()
