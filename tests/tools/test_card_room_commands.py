"""The card room on the command line: simulate it, replay a hand, show a tournament."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from tests.tools.cli_cases import run, run_here
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

GAMES = "69games.texas_holdem_cash,69games.pineapple_ofc_tournament"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A quarter of an hour of poker, and a tournament of open-face."""
    data = tmp_path_factory.mktemp("room") / "data"
    done = run("simulate", "--games", GAMES, "--hours", "0.25", "--seed", "4", data=data)
    assert done.returncode == 0, done.stderr
    with tables.keep_tables_open(data / "projection"):
        yield data


def asked(room: Path, *arguments: str, code: int = 0) -> Any:
    done = run_here(*arguments, "--json", data=room)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def test_hands_are_listed_and_replayed(room: Path) -> None:
    found = asked(room, "round", "list", "--game", "69games.texas_holdem_cash")["rounds"]
    sound = next(line for line in found if line["status"] == "settled")
    assert sound["stakes"] > 0
    done = run_here("round", "replay", sound["round"], data=room)
    assert done.returncode == 0, done.stderr
    assert "Hand, in CZK" in done.stdout
    assert "25.00, 50.00" in done.stdout
    assert "won again by" in done.stdout
    assert "What was paid is what is due." in done.stdout


def test_the_wrong_pot_is_found(room: Path) -> None:
    found = asked(room, "reconcile", code=1)["findings"]
    assert [one["code"] for one in found] == ["PAID_TOO_LITTLE"]


def test_a_tournament_is_listed_and_shown(room: Path) -> None:
    (line,) = asked(room, "tournament", "list")
    assert (line["tournament"], line["status"]) == ("cup-ofc-1-cup", "ended")
    shown = asked(room, "tournament", "show", "cup-ofc-1-cup")
    assert sum(prize["paid"] for prize in shown["prizes"]) == shown["pool"]["prize_pool"]
    done = run_here("tournament", "show", "cup-ofc-1-cup", data=room)
    assert "Prizes, divided again" in done.stdout
