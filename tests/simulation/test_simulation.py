"""The simulator itself: one history per seed, and failures that get small."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.search import sample
from tests.simulation import simulation
from tests.simulation.simulated_bugs import with_bug
from tests.simulation.simulated_plan import Plan
from tests.simulation.simulation import (
    Result,
    Simulation,
    happened,
    shrunk,
    simulate,
    simulate_seed,
)

REGRESSIONS = sorted(Path(__file__).with_name("regressions").glob("*.json"))
MANY = 30
"""Receipts of a history with something to leave out."""
SEEDS = (0, 1, 2, 8051)
"""The last one has an error of the log on SQLite."""
DIGESTS = f"""
SEEDS = {SEEDS}
from tests.simulation import simulation
print(*(simulation.simulate_seed(number).digest for number in SEEDS))
"""


def test_a_seed_gives_the_same_trace_to_the_byte() -> None:
    """Also in another process, whatever its hashes are."""
    first, again = (simulate_seed(3) for _ in range(2))
    assert first.trace == again.trace
    digests = [simulate_seed(number).digest for number in SEEDS]
    assert len(set(digests)) == len(SEEDS)
    for hashes in sample(("1", "2"), 1):
        other = subprocess.run(  # noqa: S603 - of ours
            [sys.executable, "-c", DIGESTS],
            env={"PYTHONPATH": ":".join(filter(None, sys.path)), "PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        )
        assert other.stdout.split() == digests


def test_seeds_differ_in_medium_faults_and_commands() -> None:
    plans = [Plan.draw(seed) for seed in range(40)]
    assert {plan.medium for plan in plans} == {"disk", "sqlite", "topic"}
    assert len({frozenset(plan.rates) for plan in plans}) > 20
    assert len({frozenset(plan.commands) for plan in plans}) > 20
    assert any(not plan.rates for plan in plans), "some have no faults at all"


def test_a_plan_is_read_as_it_was_written() -> None:
    plan = Plan.draw(7).without([("player0", 1), ("power fails", 3)])
    assert Plan.from_json(plan.to_json("lost")) == plan
    with_engine = next(plan for plan in map(Plan.draw, range(200)) if plan.has_engine)
    assert Plan.from_json(with_engine.to_json("lost")).has_engine


@pytest.mark.search
def test_a_seed_with_the_engine_is_run_again_from_its_regression(tmp_path: Path) -> None:
    # Apart: the engine of this process may hold the tables of other tests.
    plan = next(plan for plan in map(Plan.draw, range(200)) if plan.has_engine)
    regression = tmp_path / "regression.json"
    regression.write_text(plan.to_json(""))
    command = [sys.executable, "-m", "tests.simulation.simulate", "--regression", str(regression)]
    first, again = (
        subprocess.run(  # noqa: S603 - of ours
            command,
            env={"PYTHONPATH": ":".join(filter(None, sys.path))},
            capture_output=True,
            text=True,
            check=False,
        )
        for _ in range(2)
    )
    assert (first.returncode, first.stderr) == (0, ""), first.stdout[-2000:] + first.stderr
    assert first.stdout == again.stdout


def test_a_failure_gets_small_and_stays() -> None:
    with with_bug("repeats are not looked up in the log"):
        results = map(simulate_seed, range(100))
        failed = next(r for r in results if r.failure == "booked twice" and r.receipts > MANY)
        small = shrunk(failed.plan, runs_max=60)
        again = simulate(small)
    assert again.failure == failed.failure
    assert happened(again) < happened(failed)
    assert not simulate(small).failure, "without the bug it holds"


def test_a_plan_with_less_that_comes_to_more_is_not_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What happens after something is left out is drawn again."""
    whole = simulate_seed(3)

    def fails(plan: Plan) -> Result:
        found = simulate(plan)
        more = found.receipts + 1000 * (len(plan.dropped) % 2)
        return found._replace(failure="made up", receipts=more)

    monkeypatch.setattr(simulation, "simulate", fails)
    small = shrunk(whole.plan, runs_max=30)
    assert happened(fails(small)) <= happened(fails(whole.plan))


def test_a_crash_shows_where_it_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Simulation, "look", break_down)
    result = simulate_seed(3)
    assert result.failure == "crashed: ZeroDivisionError"
    assert "in break_down" in result.text


def test_the_trace_shows_appends_offsets_and_epochs() -> None:
    seed = next(seed for seed in range(100) if Plan.draw(seed).medium == "topic")
    trace = "\n".join(simulate_seed(seed).trace)
    assert re.search(r"^\d+ (one|two)/\d+ appended \d+ to \d+$", trace, re.MULTILINE)
    assert re.search(r"^\d+ broker epoch \d+ at offsets \d+ to \d+$", trace, re.MULTILINE)
    assert re.search(r"^\d+ broker epoch \d+ commits at offset \d+$", trace, re.MULTILINE)


@pytest.mark.parametrize("path", REGRESSIONS, ids=lambda path: path.stem)
def test_what_once_failed_holds(path: Path) -> None:
    result = simulate(Plan.from_json(path.read_text()))
    assert not result.failure, result.text
