"""The reference of the games: it follows from the plan files, and its switches exist."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ledger import games
from tests.tools.cli_cases import run
from tools.plans.rows import load

if TYPE_CHECKING:
    from pathlib import Path

KEY = re.compile(r"\b([a-z_]+)\.[a-z0-9_.]*[a-z0-9_]")


@pytest.mark.parametrize("game", games.games())
def test_every_key_that_a_reading_names_exists(game: str) -> None:
    plan = load(game)
    assert len(plan.readings()) == len(plan.header.readings) > 2
    for reading in plan.readings():
        named = {m[0] for m in KEY.finditer(reading.taken) if m[1] in plan.document}
        assert {one.split(" = ")[0] for one in plan.switches(reading.taken)} == named, reading


@pytest.mark.parametrize("game", games.games())
def test_every_bet_and_rule_of_a_plan_is_shown(game: str) -> None:
    plan = load(game)
    bets = {row.bet.split(":")[0] for row in plan.bets()}
    for table in ("bets", "fields"):
        for code in plan.document.get(table, {}):
            assert code.replace("_", " ") in bets
    for row in plan.bets():
        assert row.pays or row.placed, row
        assert "{" not in "".join(row)
    for row in plan.rules():
        assert row.value, row
        assert "{" not in "".join(row)
    assert bool(plan.payouts()) == game.endswith("_tournament")


def test_show_prints_every_family(tmp_path: Path) -> None:
    for game, texts in {
        "sazka.all_bets_blackjack": ["lucky lucky: 777 suited", "200:1", "seats.decks"],
        "69games.ultimate_texas_holdem": ["trips: full house", "8:1", "play.times"],
        "69games.lucky_wheel": ["x25 pink", "25:1", "10000.00"],
        "69games.omaha_cash": ["rake.caps", "300.00", "exactly_two"],
        "69games.pineapple_ofc_cash": ["royalties.front_pair.A", "25.00"],
        "69games.omaha_tournament": ["951-1050", "fee.percent_max"],
    }.items():
        shown = run("games", "show", game, data=tmp_path).stdout
        for text in texts:
            assert text in shown, (game, text)
