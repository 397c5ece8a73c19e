"""docs/casino.md: its operating day by hand, and the simulated ones, over midnight."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ledger.core.clock import day_of
from ledger.events import event_types as e
from ledger.events.encoding import decode
from ledger.log.memory import MemoryLog
from ledger.log.sqlite import SqliteLog
from tests.tools.cli_cases import begin_casino, night_with_chips, run
from tools.simulator import START, create
from tools.simulator import run as play

ROOT = Path(__file__).parents[2]


def test_the_first_night_of_the_page_is_recorded_and_has_no_finding(tmp_path: Path) -> None:
    data = tmp_path / "books"
    begin_casino(data)
    done = run("record", "docs/first-night.jsonl", data=data)
    assert (done.returncode, done.stderr) == (0, "27 recorded\n")
    log = SqliteLog(data, writable=False)
    events = [decode(message).event for _, message in log.read()]
    log.close()
    assert [one.result for one in events if isinstance(one, e.SectionClosed)] == [350_000, None]
    counts = [one for one in events if isinstance(one, e.CageCounted)]
    assert [one.amount - one.expected for one in counts if one.stage == "closing"] == [0, 0]
    found = json.loads(run("reconcile", "--json", data=data).stdout)
    assert found["findings"] == []


def test_bets_in_chips_are_never_called_paid_as_due(tmp_path: Path) -> None:
    """A bet that lost was paid fifty thousand: nobody knows here what is due on it."""
    data = night_with_chips(tmp_path / "books")
    shown = " ".join(run("round", "replay", "c1", data=data).stdout.split())
    assert "1 bet apart: 100.00 staked, 50 000.00 paid, CZK" in shown
    assert "Bets in chips are not settled again: what is due on them is not known." in shown
    assert "0 bets of accounts over" in shown
    assert "is what is due" not in shown
    told = json.loads(run("round", "replay", "c1", "--json", data=data).stdout)
    assert told["in_chips"] == [{"currency": "CZK", "bets": 1, "stakes": 10_000, "paid": 5_000_000}]


@pytest.mark.law("L-9")
def test_simulated_operating_days_end_after_midnight_and_carry_their_books(tmp_path: Path) -> None:
    log = MemoryLog()
    with create(log, tmp_path / "keys", seed=5) as ledger:
        summary = play(
            ledger, seed=5, hours=0.1, players=1, tables=1, events_max=2_500, casino=True
        )
        found = [decode(message) for _, message in log.read()]
    opened = [one for one in found if isinstance(one.event, e.OperatingDayOpened)]
    closed = [one for one in found if isinstance(one.event, e.OperatingDayClosed)]
    assert len(opened) == len(closed) > 1
    assert day_of(START) == "2026-11-20"
    for first, last in zip(opened, closed, strict=True):
        assert isinstance(first.event, e.OperatingDayOpened)
        assert isinstance(last.event, e.OperatingDayClosed)
        assert first.event.day == last.event.day == day_of(first.envelope.occurred_at)
        assert day_of(last.envelope.occurred_at) > last.event.day
    results = [one.event.result for one in found if isinstance(one.event, e.SectionClosed)]
    assert len(results) == 4 * len(closed)
    for one in found:
        if isinstance(one.event, e.CageCounted) and one.event.against == "differences":
            assert one.event.amount == one.event.expected
    assert not {"NOT_COUNTED", "COUNTED_ALREADY", "SECTION_NOT_OPEN"} & set(summary.refusals)
