"""Drills of the runbook without a broker: a clock that jumps, lost files beside the log.

The full disk of brokers is in ``service/test_full_broker_disk.py``, the lost chain of accesses in
``access/test_readers_and_chain.py``.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ledger.core.clock import HOUR, SECOND, StoppedClock, SystemClock
from ledger.core.errors import AvailabilityError
from ledger.decisions.operator.setup import ListGame
from tests.tools.cli_cases import run
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.writer import Ledger, Receipt


class Clock:
    """A clock that is set by hand."""

    def __init__(self) -> None:
        self.moment = SystemClock().now()

    def now(self) -> int:
        return self.moment


def listed(ledger: Ledger, game: str) -> Receipt:
    return ledger.execute(ListGame(game=game, name=game))


def test_a_clock_that_jumps_ahead_stops_the_record_until_it_is_true_again(studio: Path) -> None:
    clock, directory = Clock(), DataDirectory(studio, LOCAL)
    with directory.lead(clock=clock) as ledger:
        true = listed(ledger, "one").recorded_at
        clock.moment += HOUR
        ahead = listed(ledger, "two").recorded_at
        assert ahead == true + HOUR, "the chain takes the clock's word"
        clock.moment -= HOUR
        with pytest.raises(AvailabilityError, match="the clock went back: it is 3600"):
            listed(ledger, "three")
        clock.moment += HOUR + SECOND
        assert listed(ledger, "three").recorded_at == ahead + SECOND
    with pytest.raises(AvailabilityError, match="the clock is behind the last record"):
        directory.lead(clock=StoppedClock(true))
    assert run("log", "verify", data=studio).returncode == 0


def test_files_beside_the_log_are_made_again_when_they_are_lost(studio: Path) -> None:
    assert run("log", "checkpoint", data=studio).returncode == 0
    assert run("record", data=studio, lines=[{**COMMAND, "game": "one"}]).returncode == 0
    for name in ("tag_map.sqlite", "tree.sqlite", "index.sqlite"):
        (studio / name).unlink()
    assert run("record", data=studio, lines=[{**COMMAND, "game": "two"}]).returncode == 0
    again = run("log", "checkpoint", data=studio)
    assert again.returncode == 0, again.stderr
    verified = json.loads(run("log", "verify", "--json", data=studio).stdout)
    assert verified["tag_map"]
    assert verified["indexed"] == verified["size"]


COMMAND = {"command": "list_game", "name": "Game"}
