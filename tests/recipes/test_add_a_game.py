"""``docs/recipes/add-a-game.md``: a plan version, a game of a known family, a new family."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.recipes.recipe_cases import Tree

PLANS = "ledger/games/plan_data"
WHEEL = "69games.lucky_wheel@unknown.toml"
COIN = '''"""A coin: a wheel with two fields."""

from ledger.games.wheels.plan import WheelPlan


class CoinPlan(WheelPlan, frozen=True):
    """Fields and limits of one coin."""
'''


@pytest.mark.search
def test_a_plan_version_a_game_and_a_family_are_added(tree: Tree) -> None:
    wheel = tree.read(f"{PLANS}/{WHEEL}")

    # A new version of a plan: one data file. A figure that it can't have is named with its place.
    newer = wheel.replace('version = "unknown"', 'version = "2027-01-01"')
    name = f"{PLANS}/69games.lucky_wheel@2027-01-01.toml"
    tree.write(name, newer.replace("fields = 36", "fields = 37"))
    assert "wheel.fields must be the sum of the fields" in tree.stale()
    (tree.path / name).unlink()
    tree.write(name, newer.replace('minimum = "10.00"', 'minimum = "20.00"', 1))
    tree.generate()
    assert "20.00" in tree.read("docs/games.md")
    plan = tree.gameledger("games", "show", "69games.lucky_wheel", "--json")
    assert "2027-01-01" in json.dumps(plan)

    # A new family: a room with a plan, and its line among the families.
    coin = newer.replace("69games.lucky_wheel", "acme.coin").replace('"wheel"', '"coin"')
    tree.write(f"{PLANS}/acme.coin@2027-01-01.toml", coin)
    assert "family must be one of" in tree.stale()
    tree.write("ledger/games/coin/__init__.py", '"""Games with a coin."""\n')
    tree.write("ledger/games/coin/plan.py", COIN)
    tree.replace(
        "ledger/games/plans.py",
        "from ledger.games.roulette.plan import RoulettePlan\n",
        "from ledger.games.coin.plan import CoinPlan\n"
        "from ledger.games.roulette.plan import RoulettePlan\n",
    )
    tree.replace(
        "ledger/games/plans.py",
        '    "roulette": RoulettePlan,\n',
        '    "coin": CoinPlan,\n    "roulette": RoulettePlan,\n',
    )
    tree.generate()
    assert "acme.coin" in tree.read("docs/games.md")
    linter = ("-c", "from importlinter.cli import lint_imports_command as lint; lint()")
    assert "coin" in tree.python(*linter).stdout
    tree.replace(
        "pyproject.toml", '    "baccarat : blackjack', '    "coin",\n    "baccarat : blackjack'
    )
    assert tree.python(*linter).returncode == 0
