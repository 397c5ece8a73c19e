"""Every pocket, every bet code, every valid selection, against a second reading of the layout.

The oracle is in `roulette_cases`.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from ledger import games
from tests.ledger.games.roulette.roulette_cases import (
    ALL,
    CZECH,
    EVOLUTION,
    SYNOT,
    Chips,
    inside,
    oracle,
)


def all_wagers(game: str) -> list[tuple[dict[str, Any], Chips]]:
    """Write a wager of ten crowns a chip for every bet, each by another player."""
    wagers = []
    for code, selections in oracle(game).items():
        for selection, chips in selections:
            name = f"w{len(wagers)}"
            wager = {"id": name, "player": name, "bet": code, "stake": f"{10 * len(chips)}.00"}
            if selection is not None:
                wager["selection"] = selection
            wagers.append((wager, chips))
    return wagers


@pytest.mark.parametrize("game", ALL)
def test_every_selection_pays_on_every_pocket_what_the_layout_says(game: str) -> None:
    wagers = all_wagers(game)
    assert len(wagers) > 490
    for number in range(37):
        answer = games.settle(
            {
                "id": "r",
                "game": game,
                "wagers": [wager for wager, _ in wagers],
                "outcome": {"number": number} | ({"next_number": 1} if game == CZECH else {}),
            }
        )
        lines = answer["wagers"]
        for (wager, chips), line in zip(wagers, lines, strict=True):
            crowns = sum(10 * 36 // len(chip) for chip in chips if number in chip)
            result = "win" if crowns else "lose"
            if game == CZECH and number == 0 and len(chips[0]) == 18:
                crowns, result = 5, "half_back"
            expected = (wager["id"], wager["stake"], result, f"{crowns}.00")
            assert (line["id"], line["stake"], line["result"], line["payout"]) == expected, wager
            assert line["rule"]
        staked = sum(10 * len(chips) for _, chips in wagers)
        paid = sum(int(line["payout"][:-3]) for line in lines)
        assert (answer["total_staked"], answer["total_payout"]) == (f"{staked}.00", f"{paid}.00")


@pytest.mark.parametrize("game", ALL)
def test_exactly_the_positions_of_the_layout_are_accepted(game: str) -> None:
    plan = games.plan(game)
    for code, size in (("straight", 1), ("split", 2), ("street", 3), ("corner", 4)):
        valid = inside(game)[code]
        for numbers in combinations(range(-1, 38), size):
            problem = games.wager_problem(plan, games.Wager("w", "p", code, 1000, numbers))
            assert (problem is None) == (frozenset(numbers) in valid), (code, numbers)


@pytest.mark.parametrize("game", ALL)
def test_sixlines_are_two_adjacent_rows_and_nothing_else(game: str) -> None:
    plan, sixlines = games.plan(game), inside(game)["sixline"]
    rows = [(n, n + 1, n + 2) for n in range(1, 35)]
    for upper, lower in combinations(rows, 2):
        wager = games.Wager("w", "p", "sixline", 1000, upper + lower)
        valid = frozenset(upper + lower) in sixlines
        assert (games.wager_problem(plan, wager) is None) == valid, (upper, lower)


@pytest.mark.parametrize("game", ALL)
def test_the_house_keeps_one_stake_in_37_on_every_bet(game: str) -> None:
    plan = games.plan(game)
    for selections in plan.bets.values():
        for bet in selections.values():
            assert sum(bet.returns) == 36 * bet.chips, bet.words


@pytest.mark.parametrize("game", [SYNOT, EVOLUTION])
@pytest.mark.parametrize(
    ("number", "chips"), [(0, 6), (1, 8), (2, 11), (3, 8), (17, 12), (34, 6), (36, 6)]
)
def test_a_complete_bet_has_the_stated_number_of_chips(game: str, number: int, chips: int) -> None:
    assert games.plan(game).find_bet("complete", number).chips == chips


@pytest.mark.parametrize(
    ("code", "chips"), [("tiers", 6), ("voisins", 9), ("orphelins", 5), ("zero", 4)]
)
@pytest.mark.parametrize("game", ALL)
def test_a_series_has_the_stated_number_of_chips(game: str, code: str, chips: int) -> None:
    assert games.plan(game).find_bet(code, None).chips == chips


def test_finale_cheval_has_four_chips_up_to_six_and_three_above() -> None:
    plan = games.plan(EVOLUTION)
    counts = [plan.find_bet("finale_cheval", digit).chips for digit in range(10)]
    assert counts == [4] * 7 + [3] * 3


@pytest.mark.parametrize("game", ALL)
def test_a_game_offers_the_bets_of_its_plan_and_no_other(game: str) -> None:
    assert set(games.plan(game).bets) == set(oracle(game))
