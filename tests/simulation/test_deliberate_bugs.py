"""The simulation bites: each deliberate bug is found, and nothing without it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.simulation.simulated_bugs import BUGS, SEEDS, seeds_until_found


@pytest.mark.search
@pytest.mark.parametrize("name", BUGS)
def test_a_deliberate_bug_is_found(name: str) -> None:
    seeds, failure = seeds_until_found(name, SEEDS[name])
    assert failure != "not found", f"{name}: {seeds} seeds and nothing"


def test_each_of_them_stands_in_the_table_of_the_docs() -> None:
    table = Path(__file__).parents[2].joinpath("docs", "reliability.md").read_text()
    assert len(BUGS) >= 67
    assert [name for name in BUGS if f"| {name} |" not in table] == []
