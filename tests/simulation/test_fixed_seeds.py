"""Seeds that every run tries; a search tries more of them."""

from __future__ import annotations

import pytest

from tests.search import amount
from tests.simulation.simulation import simulate_seed


@pytest.mark.parametrize("first", range(0, amount(25, 500), 25))
def test_every_invariant_holds(first: int) -> None:
    for seed in range(first, first + 25):
        result = simulate_seed(seed)
        assert not result.failure, f"seed {seed}: {result.text}"
