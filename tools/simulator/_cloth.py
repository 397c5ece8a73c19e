"""Bets on a roulette layout: every bet of a plan, grouped by the taste for it."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import games
from ledger.games.roulette import EVEN_CHANCES, INSIDE, TWELVES, RoulettePlan

if TYPE_CHECKING:
    from collections.abc import Hashable
    from random import Random

    from ledger.games.roulette import Bet

__all__ = ["Cloth", "WantedBet", "cloth_of"]

ANNOUNCED = "announced"
COMPLETE = ("complete", "semi_complete")
THINKS_BETTER = 0.7


class WantedBet(NamedTuple):
    """A bet that a player wants to place, without the money; ``bet`` only at a roulette."""

    code: str
    selection: Any = None
    box: str = ""
    bet: Bet | None = None

    @property
    def chips(self) -> int:
        """Into how many chips the stake is divided."""
        return self.bet.chips if self.bet is not None else 1


class Cloth:
    """The bets of one plan by taste: outside, inside, announced."""

    def __init__(self, plan: RoulettePlan) -> None:
        """Sort the bets of a plan."""
        self._codes: dict[str, list[str]] = {"outside": [], "inside": [], ANNOUNCED: []}
        self._wishes: dict[str, list[WantedBet]] = {}
        for code, selections in plan.bets.items():
            self._codes[_taste(code)].append(code)
            self._wishes[code] = [
                WantedBet(code, _as_json(key), bet=bet)
                for key, bet in selections.items()
                if bet.chips
            ]

    def pick(self, random: Random, taste: str) -> WantedBet:
        """Pick a bet to a taste; announced bets of many chips are rare."""
        code = random.choice(self._codes[taste])
        if code in COMPLETE and random.random() < THINKS_BETTER:
            code = "neighbours"
        return random.choice(self._wishes[code])


def _taste(code: str) -> str:
    if code in EVEN_CHANCES or code in TWELVES:
        return "outside"
    return "inside" if code in INSIDE else ANNOUNCED


def _as_json(key: Hashable) -> Any:
    if isinstance(key, games.Neighbours):
        return {"number": key.number, "each_side": key.each_side}
    return list(key) if isinstance(key, tuple) else key


@cache
def cloth_of(game: str, version: str) -> Cloth:
    """Return the cloth of a plan version.

    Raises:
        TypeError: the game is no roulette.

    """
    plan = games.plan(game, version)
    if not isinstance(plan, RoulettePlan):
        raise TypeError(f"{game} is no roulette and has no such cloth")
    return Cloth(plan)
