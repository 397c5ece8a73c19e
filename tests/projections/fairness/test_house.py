"""The house's result by bet: exact by the plan, and no fair game accused more often than stated."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import TYPE_CHECKING

import numpy as np
import pytest

from ledger import games
from projections.evalues.evidence import against_payouts
from projections.evalues.payouts import returns_of
from projections.fairness.house import HouseSums, judged

if TYPE_CHECKING:
    from numpy.typing import NDArray

GAME, VERSION = "sazka.roulette_synot", "2025-01-21"
STRAIGHT, STREET, RED = ("straight", "[17]"), ("street", "[1, 2, 3]"), ("red", "")
LIMIT = 20


def sums_of(
    bet: tuple[str, str], payouts: NDArray[np.int64], seen: NDArray[np.int64], begun: int = 0
) -> HouseSums:
    """Return the sums over rounds; ``payouts`` by round and pocket, ``seen`` the pocket of each."""
    stakes = payouts.shape[0] * 100
    results = payouts.shape[1]
    paid = int(payouts[np.arange(len(seen)), seen].sum())
    spread = results * (payouts**2).sum(axis=1) - payouts.sum(axis=1) ** 2
    return HouseSums(
        GAME,
        VERSION,
        bet[0],
        rounds=len(seen),
        staked=stakes,
        kept=stakes - paid,
        begun=begun,
        known=len(seen),
        results=results,
        back=int(payouts.sum()),
        spread=int(spread.sum()),
        most=int(payouts.max()),
        most_back=int(payouts.sum(axis=1).max()),
    )


def payouts_of(bet: tuple[str, str], rounds: int) -> NDArray[np.int64]:
    found = returns_of(GAME, VERSION, *bet)
    assert found is not None
    return np.tile(np.array(found.by_result) * 100 // found.chips, (rounds, 1))


@pytest.mark.parametrize("bet", [STRAIGHT, STREET, RED])
def test_the_capital_of_a_bettor_against_a_fair_wheel_does_not_grow(bet: tuple[str, str]) -> None:
    """The mean over all results of three rounds, each by its chance, is at most the stake of 1."""
    payouts = payouts_of(bet, 1)[0]
    mean, chances = payouts.mean(), 1 / len(payouts)
    values, counts = np.unique(payouts, return_counts=True)
    for rounds in (1, 2, 3):
        whole = 0.0
        for drawn in product(range(len(values)), repeat=rounds):
            excess = sum(mean - values[one] for one in drawn)
            log = against_payouts(
                excess, rounds * payouts.var(), above=mean, below=float(payouts.max())
            )
            whole += float(np.prod(counts[list(drawn)] * chances)) * np.exp(log)
        assert whole <= 1 + 1e-9


def test_fair_wheels_are_accused_no_more_often_than_stated() -> None:
    """Three bets of 400 wheels, looked at after each 20 of 400 spins, with a limit of 20."""
    drawer = np.random.default_rng(8)
    accused = 0
    bets = (STRAIGHT, STREET, RED)
    for _ in range(400):
        seen = drawer.integers(0, 37, 400)
        accused += any(
            (one.evidence or 0) >= LIMIT
            for spins in range(20, 401, 20)
            for one in judged([sums_of(bet, payouts_of(bet, spins), seen[:spins]) for bet in bets])
        )
    assert accused <= 400 / LIMIT


@pytest.mark.parametrize(
    ("bet", "factor", "leans"),
    [(STRAIGHT, 0.0, "house"), (STRAIGHT, 3.0, "players"), (RED, 0.8, "house")],
)
def test_a_wheel_that_avoids_or_favours_the_stakes_is_found(
    bet: tuple[str, str], factor: float, leans: str
) -> None:
    """The pockets that win come with their chance times ``factor``."""
    drawer = np.random.default_rng(3)
    payouts = payouts_of(bet, 6_000)
    chances = np.where(payouts[0] > 0, factor, 1.0) / 37
    lost = payouts[0] == 0
    chances[lost] += (1 - chances.sum()) / lost.sum()
    seen = drawer.choice(37, 6_000, p=chances)
    (found,) = judged([sums_of(bet, payouts, seen)])
    assert found.evidence is not None
    assert found.deviations is not None
    assert found.evidence >= 10_000
    assert (found.deviations > 0) == (leans == "house")


def test_nobody_won_is_no_accusation() -> None:
    """Forty spins without a win of a single number happen to one wheel in three."""
    (found,) = judged([sums_of(STRAIGHT, payouts_of(STRAIGHT, 40), np.zeros(40, dtype=int))])
    assert found.deviations == pytest.approx(
        (4000 - 4000 / 37) / (3600**2 * 36 / 37**2 * 40) ** 0.5
    )
    assert found.evidence is not None
    assert found.evidence < 1


def test_every_game_that_is_examined_has_its_share_of_the_capital() -> None:
    one = sums_of(RED, payouts_of(RED, 10), np.zeros(10, dtype=int))
    shares = [0.0] * 5
    for first in range(5):
        many = [one._replace(version=f"v{n}", begun=n) for n in range(5)]
        found = judged(many)[first].evidence
        assert found is not None
        shares[first] = found
    alone = judged([one])[0].evidence
    assert alone is not None
    of_plan = alone * 2 * len(games.plan(GAME, VERSION).bets)  # type: ignore[attr-defined]
    assert shares == pytest.approx([of_plan / (n * (n + 1)) for n in range(1, 6)], rel=1e-3)
    assert sum(shares) <= of_plan


def test_bets_whose_sum_the_plan_does_not_determine_have_no_verdict() -> None:
    for game, bet in (
        ("baccarat.commission", "banker"),
        ("sazka.blackjack_synot", "main"),
        ("czech_casinos.american_roulette", "red"),
        ("unknown.game", "x"),
    ):
        assert returns_of(game, "unknown", bet, "") is None
    lacking = sums_of(RED, payouts_of(RED, 10), np.zeros(10, dtype=int))._replace(known=9)
    (found,) = judged([lacking])
    assert (found.expected, found.deviations, found.evidence) == (None, None, None)


def test_returns_are_those_of_the_settlement() -> None:
    assert returns_of(GAME, VERSION, "straight", "[17]") == (
        1,
        tuple(36 * (n == 17) for n in range(37)),
    )
    found = returns_of("69games.lucky_wheel_2", "unknown", "x15", "")
    assert found is not None
    assert Fraction(sum(found.by_result), len(found.by_result) * found.chips) == Fraction(16, 17)
