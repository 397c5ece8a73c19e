"""The studio before its first evening: games, plan versions, tables, limits, devices."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger import games
from ledger.house.setup import (
    AssignDevice,
    LaunchGame,
    ListGame,
    OpenCasino,
    OpenTable,
    PublishRules,
    SetTableLimits,
)
from tools.simulator._chips import cloth_of
from tools.simulator._players import HALER, PLAN_VERSION
from tools.simulator._tables import Table

if TYPE_CHECKING:
    from ledger.command import Command
    from tools.simulator._stage import Stage

__all__ = ["open_studio"]

GAMES = (("sazka.roulette_evolution", "evo"), ("sazka.roulette_synot", "synot"))
PLACE = "studio-praha"
DEALERS = tuple(f"dealer-{number:02d}" for number in range(1, 13))
CHIP_LEAST = 20
GREATEST = {
    "straight": 2_000,
    "split": 4_000,
    "street": 6_000,
    "corner": 8_000,
    "sixline": 12_000,
    "dozen": 30_000,
    "column": 30_000,
    "red": 50_000,
    "black": 50_000,
    "odd": 50_000,
    "even": 50_000,
    "low": 50_000,
    "high": 50_000,
}
"""Greatest stakes of the tables in crowns, within those of the plans."""
ROUND_GREATEST = 200_000


def open_studio(stage: Stage, number: int, notable: dict[str, str]) -> list[Table]:
    """List and launch the games and take the tables into operation, in turn of each game.

    Args:
        stage: where it happens.
        number: how many tables.
        notable: where tables note what somebody may want to look at.

    """
    in_force = datetime(2025, 1, 21, tzinfo=ZoneInfo("Europe/Prague"))
    commands: list[Command] = []
    for game, _ in GAMES:
        name = games.plan(game, PLAN_VERSION).header.name
        commands += [
            ListGame(game=game, name=name),
            PublishRules(game=game, plan_version=PLAN_VERSION, effective_from=in_force),
            LaunchGame(game=game),
        ]
    address = "Praha 9, K Žižkovu 851"
    commands.append(OpenCasino(place=PLACE, name="Studio Praha", kind="studio", address=address))
    tables = []
    for index in range(number):
        game, short = GAMES[index % len(GAMES)]
        name = f"{short}-{index // len(GAMES) + 1}"
        commands += _table(name, game, index)
        cloth = cloth_of(game, PLAN_VERSION)
        tables.append(Table(stage, name, game, cloth, DEALERS, notable))
    for command in commands:
        stage.send(command)
    return tables


def _table(name: str, game: str, index: int) -> list[Command]:
    stakes = {code: (CHIP_LEAST * HALER, most * HALER) for code, most in GREATEST.items()}
    return [
        OpenTable(
            table=name, registration=f"83/{index + 101}", game=game, place=PLACE, streamed=True
        ),
        SetTableLimits(table=name, stakes=stakes, round_maximum=ROUND_GREATEST * HALER),
        AssignDevice(
            table=name, device=f"wheel-{index + 1}", kind="wheel", serial=f"CAM-{20870 + index}"
        ),
    ]
