"""Compare the result rate of a game at one operator with that of all others.

What comes in: play of each day. What goes out: for each operator and game the share of the stakes
that the house kept, the same of all other operators, and by how many standard errors they differ.
The errors are those of ratios of sums of days: no plan is used, so that every game is compared.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.units import Haler

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

__all__ = ["DAYS_MIN", "UNUSUAL", "GameRate", "game_rates"]

DAYS_MIN = 7
"""Days with play on either side below which nothing is compared."""
UNUSUAL = 4.0
"""Standard errors from which a rate is unusual: by chance one of 16,000."""


@dataclass(frozen=True, slots=True)
class GameRate:
    """The share of the stakes that the house kept of a game at one operator, and at the others.

    ``errors`` is by how many standard errors they differ; None with too few days.
    """

    log: str
    game: str
    days: int
    stakes: Haler
    rate: float
    others: float | None
    errors: float | None

    @property
    def is_unusual(self) -> bool:
        """Return whether the rate is unusual."""
        return self.errors is not None and abs(self.errors) >= UNUSUAL


class _Day(NamedTuple):
    stakes: int
    result: int


def game_rates(rows: Iterable[tuple[str, str, int, int]]) -> list[GameRate]:
    """Compare each game of each log with the same game of all others, the most unusual first.

    Args:
        rows: log, game, stakes and result of each day.

    """
    games: dict[str, dict[str, list[_Day]]] = defaultdict(lambda: defaultdict(list))
    for log, game, stakes, result in rows:
        if stakes > 0:
            games[game][log].append(_Day(stakes, result))
    rates = []
    for game, logs in games.items():
        for log, days in logs.items():
            others = [day for other, found in logs.items() if other != log for day in found]
            rate, stakes = _rate(days), sum(day.stakes for day in days)
            of_others = _rate(others) if others else None
            errors = _errors(days, others)
            rates.append(GameRate(log, game, len(days), stakes, rate, of_others, errors))
    return sorted(rates, key=lambda one: (-abs(one.errors or 0.0), one.game, one.log))


def _rate(days: Sequence[_Day]) -> float:
    return sum(day.result for day in days) / sum(day.stakes for day in days)


def _errors(days: Sequence[_Day], others: Sequence[_Day]) -> float | None:
    if min(len(days), len(others)) < DAYS_MIN:
        return None
    spread = sqrt(_variance(days) + _variance(others))
    return (_rate(days) - _rate(others)) / spread if spread else None


def _variance(days: Sequence[_Day]) -> float:
    """Return the variance of a ratio of sums, from the residuals of its days."""
    rate, stakes, number = _rate(days), sum(day.stakes for day in days), len(days)
    squares = sum((day.result - rate * day.stakes) ** 2 for day in days)
    return squares * number / (number - 1) / stakes**2
