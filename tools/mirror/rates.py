"""Compare the result rate of a game at one operator with that of all others.

What comes in: play of each day. What goes out: for each operator and game the share of the stakes
that the house kept, the same of all other operators, and by how many standard errors they differ.
The errors are those of ratios of sums of days: no plan is used, so that every game is compared. Few
days may look alike by chance: their difference counts for as much as one that is as rare by many.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from functools import reduce
from math import copysign, log1p, sqrt
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.units import Haler

if TYPE_CHECKING:
    from collections.abc import Iterable

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


class _Sums(NamedTuple):
    """Days with play, and the sums over them from which rate and variance follow, exactly."""

    days: int = 0
    stakes: int = 0
    results: int = 0
    stakes_squared: int = 0
    results_squared: int = 0
    products: int = 0

    def plus(self, other: _Sums, sign: int = 1) -> _Sums:
        return _Sums(*(one + sign * of for one, of in zip(self, other, strict=True)))

    @property
    def rate(self) -> float:
        return self.results / self.stakes

    @property
    def variance(self) -> float:
        """The variance of a ratio of sums, from the residuals of its days."""
        squares = (
            self.stakes**2 * self.results_squared
            - 2 * self.stakes * self.results * self.products
            + self.results**2 * self.stakes_squared
        )
        return squares * self.days / ((self.days - 1) * self.stakes**4)


def game_rates(rows: Iterable[tuple[str, str, int, int]]) -> list[GameRate]:
    """Compare each game of each log with the same game of all others, the most unusual first.

    Args:
        rows: log, game, stakes and result of each day.

    """
    games: dict[str, dict[str, _Sums]] = defaultdict(lambda: defaultdict(_Sums))
    for log, game, stakes, result in rows:
        if stakes > 0:
            day = _Sums(1, stakes, result, stakes**2, result**2, stakes * result)
            games[game][log] = games[game][log].plus(day)
    rates = []
    for game, logs in games.items():
        everywhere = reduce(_Sums.plus, logs.values())
        for log, own in logs.items():
            others = everywhere.plus(own, -1)
            of_others = others.rate if others.days else None
            errors = _errors(own, others)
            rates.append(GameRate(log, game, own.days, own.stakes, own.rate, of_others, errors))
    return sorted(rates, key=lambda one: (-abs(one.errors or 0.0), one.game, one.log))


def _errors(own: _Sums, others: _Sums) -> float | None:
    if min(own.days, others.days) < DAYS_MIN:
        return None
    spread = sqrt(own.variance + others.variance)
    if not spread:
        return None
    difference, freedom = (own.rate - others.rate) / spread, min(own.days, others.days) - 1
    # From Student's distribution to the normal one: D. L. Wallace, 1959.
    normal = sqrt(freedom * log1p(difference**2 / freedom)) * (8 * freedom + 1) / (8 * freedom + 3)
    return copysign(normal, difference)
