"""Seeds of the simulation with the real engine: tables, continuous play and reconciliation."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from projections.store import projector
from tests.projections.history_cases import emptied
from tests.simulation.simulated_plan import Plan
from tests.simulation.simulation import simulate

if TYPE_CHECKING:
    from projections.store.tables import Store


def plan(seed: int) -> Plan:
    return replace(Plan.draw(seed), feed=1, length=4)


@pytest.mark.parametrize("seed", [8])
def test_tables_say_what_the_events_of_a_seed_say(store: Store, seed: int) -> None:
    result = simulate(plan(seed), store)
    assert not result.failure, f"seed {seed}: {result.text}"
    assert store.head.size > 300


def test_rows_of_a_killed_projector_that_are_not_repaired_are_noticed(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(projector, "recover", lambda _, store: store.head)
    results = (simulate(plan(seed), emptied(store)) for seed in range(3))
    found = next(result for result in results if result.failure)
    assert "rows and held" in found.text, "the projector counts before it writes"
