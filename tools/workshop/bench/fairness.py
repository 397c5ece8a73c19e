"""Measure how soon a biased wheel is found, and how rarely a fair one is reported.

Biased wheels are spun until the evidence of ``projections.evalues`` reaches the limit of a finding;
fair ones are spun for years and evaluated at the end of each week. Many wheels are simulated at
once, as arrays.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import numpy as np

from ledger.games.roulette import POCKETS, WHEEL
from projections.evalues.devices import ARC, wheel_evidence
from projections.evalues.evidence import mean_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["accused", "run", "spins_until_found"]

SPINS_A_WEEK = 7 * 960
"""A spin in 90 seconds, day and night."""
WEEKS = 52
AT_ONCE = 50
LEANS = {
    "one number, half as often again": (1, 0.5),
    "one number, a quarter more often": (1, 0.25),
    "an arc of nine, a fifth more often": (ARC, 0.2),
    "an arc of nine, a tenth more often": (ARC, 0.1),
}


def _leaning(width: int, more: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the probabilities of a wheel with ``width`` neighbouring pockets favoured."""
    chances = np.ones(len(POCKETS))
    chances[list(WHEEL[:width])] += more
    others = [number for number in POCKETS if number not in WHEEL[:width]]
    chances[others] -= width * more / len(others)
    found: np.ndarray[tuple[int], np.dtype[np.float64]] = chances / len(POCKETS)
    return found


def spins_until_found(
    width: int, more: float, *, limit: int, wheels: int, seed: int, step: int = 100
) -> list[int]:
    """Spin leaning wheels; return after how many spins each was found, looking each ``step``."""
    draw, found = np.random.default_rng(seed), []
    counts = np.zeros((wheels, len(POCKETS)), dtype=int)
    spins = 0
    while len(counts):
        counts = counts + draw.multinomial(step, _leaning(width, more), size=len(counts))
        spins += step
        is_found = mean_of(list(wheel_evidence(counts).values())) >= np.log(limit)
        found += [spins] * int(is_found.sum())
        counts = counts[~is_found]
    return found


def accused(years: int, limits: Sequence[int], *, seed: int) -> list[int]:
    """Spin as many fair wheels for a year; return how many reached each limit at any week's end."""
    draw, found = np.random.default_rng(seed), np.zeros(len(limits), dtype=int)
    fair = np.full(len(POCKETS), 1 / len(POCKETS))
    for first in range(0, years, AT_ONCE):
        wheels = min(AT_ONCE, years - first)
        counts = draw.multinomial(SPINS_A_WEEK, fair, size=(wheels, WEEKS)).cumsum(axis=1)
        highest = mean_of(list(wheel_evidence(counts).values())).max(axis=1)
        found += (highest[:, None] >= np.log(limits)).sum(axis=0)
    return found.tolist()


def run(asked: argparse.Namespace) -> None:
    """Measure, and print a table for docs/fairness.md."""
    began = time.process_time()
    print("| lean | found after, half of them | nine of ten |\n|---|---|---|")
    for name, (width, more) in LEANS.items():
        found = spins_until_found(
            width, more, limit=asked.limit, wheels=asked.wheels, seed=asked.seed
        )
        half, most = np.percentile(found, [50, 90])
        print(f"| {name} | {half:,.0f} spins | {most:,.0f} spins |", flush=True)
    limits = sorted({100, 1_000, asked.limit})
    wrong = accused(asked.years, limits, seed=asked.seed)
    for limit, wheels in zip(limits, wrong, strict=True):
        print(f"limit {limit:,}: {wheels} of {asked.years:,} fair wheels were accused in a year")
    print(f"{time.process_time() - began:.0f} s of processor time")
