"""Every settlement example is played through the writer, and pays what `settle` says.

Examples are the committed vectors of all families, the rounds of the explanations, and random
rounds of each game. There is nothing that a request says and commands cannot: an example that the
driver cannot play fails.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from ledger import games
from tests.ledger.decisions import recorded_hands  # noqa: F401 - games among players are played by it
from tests.ledger.decisions.recorded_play import Player, haler
from tests.ledger.games.blackjack_cases import LAND
from tests.ledger.games.blackjack_cases import request as blackjack
from tests.ledger.games.explained_cases import CASES
from tests.ledger.games.explanation_rounds import ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.ledger.decisions.decisions_casino import Casino

GAMES = Path(__file__).parents[1] / "games"
FILES = (
    "banker_games_examples.jsonl",
    "blackjack/blackjack_examples.jsonl",
    "cash/poker_examples.jsonl",
    "roulette/roulette_vectors.jsonl",
)
RANDOM_ROUNDS = 25


def shared_box(game: str) -> dict[str, Any]:
    """Two players on a box, of whom the second decides and the first joins the double."""
    return blackjack(
        game,
        ["p1 1 main 200.00", "p2 1 main"],
        ["p2 1 double", "p1 1 double"],
        {"1": "5S 6D TC"},
        "9C 8D",
        outcome={"owners": {"1": "p2"}},
    )


def examples() -> Iterator[tuple[str, dict[str, Any]]]:
    for file in FILES:
        for line in (GAMES / file).read_text().splitlines():
            example = json.loads(line)
            request = example.get("input") or example["request"]
            yield request["id"], request
    for name, (request, _line) in CASES.items():
        yield name, request
    for game in LAND:
        yield "an owner who did not bet first", shared_box(game)


def of_game(game: str) -> list[tuple[str, dict[str, Any]]]:
    drawer = random.Random(game)
    listed = [(name, request) for name, request in examples() if request["game"] == game]
    drawn = [(f"random {n}", ROUNDS[game](game, drawer)) for n in range(RANDOM_ROUNDS)]
    return listed + drawn


@pytest.mark.parametrize("game", sorted(ROUNDS))
def test_a_recorded_round_pays_what_settle_says(house: Casino, game: str) -> None:
    player = Player(house, game)
    played = 0
    for name, request in of_game(game):
        answer = games.settle(request)
        if "error" in answer:
            continue
        expected = {line["id"]: haler(line["payout"]) for line in answer["wagers"]}
        assert player.play(request) == expected, (name, request)
        played += 1
    assert played >= 10
