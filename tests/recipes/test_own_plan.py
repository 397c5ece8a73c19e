"""An operator's own rules and plan, from an installed program and in an empty folder.

Follows ``docs/recipes/add-an-operator.md`` and the first part of ``add-a-game.md``; the round is
that of ``docs/first-round.jsonl``.
"""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.tools.installed_cases import ROOT, Installed
from tools.service.roles import roles_by_command

if TYPE_CHECKING:
    from pathlib import Path

SHIPPED, GAME, VERSION = "sazka.roulette_evolution", "acme.roulette", "2025-01-21"
HEADER = {
    f'game = "{SHIPPED}"': f'game = "{GAME}"',
    'version = "2025-01-21"': f'version = "{VERSION}"\nname_en = "Acme Roulette"',
    'name = "Roulette (Evolution)"': 'name = "Ruleta Acme"',
}
FIRST_ROUND = [
    json.loads(line)
    for line in (ROOT / "docs/first-round.jsonl").read_text(encoding="utf-8").splitlines()
]
STAKE = 10_000


@pytest.fixture(scope="module")
def gameledger(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return Installed(tmp_path_factory.mktemp("installed"))


@pytest.mark.search
@pytest.mark.law("L-40")
def test_a_chain_with_an_operators_own_plan_is_settled_anywhere(
    gameledger: Installed, tmp_path: Path
) -> None:
    for name in ("rules", "plans"):
        (tmp_path / "data" / name).mkdir(parents=True)

    # The operator: a file of rules in the folder, found by the company number.
    rules = gameledger("rules", "show", "sazka", folder=tmp_path).stdout
    assert rules.count('operators = ["26493993"]') == 1
    own = rules.replace('["26493993"]', '["12345678"]').replace("SAZKA", "ACME")
    (tmp_path / "data/rules/acme.toml").write_text(own, encoding="utf-8")
    named = ("--operator", "12345678", "--name", "Acme a.s.", "--chain", "acme-live")
    begun = gameledger("init", *named, "--json", folder=tmp_path)
    assert json.loads(begun.stdout)["rules"] == "acme"

    # The plan: one that ships, under names of its own, and with another price of a split.
    file = tmp_path / f"data/plans/{GAME}@{VERSION}.toml"
    text = gameledger("games", "show", SHIPPED, "--toml", folder=tmp_path).stdout
    for old, new in HEADER.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    file.write_text(text.replace("pays = 17", "pays = -17", 1), encoding="utf-8")
    wrong = gameledger("plan", "check", folder=tmp_path, code=2).stderr
    assert f"{GAME}@{VERSION}.toml.bets.split.pays must be" in wrong
    file.write_text(text.replace("pays = 17", "pays = 18", 1), encoding="utf-8")
    (checked,) = json.loads(gameledger("plan", "check", "--json", folder=tmp_path).stdout)
    assert (checked["game"], checked["state"]) == (GAME, "new")

    # Published and played, as in the first round.
    lines = [
        {**line, "game": GAME} if line.get("game") == SHIPPED else line
        for line in FIRST_ROUND
        if line["command"] != "publish_rules"
    ]
    gameledger("record", folder=tmp_path, lines=lines[:1])
    publish = ("plan", "publish", str(file), "--effective-from", VERSION)
    assert "is published" in gameledger(*publish, folder=tmp_path).stdout
    gameledger("record", folder=tmp_path, lines=lines[1:])  # a late bet is refused

    # Without the file: a writer, a reader and a copy of the chain have the plan.
    shutil.rmtree(tmp_path / "data/plans")
    gameledger("log", "checkpoint", folder=tmp_path)
    gameledger("log", "tiles", "tiles", folder=tmp_path)
    other = tmp_path / "elsewhere"
    other.mkdir()
    gameledger("log", "copy", str(tmp_path / "tiles"), str(other / "data"), folder=other)
    for folder in (tmp_path, other):
        assert "is whole" in gameledger("log", "verify", folder=folder).stdout
        found = json.loads(gameledger("reconcile", "--json", folder=folder).stdout)
        assert found["findings"] == []
        shown = json.loads(gameledger("round", "replay", "r1", "--json", folder=folder).stdout)
        again = gameledger("games", "show", GAME, "--toml", folder=folder).stdout
        assert again == text.replace("pays = 17", "pays = 18", 1)
        (wager,) = shown["wagers"]
        assert wager["due_again"] == wager["paid"] == 19 * STAKE

    # Evidence is settled, and names the game, by the plan that it holds itself.
    gameledger("evidence", "round", "r1", "--out", "r1.html", folder=tmp_path)
    page = (tmp_path / "r1.html").read_text(encoding="utf-8")
    assert "Ruleta Acme" in page
    assert "Acme Roulette" in page
    gameledger("evidence", "verify", str(tmp_path / "r1.html"), folder=other)


def test_the_commands_of_the_recipe_belong_to_a_role() -> None:
    for command in ("list_game", "publish_rules", "launch_game", "publish_operator_rules"):
        assert roles_by_command()[command] == ("back_office",)
