"""The simulation bites: each deliberate bug is found, and nothing without it."""

from __future__ import annotations

import pytest

from tests.simulation.simulated_bugs import BUGS, SEEDS, seeds_until_found


@pytest.mark.search
@pytest.mark.parametrize("name", BUGS)
def test_a_deliberate_bug_is_found(name: str) -> None:
    seeds, failure = seeds_until_found(name, SEEDS[name])
    assert failure != "not found", f"{name}: {seeds} seeds and nothing"


def test_there_are_twenty_bugs() -> None:
    assert len(BUGS) >= 20
