"""Random rounds of roulette: many players and bets, agreed with the layout; one mistake refused."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest

from ledger import games
from tests.ledger.games.banker_cases import haler, lines_of
from tests.ledger.games.roulette.roulette_cases import (
    ALL,
    CZECH,
    EVOLUTION,
    RED,
    SIXTY_NINE,
    SYNOT,
    oracle,
)

EVEN = {"red", "black", "odd", "even", "low", "high"}
LAND = {SIXTY_NINE, CZECH}


def amount(value: int) -> str:
    return f"{value // 100}.{value % 100:02d}"


def play(game: str, drawer: random.Random) -> tuple[dict[str, Any], dict[str, tuple[str, int]]]:
    """A legal round, with result and payout of every wager."""
    bets, number, following = oracle(game), drawer.randint(0, 36), drawer.randint(0, 36)
    if drawer.random() < 0.3:
        number = 0
    wagers: list[dict[str, Any]] = []
    expected: dict[str, tuple[str, int]] = {}
    gone = "p0" if game not in LAND and drawer.random() < 0.3 else None
    for n in range(drawer.randint(1, 8)):
        code = drawer.choice(list(bets))
        selection, positions = drawer.choice(bets[code])
        chip = drawer.randint(1_000, 50_000)
        stake = chip * len(positions)
        wager = {"id": f"w{n}", "player": f"p{n % 3}", "bet": code, "stake": amount(stake)}
        if selection is not None:
            wager["selection"] = selection
        back = sum(
            Fraction(36 * chip, len(position)) for position in positions if number in position
        )
        result = ("win" if back else "lose", int(back))
        if game == CZECH and code in EVEN:
            unit = drawer.choice([1, 100, 500])
            wager["chip"] = amount(unit)
            stake = unit * drawer.randint(1, 40)
            wager["stake"] = amount(stake)
            result = ("win", 2 * stake) if number in positions[0] else ("lose", 0)
            if number == 0:
                count = stake // unit
                released = count % 2 if following in positions[0] else 0
                result = ("half_back", unit * (count // 2 + released))
        if (game in LAND and drawer.random() < 0.15) or wager["player"] == gone:
            wager["late"] = game in LAND
            result = ("void", stake)
        wagers.append(wager)
        expected[str(wager["id"])] = result
    outcome: dict[str, Any] = {"number": number}
    if game == CZECH:
        outcome["next_number"] = following
    if gone in {wager["player"] for wager in wagers}:
        outcome["disconnects"] = [{"player": gone, "phase": "before_close"}]
    if game not in LAND and drawer.random() < 0.2:
        outcome["invalid_spins"] = [{"reason": "ball_left_wheel"}, {"reason": "wheel_stopped"}]
    return {"id": "r", "game": game, "wagers": wagers, "outcome": outcome}, expected


@pytest.mark.parametrize("game", ALL)
def test_legal_rounds_agree_with_the_layout(game: str) -> None:
    drawer = random.Random(game)
    seen = set()
    for _ in range(500):
        document, expected = play(game, drawer)
        lines = lines_of(document)
        found = {line: (result, haler(payout)) for line, (result, payout) in lines.items()}
        assert found == expected, document
        seen |= {result for result, _ in expected.values()}
    assert seen >= {"win", "lose", "void"}


def bad_selection(wager: dict[str, Any], drawer: random.Random) -> None:
    wrong = [[1, 1], [1, 5], [37], [0, 4], [1, 2, 4], [-1], {"number": 1}, 40, "17", [1, "2"]]
    wager["selection"] = drawer.choice(wrong)


def mutate(document: dict[str, Any], drawer: random.Random) -> set[str]:
    game, outcome, wager = document["game"], document["outcome"], document["wagers"][0]
    mistakes = ["bet", "stake", "selection", "id", "void", "number", "spin", "action", "missing"]
    match drawer.choice([*mistakes, "maximum", "late", "gone"]):
        case "bet":
            wager["bet"] = "side_bet"
            return {"UNKNOWN_BET"}
        case "stake":
            wager["stake"] = drawer.choice(["0.00", "-5.00", "10", "10.0", "1e9", " 5.00"])
            return {"INVALID_STAKE"}
        case "selection":
            bad_selection(wager, drawer)
            return {"INVALID_SELECTION"}
        case "id":
            document["wagers"].append(dict(wager))
            return {"DUPLICATE_WAGER"}
        case "void":
            outcome["void"] = {"reason": "bad_mood"}
            return {"INVALID_VOID_REASON"}
        case "number":
            outcome["number"] = drawer.choice([-1, 37, 100])
            return {"INVALID_OUTCOME"}
        case "spin":
            outcome["invalid_spins"] = [{"reason": "tired"}]
            return {"INVALID_OUTCOME"}
        case "action":
            document["actions"] = [{"player": "p0", "type": "hit"}]
            return {"ACTION_NOT_ALLOWED"}
        case "maximum" if game != CZECH:
            extra = {"id": "x", "player": "p9", "bet": "straight", "selection": [7]}
            limit = "25000.01" if game == SIXTY_NINE else "10000.01"
            document["wagers"].append({**extra, "stake": limit})
            return {"BET_ABOVE_MAXIMUM"}
        case "late" if game not in LAND:
            wager["late"] = True
            return {"BET_AFTER_CLOSE"}
        case "gone" if game in LAND:
            outcome["disconnects"] = [{"player": "p0", "phase": "before_close"}]
            return {"INVALID_OUTCOME"}
        case _:
            document["wagers"].append({"id": "y", "player": "p8", "bet": "red", "stake": "10.00"})
            del outcome["number"]
            return {"OUTCOME_INCOMPLETE"}


@pytest.mark.parametrize("game", ALL)
def test_one_mistake_in_a_legal_round_is_refused_by_its_code(game: str) -> None:
    drawer = random.Random(f"mistake {game}")
    for _ in range(300):
        document, _expected = play(game, drawer)
        codes = mutate(document, drawer)
        answer = games.settle(document)
        assert "error" in answer, document
        assert answer["error"]["code"] in codes, (answer, document)


@pytest.mark.parametrize("game", [SYNOT, EVOLUTION])
def test_a_void_for_single_players_leaves_the_others_to_the_ball(game: str) -> None:
    drawer = random.Random(f"void {game}")
    for _ in range(100):
        document, expected = play(game, drawer)
        document["outcome"]["void"] = {"reason": "operator_interruption", "players": ["p0"]}
        for wager in document["wagers"]:
            if wager["player"] == "p0":
                expected[wager["id"]] = ("void", haler(wager["stake"]))
        lines = lines_of(document)
        assert {name: (r, haler(paid)) for name, (r, paid) in lines.items()} == expected


def test_red_and_black_share_all_pockets_but_zero() -> None:
    """The random rounds mean little if the oracle's colours are wrong."""
    assert len(RED) == 18
    assert sum(RED) + sum(set(range(1, 37)) - RED) == 666
