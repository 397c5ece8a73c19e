"""The benchmark of settlement settles what it says; how fast is not asked here."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING

import pytest
from cli_cases import run

from ledger import games
from tools.bench.dealer import deal
from tools.bench.games import measure_game

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("game", games.games())
def test_dealt_rounds_are_legal_and_repeatable(game: str) -> None:
    drawer, again = random.Random(game), random.Random(game)
    for _ in range(25):
        document = deal(game, drawer)
        answer = games.settle(document)
        assert "error" not in answer, (answer, document)
        assert len(answer["wagers"]) >= len(document["wagers"]) > 1
        assert deal(game, again) == document


def test_a_game_is_measured_in_bets() -> None:
    speed = measure_game("sazka.casino_holdem", 3)
    assert (speed.rounds, speed.bets) == (3, 45)
    assert speed.bets_per_second > 0
    assert speed.baseline_bets_per_second > 0


def test_the_command_measures_every_game(tmp_path: Path) -> None:
    found = json.loads(run("games", "bench", "--rounds", "2", "--json", data=tmp_path).stdout)
    assert [entry["game"] for entry in found["games"]] == list(games.games())
    assert found["machine"]["pokerkit"]
    shown = run("games", "bench", "--rounds", "1", data=tmp_path).stdout
    assert "sazka.roulette_evolution" in shown
