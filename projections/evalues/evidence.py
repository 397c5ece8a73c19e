"""Strength of the evidence of counts against a fair device, valid at any stopping time.

Pure: counts come in, logarithms of e-values go out. An e-value is the capital of a gambler who
starts with 1 and bets, result after result, against the device being fair, at fair odds. For a fair
device it is a martingale, so it *ever* reaches 10,000 with a chance of at most 1 in 10,000 (Ville's
inequality), however often it is computed: no further correction is needed. The gambler does not
know how a device is biased and spreads the capital over the possible faults; a mean of e-values is
an e-value.

All functions work over the last axis and accept any number of axes before it.
"""

from __future__ import annotations

from math import lgamma
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Numbers = NDArray[Any]

__all__ = [
    "STRENGTHS",
    "against_arcs",
    "against_payouts",
    "against_shares",
    "against_shoe",
    "mean_of",
    "shown_evidence",
]

STRENGTHS = (30.0, 300.0, 3_000.0)
"""Weights, in results, of the prior "as the plan says" against counts: small ones detect strong
biases early, large ones weak biases late."""

BETS_PER_HALER = 2.0 ** -np.arange(48)
"""Strengths of bets on sums of money, for sums from one haléř to billions of crowns."""
BENNETT_STEP_MAX = 50.0
"""Beyond this product of strength and bound a bet costs more than any win brings in."""

_lgamma = np.vectorize(lgamma, otypes=[float])


def mean_of(logs: Sequence[Numbers]) -> Numbers:
    """Return the logarithm of the mean of e-values that are given as logarithms."""
    found: Numbers = np.logaddexp.reduce(np.stack(logs), axis=0) - np.log(len(logs))
    return found


def shown_evidence(log: float) -> float:
    """Convert the logarithm of an e-value for display: four digits, at most the largest float."""
    return float(f"{np.exp(min(log, 690.0)):.4g}")


def against_shares(counts: Numbers, shares: Sequence[float] | Numbers) -> Numbers:
    """Return the evidence of counts against required probabilities (numbers, colours, fields).

    The bet is a Dirichlet mixture around the probabilities. Kinds with probability 0 must not
    occur.
    """
    fair = np.asarray(shares, dtype=float)
    counted = np.asarray(counts, dtype=float)
    total = counted.sum(axis=-1)
    at_odds = (counted * np.log(fair)).sum(axis=-1)
    logs = []
    for strength in STRENGTHS:
        guess = strength * fair
        bet = _lgamma(guess + counted) - _lgamma(guess)
        logs.append(_lgamma(strength) - _lgamma(strength + total) + bet.sum(axis=-1) - at_odds)
    return mean_of(logs)


def against_arcs(counts: Numbers, width: int) -> Numbers:
    """Return the evidence of counts (in the order of the wheel) against arcs of neighbours.

    A wheel that is tilted, or worn in one place, favours neighbouring pockets: each arc of
    ``width`` pockets gets an equal part of the capital.
    """
    counted = np.asarray(counts)
    pockets = counted.shape[-1]
    around = np.concatenate([counted, counted[..., : width - 1]], axis=-1)
    sums = np.concatenate([np.zeros((*counted.shape[:-1], 1)), around.cumsum(axis=-1)], axis=-1)
    inside = sums[..., width:] - sums[..., :-width]
    outside = counted.sum(axis=-1)[..., None] - inside
    share = width / pockets
    logs = against_shares(np.stack([inside, outside], axis=-1), (share, 1 - share))
    return mean_of(list(np.moveaxis(logs, -1, 0)))


def against_shoe(
    cards: Sequence[int], of_each: int, weights: Numbers, *, earlier: Sequence[int] = ()
) -> Numbers:
    """Return the evidence of one shoe's cards, in the order in which they were dealt face up.

    The odds of a card depend on the previous ones: each card is bet on with the odds of the unseen
    cards, times ``weights``, which are fixed before the cards. Burnt and face-down cards count as
    unseen, which is correct for the odds.

    Args:
        cards: kind of each card, counted from 0.
        of_each: cards of each kind in a full shoe.
        weights: factor by which each kind is bet to be more frequent than fair, a row per bet.
        earlier: cards of the shoe that were dealt before; no bet is made on them.

    """
    drawn = np.asarray([*earlier, *cards], dtype=int)
    seen = np.zeros((len(drawn), weights.shape[-1]))
    seen[np.arange(len(drawn)), drawn] = 1
    left = of_each - (seen.cumsum(axis=0) - seen)
    was_there = left[np.arange(len(drawn)), drawn] > 0  # another check reports surplus cards
    was_there[: len(earlier)] = False
    drawn, left = drawn[was_there], np.maximum(left[was_there], 0)
    odds = np.log(weights[:, drawn]) + np.log(left.sum(axis=-1)) - np.log(weights @ left.T)
    found: Numbers = odds.sum(axis=-1)
    return found


def against_payouts(excess: float, variance: float, *, above: float, below: float) -> float:
    """Return the evidence of the house's win against the win that is due by the plan.

    By Bennett's inequality a round with the mean 0, the variance v and the bound b multiplies a bet
    of strength s by ``exp(s * x - v * (exp(s * b) - 1 - s * b) / b**2)``, whose mean is at most 1.
    The bound takes account of rare large wins, for which a normal distribution does not hold.

    Args:
        excess: sum over the rounds of what the house won beyond the mean by the plan, in haléř.
        variance: sum of the variances of these rounds by the plan, or more.
        above: no round could exceed its mean by more; the largest such bound of all rounds.
        below: no round could fall short of its mean by more.

    """
    logs = [np.zeros(len(BETS_PER_HALER))]
    for gain, bound in ((excess, above), (-excess, below)):
        if variance > 0 and bound > 0:
            steps = BETS_PER_HALER * bound
            usable = steps < BENNETT_STEP_MAX
            cost = (np.expm1(steps[usable]) - steps[usable]) * (variance / bound**2)
            log = np.full(len(steps), -np.inf)
            log[usable] = BETS_PER_HALER[usable] * gain - cost
            logs.append(log)
        else:
            logs.append(logs[0])
    return float(mean_of(list(np.concatenate(logs[1:]))))
