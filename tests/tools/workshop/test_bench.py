"""The benchmarks do what they say they measure; how fast is not asked here."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.log.port import Query
from ledger.log.sqlite import SqliteLog
from tests.verifier.verifier_cases import verifier
from tools.workshop.bench.load import begin, lengthen
from tools.workshop.bench.scale import grow
from tools.workshop.bench.stand_alone import compare, evenings, rows
from tools.workshop.bench.steps import measure
from tools.workshop.bench.writing import bet_decisions, library_decisions

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.search


def test_bets_are_placed_and_played(tmp_path: Path) -> None:
    """Every bet of every round is settled, none refused; settling takes time too."""
    rates = bet_decisions(tmp_path, 301)
    log = SqliteLog(tmp_path, writable=False)
    settled = log.find(Query(types=("BetSettled",)))
    log.close()
    assert len(settled) == 301
    assert rates.placed > rates.played > 0


def test_the_library_plays_the_same_bets(tmp_path: Path) -> None:
    """The baseline runs, and its settlement takes time too."""
    rates = library_decisions(tmp_path, 20)
    assert rates.placed > rates.played > 0


def test_each_step_reads_the_whole_chain(tmp_path: Path) -> None:
    """The rebuild, its baselines and the verifier see the same events."""
    begin(tmp_path).close()
    log = SqliteLog(tmp_path, writable=True)
    lengthen(log, 5_000)
    size = log.head().size
    log.close()
    steps = (
        "plain",
        "verify",
        "verify_index",
        "links",
        "rebuild",
        "without_views",
        "decode_rows",
    )
    assert {measure(step, tmp_path)["events"] for step in steps} == {size}


def test_a_log_that_grows_is_measured_at_each_size(tmp_path: Path) -> None:
    """The log goes on where it ended, and every question finds something in it."""
    found = grow((6_000,), tmp_path) + grow((9_000,), tmp_path)
    assert [row["events"] // 1_000 for row in found] == [6, 9]
    assert all(value > 0 for row in found for value in row.values())
    assert measure("verify", tmp_path)["events"] == found[-1]["events"]


def test_the_stand_alone_verifier_is_measured_on_simulated_evenings(tmp_path: Path) -> None:
    program = verifier()
    evenings(tmp_path, 3_000)
    found = compare(program, tmp_path)
    assert found["events"] >= 3_000
    assert 0 < found["peak_mb"] < 200
    few = {"events_few": 1, "peak_mb_few": 1.0, "events_many": 1, "peak_mb_many": 1.0}
    assert len(rows(found | few)) == 2
    assert "make verifier" in rows(None)[0][0]
