"""What a bet returns for each equally likely result, by the game plan; pure.

Only games in which one spin decides every bet of a round, and no earlier round changes its odds,
have such a list: their rounds are independent, so that the exact mean and variance of a sum follow
from the bets alone.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from ledger import games
from ledger.games.roulette import EVEN_CHANCES, RoulettePlan
from ledger.games.wheels import WheelPlan

__all__ = ["Returns", "bets_offered", "returns_of"]


class Returns(NamedTuple):
    """What a stake of ``chips`` returns for each of the equally likely results."""

    chips: int
    by_result: tuple[int, ...]


def returns_of(game: str, version: str, bet: str, selection: str) -> Returns | None:
    """Return what a bet with a recorded selection returns for each result.

    Returns None where the plan is unknown or offers no such bet, where players or cards decide,
    and for chips that wait in prison for the next spin.
    """
    try:
        plan = games.plan(game, version)
        match plan:
            case RoulettePlan() if plan.spin.rule_prison is None or bet not in EVEN_CHANCES:
                found = plan.find_bet(bet, json.loads(selection) if selection else None)
                return Returns(found.chips, found.returns)
            case WheelPlan() if bet in plan.fields and not selection:
                odds = plan.fields[bet].odds
                won = odds.numerator + odds.denominator
                returns = [won if name == bet else 0 for name in plan.each_field]
                return Returns(odds.denominator, tuple(returns))
    except (games.SettlementError, ValueError):
        return None
    return None


def bets_offered(game: str, version: str) -> int:
    """Return the number of bet codes of a plan with a single result for each round; at least 1."""
    try:
        plan = games.plan(game, version)
    except games.SettlementError:
        return 1
    match plan:
        case RoulettePlan():
            return max(len(plan.bets), 1)
        case WheelPlan():
            return max(len(plan.fields), 1)
    return 1
