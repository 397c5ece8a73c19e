"""Set up the studio before its first evening: games, plan versions, tables, limits, devices."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger import games
from ledger.decisions.operator.devices import AssignDevice, InspectDevice
from ledger.decisions.operator.setup import (
    BeginCasinoHours,
    LaunchGame,
    ListGame,
    OpenCasino,
    OpenTable,
    PublishRules,
    SetTableLimits,
)
from ledger.rules.law import LIVE_TABLES_MIN
from tools.simulator._games import chosen
from tools.simulator._people import REGULAR, make_person
from tools.simulator._players import HALER, Player
from tools.simulator._stage import LiveStage

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events.command import Command
    from ledger.writer import Ledger
    from tools.simulator._games import SimulatedGame
    from tools.simulator._house import HouseTable
    from tools.simulator._stage import Stage

__all__ = ["inspection", "open_studio", "seat_players", "table_commands"]

STUDIO_PLACE, CASINO_PLACE = "studio-praha", "casino-praha"
SEATED_AT_ONCE = 512
DEALERS = tuple(f"dealer-{number:02d}" for number in range(1, 25))


def open_studio(
    stage: Stage, dealt: Sequence[SimulatedGame], number: int, notable: dict[str, str]
) -> list[HouseTable]:
    """List and launch the games and take the tables into operation, in turn of each game.

    Args:
        stage: where it happens.
        dealt: which games.
        number: how many tables.
        notable: where tables note rounds worth a look.

    """
    in_force = datetime(2025, 1, 21, tzinfo=ZoneInfo("Europe/Prague"))
    tables, commands = [], []
    for index in range(number):
        one = dealt[index % len(dealt)]
        name = f"{one.short}-{index // len(dealt) + 1}"
        tables.append(one.table(stage, name, one.game, DEALERS, notable))
    for one in dealt[:number]:
        header = games.plan(one.game).header
        stage.plan_version = stage.plan_version or header.version
        commands += [
            ListGame(game=one.game, name=header.name),
            PublishRules(game=one.game, plan_version=header.version, effective_from=in_force),
            LaunchGame(game=one.game),
        ]
    commands += _places({table.plan.header.streamed for table in tables})
    for index, table in enumerate(tables):
        place = STUDIO_PLACE if table.plan.header.streamed else CASINO_PLACE
        commands += table_commands(table, index, place)
    if sum(not table.plan.header.streamed for table in tables) >= LIVE_TABLES_MIN:
        commands.append(BeginCasinoHours(place=CASINO_PLACE))
    for command in commands:
        stage.send(command)
    return tables


def seat_players(
    ledger: Ledger, game: str, accounts: Sequence[str], wallet: int, *, seed: int
) -> None:
    """Open one table of a game, and seat players who have paid in and may bet.

    Args:
        ledger: a new one; its clock gives the moments.
        game: one that the simulator deals.
        accounts: names of the players' accounts.
        wallet: what each pays in, in haléř.
        seed: of the persons.

    Raises:
        RuntimeError: the ledger refused something.

    """
    stage = LiveStage(ledger, seed=seed, start=0, window=SEATED_AT_ONCE)
    (table,) = open_studio(stage, chosen([game]), 1, {})
    for number, account in enumerate(accounts, 1):
        player = Player(stage, account, make_person(stage.random, number), REGULAR)
        player.register()
        player.pay_in(wallet)
        player.log_in()
        player.sit_down(table)
    stage.drain()
    if stage.refusals:
        raise RuntimeError(f"the ledger refused {dict(stage.refusals)}")


def _places(kinds: set[bool]) -> list[Command]:
    """Name the studio for streamed tables, the casino for the others."""
    address = "Praha 9, K Žižkovu 851"
    found: list[Command] = []
    if True in kinds:
        found.append(
            OpenCasino(place=STUDIO_PLACE, name="Studio Praha", kind="studio", address=address)
        )
    if False in kinds:
        found.append(
            OpenCasino(place=CASINO_PLACE, name="Casino Praha", kind="casino", address=address)
        )
    return found


def table_commands(table: HouseTable, index: int, place: str) -> list[Command]:
    """Return what takes a table into operation at a place, as the one of a number."""
    stakes = {
        code: (smallest * HALER, largest * HALER)
        for code, (smallest, largest) in table.limits.items()
    }
    serial = f"CAM-{20870 + index}" if table.device == "wheel" else f"SHU-{4410 + index}"
    device = f"{table.device}-{index + 1}"
    return [
        OpenTable(
            table=table.name,
            registration=f"83/{index + 101}",
            game=table.game,
            place=place,
            streamed=table.plan.header.streamed,
        ),
        SetTableLimits(table=table.name, stakes=stakes, round_maximum=table.round_largest * HALER),
        AssignDevice(
            table=table.name,
            device=device,
            kind=table.device,  # type: ignore[arg-type]
            serial=serial,
        ),
        inspection(table, index),
    ]


def inspection(table: HouseTable, index: int) -> InspectDevice:
    """Return the inspection of the device of a table before a day of play."""
    return InspectDevice(
        table=table.name,
        device=f"{table.device}-{index + 1}",
        by="inspector",
        passed=True,
        findings="Checked before play: level, undamaged, seals whole.",
    )
