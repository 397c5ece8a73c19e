"""Each benchmark runs once, with options with which it takes seconds."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.workshop import bench
from tools.workshop.bench.__main__ import SCENARIOS
from tools.workshop.broker import BrokerMissingError, jars

SECONDS_MAX = 500


@pytest.mark.search
@pytest.mark.parametrize("scenario", SCENARIOS)
def test_a_scenario_runs(scenario: str) -> None:
    if scenario == "kafka":
        try:
            jars()
        except BrokerMissingError as error:
            pytest.skip(str(error))
    done = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "tools.workshop.bench", scenario, *SCENARIOS[scenario].small],
        capture_output=True,
        check=False,
        text=True,
        timeout=SECONDS_MAX,
    )
    assert done.returncode == 0, done.stderr[-3_000:]
    assert done.stdout.strip()


def test_every_module_that_runs_is_a_scenario() -> None:
    modules = {
        file.stem
        for file in Path(bench.__path__[0]).glob("*.py")
        if "\ndef run(" in file.read_text(encoding="utf-8")
    }
    assert modules == SCENARIOS.keys()
