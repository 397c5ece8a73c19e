"""Compare the house's win on each kind of bet with the win that is due by the plan.

What comes in: settled bets; void ones are left out. What goes out: for each bet of a plan the
staked and won amounts. For games that a single spin decides, also the win that is due and the
deviation from it by the exact variance of the plan, and the evidence against a fair game. Bets of
one round win and lose together: the variance is that of whole rounds. Finished days are summed
already
(:mod:`projections.store.house_days`).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import TYPE_CHECKING, NamedTuple

from projections.evalues.evidence import against_payouts, shown_evidence
from projections.evalues.payouts import bets_offered
from projections.store.as_of import as_of, end_of_days
from projections.store.house_days import CHANGES, span

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["BetResult", "HouseSums", "house_results", "judged"]

KEPT = f"""
SELECT
    game, version, bet, sum(rounds) AS rounds, sum(staked) AS staked, sum(kept) AS kept,
    min(begun) AS begun, sum(known) AS known, max(results) AS results, toString(sum(back)) AS back,
    toString(sum(spread)) AS spread, max(most) AS most, max(most_back) AS most_back
FROM
(
    SELECT * FROM daily_house WHERE position <= {{size:Int64}}
    UNION ALL
    SELECT * FROM ({CHANGES})
)
GROUP BY game, version, bet
HAVING rounds > 0
ORDER BY game, version, bet"""  # noqa: S608 - own text


class HouseSums(NamedTuple):
    """Sums over the rounds with a kind of bet; fields as in the table ``daily_house``."""

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    begun: int
    known: int
    results: int
    back: int
    spread: int
    most: int
    most_back: int


@dataclass(frozen=True, slots=True)
class BetResult:
    """Amounts staked on a kind of bet and won by the house, in haléř, with the number of rounds.

    ``expected`` is the win that is due by the plan, ``standard_deviation`` that of the win by the
    plan in haléř, ``deviations`` by how many of them the win exceeds it. ``evidence`` is the
    capital of a bettor against the bet's fairness (:func:`judged`). All are None where the plan
    does not give the chance of every result.
    """

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    expected: Fraction | None = None
    standard_deviation: float | None = None
    deviations: float | None = None
    evidence: float | None = None


def house_results(store: Store, *, at: int | None = None) -> list[BetResult]:
    """Return the house's result by bet of a plan, as of a position."""
    size = as_of(store, at).position
    rows = store.rows(KEPT, size=size, **span(store, end_of_days(store, size), [size]))
    sums = [
        HouseSums(**row | {name: int(row[name]) for name in ("back", "spread")}) for row in rows
    ]
    return judged(sums)


def judged(sums: list[HouseSums]) -> list[BetResult]:
    """Compare the sums of all bets with the plans.

    The capital of 1 against all bets together is divided before the first round: the n-th game that
    was played gets 1/(n (n + 1)) of it, and each bet of its plan an equal part of that. However
    many games and bets there are, and at any number of looks, the chance that the evidence against
    any bet of fair games ever reaches a limit is at most 1 in that limit.
    """
    begun: dict[tuple[str, str], int] = {}
    for one in sums:
        plan = one.game, one.version
        if one.known:
            begun[plan] = min(one.begun, begun.get(plan, one.begun))
    in_order = sorted(begun, key=lambda plan: (begun[plan], plan))
    parts = {plan: n * (n + 1) * bets_offered(*plan) for n, plan in enumerate(in_order, start=1)}
    return [_judged(one, parts.get((one.game, one.version), 0)) for one in sums]


def _judged(one: HouseSums, parts: int) -> BetResult:
    named = one.game, one.version, one.bet, one.rounds, one.staked, one.kept
    if not one.known or one.known != one.rounds:
        return BetResult(*named)
    expected = one.staked - Fraction(one.back, one.results)
    excess = float(one.kept - expected)
    variance = float(Fraction(one.spread, one.results**2))
    due = one.most_back / one.results
    evidence = against_payouts(excess, variance, above=due, below=float(one.most))
    return BetResult(
        *named,
        expected=expected,
        standard_deviation=variance**0.5,
        deviations=excess / variance**0.5 if variance > 0 else None,
        evidence=shown_evidence(evidence - log(parts)),
    )
