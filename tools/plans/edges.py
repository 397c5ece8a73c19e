"""House edge of every bet, from the plan data, by exact counting.

The house edge is a fraction of the stake: the sum over all equally likely cards or fields of what
is lost, less what is won. `edges` returns it for each bet of a plan as an exact fraction, next to
the published value for that bet, if there is one. A bet whose outcome depends on how the player
plays has no edge of its own: it is listed with that reason and no value. Shoes are full and
shuffled; rounding to the haléř is ignored.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.baccarat import BaccaratPlan
from ledger.games.blackjack import BlackjackPlan
from ledger.games.casino_poker import CasinoHoldemPlan, UltimateHoldemPlan
from ledger.games.roulette import RoulettePlan
from ledger.games.wheels import WheelPlan
from tools.plans._baccarat import baccarat_edges
from tools.plans._blackjack import blackjack_edges
from tools.plans._edge import Edge, percent
from tools.plans._poker import holdem_edges, ultimate_edges
from tools.plans._published import published
from tools.plans._roulette import roulette_edges, wheel_edges

if TYPE_CHECKING:
    from ledger.games import GamePlan

__all__ = ["Edge", "edges", "percent"]

_AGAINST_PLAYERS = "players play against each other; the house takes a fee, not an edge"


def edges(plan: GamePlan) -> list[Edge]:
    """Return the edge of every bet of a plan, with the published values."""
    return [
        Edge(edge.bet, edge.house, edge.note, *published(plan.header.game, edge.bet))
        for edge in _counted(plan)
    ]


def _counted(plan: GamePlan) -> list[Edge]:
    match plan:
        case RoulettePlan():
            return roulette_edges(plan)
        case WheelPlan():
            return wheel_edges(plan)
        case BaccaratPlan():
            return baccarat_edges(plan)
        case BlackjackPlan():
            return blackjack_edges(plan)
        case CasinoHoldemPlan():
            return holdem_edges(plan)
        case UltimateHoldemPlan():
            return ultimate_edges(plan)
    return [Edge("all", None, _AGAINST_PLAYERS)]
