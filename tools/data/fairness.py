"""Compare the results of wheels, dealers, shoes and the house with what the plans predict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from projections.fairness.corrections import CorrectedRounds, corrected_rounds
from projections.fairness.house import house_results
from projections.fairness.watch import Fairness, watch

if TYPE_CHECKING:
    from fractions import Fraction

    from projections.fairness.house import BetResult
    from projections.store.tables import Store

__all__ = ["HouseResult", "NoVerdict", "WatchedGames", "against_plans", "watched_games"]

NoVerdict = Literal["", "cards", "decisions", "plan"]
"""Why there is no verdict: the cards of a shoe or of a hand link what is paid; the result depends
on decisions, or on the next spin; the plan is not known."""


@dataclass(frozen=True, slots=True)
class HouseResult:
    """What the house kept of a bet (haléř), what is due by the plan, and how far they are apart.

    Deviations are standard deviations by the plan, of which one is so many haléř. Evidence is
    counted as that against wheels; the bet leans from the limit on. `no_verdict` says why all are
    missing.
    """

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    expected: int | None
    standard_deviation: int | None
    deviations: float | None
    evidence: float | None
    leans: bool
    no_verdict: NoVerdict


@dataclass(frozen=True, slots=True)
class WatchedGames:
    """Results of wheels, dealers and shoes, and of the house, against what the plans say.

    `corrected` are dealers, tables and wheels with rounds that were voided or corrected.
    """

    fairness: Fairness
    house: list[HouseResult]
    corrected: list[CorrectedRounds]


def watched_games(store: Store, *, at: int) -> WatchedGames:
    """Evaluate everything that is monitored, by the messages below a position."""
    found = watch(store, at=at)
    house = against_plans(house_results(store, at=at), found.limit)
    return WatchedGames(found, house, corrected_rounds(store, at=at))


def against_plans(results: list[BetResult], limit: int) -> list[HouseResult]:
    """Compare what the house kept with the plans; a bet leans from the evidence `limit` on."""
    return [_against_plan(one, limit) for one in results]


def _against_plan(one: BetResult, limit: int) -> HouseResult:
    expected, no_verdict = _by_edge(one) if one.expected is None else (one.expected, "")
    return HouseResult(
        game=one.game,
        version=one.version,
        bet=one.bet,
        rounds=one.rounds,
        staked=one.staked,
        kept=one.kept,
        expected=_rounded(expected),
        standard_deviation=_rounded(one.standard_deviation),
        deviations=None if one.deviations is None else round(one.deviations, 2),
        evidence=one.evidence,
        leans=one.evidence is not None and one.evidence >= limit,
        no_verdict=no_verdict,
    )


def _rounded(amount: Fraction | float | None) -> int | None:
    return None if amount is None else round(amount)


def _by_edge(one: BetResult) -> tuple[Fraction | None, NoVerdict]:
    """Return what is due by the counted edge, if there is one, and why there is no verdict."""
    from tools.plans.shipped import house_edges

    edges = house_edges(one.game, one.version)
    if edges is None:
        return None, "plan"
    if one.bet not in edges:
        return None, "decisions"
    return edges[one.bet] * one.staked, "cards"
