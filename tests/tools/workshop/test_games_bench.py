"""The benchmark of settlement settles what it says; how fast is not asked here."""

from __future__ import annotations

import json
from argparse import Namespace
from typing import Any

import pytest

from ledger import games
from tools.workshop.bench.games import measure_game, recorded_rounds, run

SHORT = 0.2
"""Hours in which a round of every game ends."""

pytestmark = pytest.mark.search


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    return recorded_rounds(tmp_path_factory.mktemp("evening"), SHORT)


@pytest.mark.parametrize("game", games.games())
def test_recorded_rounds_can_be_settled_again(
    recorded: dict[str, list[dict[str, Any]]], game: str
) -> None:
    for document in recorded[game]:
        answer = games.settle(document)
        assert "error" not in answer, (answer, document)
        assert len(answer["wagers"]) >= len(document["wagers"]) > 0


def test_a_game_is_measured_in_bets(recorded: dict[str, list[dict[str, Any]]]) -> None:
    """Rounds come again when there are not enough, and their bets are counted again."""
    once = recorded["baccarat.commission"]
    speed = measure_game("baccarat.commission", once, 2 * len(once))
    bets = sum(len(document["wagers"]) for document in once)
    assert (speed.rounds, speed.bets) == (2 * len(once), 2 * bets)
    assert speed.bets_per_second > 0
    assert speed.baseline_bets_per_second > 0


def test_every_game_is_measured(
    recorded: dict[str, list[dict[str, Any]]],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("tools.workshop.bench.games.recorded_rounds", lambda *_: recorded)
    run(Namespace(rounds=2, json=True))
    found = json.loads(capsys.readouterr().out)
    assert [entry["game"] for entry in found["games"]] == list(games.games())
    assert found["machine"]["pokerkit"]
    run(Namespace(rounds=1, json=False))
    assert "sazka.roulette_evolution" in capsys.readouterr().out
