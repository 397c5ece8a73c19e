"""Plan data: what is shipped, and how a wrong file is refused."""

from __future__ import annotations

from importlib.resources import files
from types import ModuleType

import pytest

from ledger import games
from ledger.games.plans import read_plan

DATA = files("ledger.games").joinpath("plan_data")
EVOLUTION = DATA.joinpath("sazka.roulette_evolution@2025-01-21.toml").read_text("utf-8")
ROULETTES = {
    "sazka.roulette_synot": ("2025-01-21", 3),
    "sazka.roulette_evolution": ("2025-01-21", 4),
    "69games.roulette": ("unknown", 5),
    "czech_casinos.american_roulette": ("unknown", 10),
}


@pytest.mark.parametrize(("game", "expected"), ROULETTES.items())
def test_a_roulette_plan_has_its_version_and_turns(game: str, expected: tuple[str, int]) -> None:
    assert game in games.games()
    plan = games.plan(game)
    assert (plan.header.version, plan.turns_needed) == expected
    assert plan.header.readings
    assert games.plan(game, expected[0]) is plan


@pytest.mark.parametrize("game", games.games())
def test_every_file_that_is_shipped_loads_and_is_given_as_it_ships(game: str) -> None:
    for version in games.versions(game):
        plan = games.plan(game, version)
        content = DATA.joinpath(f"{game}@{version}.toml").read_bytes()
        assert games.document(game, version) == content.decode()
        assert plan.header.source


@pytest.mark.parametrize(("game", "version"), [("x", None), ("69games.roulette", "2025-01-21")])
def test_an_unknown_plan_is_a_lookup_error_with_the_contract_code(
    game: str, version: str | None
) -> None:
    with pytest.raises(LookupError) as caught:
        games.plan(game, version)
    assert isinstance(caught.value, games.SettlementError)
    assert caught.value.code == "UNKNOWN_GAME"


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("game =", "game :", "is not TOML"),
        ('family = "roulette"', 'family = "bingo"', r"\.family must be one of"),
        ("streamed = true", "", r"\.streamed is missing"),
        ("streamed = true", "streamed = 1", r"\.streamed must be true or false"),
        ("streamed = true", "streamed = false", r"\.rules\.disconnected must be given"),
        ("streamed = true", "streamed = true\nsurprise = 1", r"\.surprise is not known here"),
        ("turns_needed = 4", "turns_needed = -4", r"\.spin\.turns_needed must be an integer"),
        ("turns_needed = 4", "turns_needed = 4\nturns = 4", r"\.spin\.turns is not known here"),
        ('round_maximum = "1000000.00"', "round_maximum = 1000000", "must be a string"),
        ('round_maximum = "1000000.00"', 'round_maximum = "1 000 000"', "must be an amount"),
        ("round_maximum", "round_max", r"\.limits\.round_max is not known here"),
        ("pays = 35", "", r"\.bets\.straight\.pays is missing"),
        ("pays = 35", "pays = 35\npay = 34", r"\.bets\.straight\.pay is not known here"),
        ("[bets.red]", "[bets.rouge]", r"\.bets\.rouge\.form is missing"),
        ("[bets.corner]", "[bets.basket]", r"\.bets\.basket\.with_zero must give"),
        ("with_zero = [[0, 1], [0, 2], [0, 3]]", "with_zero = [[0, 37]]", "pockets 0 to 36"),
        (
            "with_zero = [[0, 1], [0, 2], [0, 3]]",
            "with_zero = [0]",
            r"with_zero\[0\] must be a list",
        ),
        ('form = "neighbours"', 'form = "voices"', r"\.form must be one of"),
        ("chips = [[26], [0, 3], [12, 15], [32, 35]]", "chips = []", "lays no chips"),
        ("chips = [[26], [0, 3], [12, 15], [32, 35]]", "chips = [[1, 36]]", "not offered"),
        ('chips_per_position = "one"', 'chips_per_position = "two"', 'must be "by_numbers" or'),
        ('missing_split = "straight"', 'missing_split = "zero"', 'must be "straight" or'),
        ('positions = ["straight",', "positions = [1,", r"positions\[0\] must be a string"),
        ("[[readings]]", "[readings]", "is not TOML"),
        ("[rules]", "[rulez]", r"\.rules is missing"),
        ("[rules]", "rules = 1\n[rulez]", r"\.rules must be a table"),
    ],
)
def test_a_wrong_plan_file_is_refused_with_file_and_key(old: str, new: str, complaint: str) -> None:
    assert old in EVOLUTION
    with pytest.raises(games.PlanError, match=complaint) as caught:
        read_plan(EVOLUTION.replace(old, new, 1).encode(), "evolution.toml")
    assert str(caught.value).startswith("evolution.toml")


def test_the_other_reading_of_a_complete_bet_weighs_by_numbers() -> None:
    other = EVOLUTION.replace('chips_per_position = "one"', 'chips_per_position = "by_numbers"')
    plan = read_plan(other.encode(), "other")
    assert plan.find_bet("complete", 17).chips == 1 + 4 * 2 + 3 + 4 * 4 + 2 * 6


def test_the_other_reading_of_finale_cheval_has_three_chips_from_four_on() -> None:
    other = EVOLUTION.replace('missing_split = "straight"', 'missing_split = "none"')
    plan = read_plan(other.encode(), "other")
    assert [plan.find_bet("finale_cheval", digit).chips for digit in range(10)] == [4] * 4 + [3] * 6


def test_the_public_names_are_those_that_can_be_imported() -> None:
    public = {
        name
        for name, value in vars(games).items()
        if not (name.startswith("_") or isinstance(value, ModuleType))
    }
    assert set(games.__all__) == public
    assert len(games.__all__) == len(public)
