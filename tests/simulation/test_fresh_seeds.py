"""Seeds that no run tried before, for as long as there is time; a failure prints its regression."""

from __future__ import annotations

import os
from time import time_ns

import pytest

from tests.simulation.simulate import run

SECONDS = float(os.environ.get("GAMELEDGER_SIMULATE_SECONDS", "20"))


@pytest.mark.search
def test_every_invariant_holds_for_fresh_seeds() -> None:
    tally = run(time_ns() // 1_000_000, SECONDS)
    assert tally.seeds > 0
    assert not tally.failures, f"the regression is printed above\n{tally}"
