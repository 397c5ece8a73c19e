"""Commands judge what is late by the clock, at `--now`, or as of a day."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ledger.core.clock import SystemClock
from tests.tools.cli_cases import run_here
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

DECADE = {"GAMELEDGER_NOW": "2036-01-01T00:00"}


@pytest.fixture
def studio(studio: Path) -> Iterator[Path]:
    with tables.keep_tables_open(studio / "projection"):
        yield studio


def ask(data: Path, *arguments: str, **environment: str) -> Any:
    done = run_here(*arguments, "--json", data=data, environment=environment)
    assert done.returncode in {0, 1}, done.stderr
    return json.loads(done.stdout)


def codes(found: Any) -> set[str]:
    return {one["code"] for one in found["findings"]}


def test_a_silent_chain_is_found_by_the_clock_only(studio: Path) -> None:
    then = ask(studio, "reconcile")
    assert "CHAIN_SILENT" not in codes(then)
    later = ask(studio, "reconcile", **DECADE)
    assert "CHAIN_SILENT" in codes(later)
    assert later["moment"] > then["moment"]
    again = ask(studio, "reconcile", "--now", "2036-01-01T00:00")
    assert again == later
    as_of = ask(studio, "reconcile", "--to", str(then["position"]), GAMELEDGER_NOW="")
    assert (as_of["moment"], codes(as_of)) == (then["moment"], codes(then))
    now = SystemClock().now()
    assert ask(studio, "reconcile", GAMELEDGER_NOW="")["moment"] >= now


def test_its_own_findings_do_not_end_the_silence(studio: Path) -> None:
    run_here("reconcile", "--record", data=studio, environment=DECADE)
    again = ask(studio, "reconcile", "--since", "last", **DECADE)
    assert "CHAIN_SILENT" in codes(again)
    assert again["findings"] == ask(studio, "reconcile", **DECADE)["findings"]


def test_a_moment_that_is_none_is_refused(studio: Path) -> None:
    done = run_here("duty", "list", "--now", "soon", data=studio)
    assert done.returncode == 2
    assert "soon" in done.stderr
