"""Compare the results of wheels, dealers, shoes and the house with what the plans predict."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from projections.fairness.house import house_results
from projections.fairness.watch import Fairness, watch

if TYPE_CHECKING:
    from projections.fairness.house import HouseEdge
    from projections.store.tables import Store

__all__ = ["HouseResult", "WatchedGames", "against_edges", "watched_games"]


class HouseResult(TypedDict):
    """What the house kept of a bet (haléř), what the edge gives, and the deviations between."""

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    expected: int
    deviations: float


class WatchedGames(TypedDict):
    """Results of wheels, dealers and shoes, and of the house, against what the plans say."""

    fairness: Fairness
    house: list[HouseResult]


def watched_games(store: Store, *, at: int) -> WatchedGames:
    """Evaluate everything that is monitored, by the messages below a position."""
    kept = against_edges(house_results(store, at=at))
    return {"fairness": watch(store, at=at), "house": kept}


def against_edges(kept: list[HouseEdge]) -> list[HouseResult]:
    """Compare what the house kept with the calculated edges; bets without an edge are left out."""
    from tools.plans.shipped import house_edges

    plans = {(one.game, one.version) for one in kept}  # reconcile finds what is PLAN_UNKNOWN
    counted = {
        (game, version, bet): float(house)
        for game, version in plans
        for bet, house in house_edges(game, version).items()
    }
    return [
        {
            "game": one.game,
            "version": one.version,
            "bet": one.bet,
            "rounds": one.rounds,
            "staked": one.staked,
            "kept": one.kept,
            "expected": round(share * one.staked),
            "deviations": round(one.deviations(share), 2),
        }
        for one in kept
        if (share := counted.get((one.game, one.version, one.bet))) is not None
    ]
