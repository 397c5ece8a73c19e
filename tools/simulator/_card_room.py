"""The card room: a casino on land with a table of every game that players play against each other.

:func:`open_card_room` takes its tables into operation, :func:`seat_players` fills them for an
evening; a tournament runs by its own script.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger import games
from ledger.house.setup import LaunchGame, ListGame, OpenCasino, OpenTable, PublishRules
from tools.simulator._ofc import OpenFaceTable
from tools.simulator._poker import PokerTable
from tools.simulator._poker_hand import PLAN
from tools.simulator._tournament import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

    Table = PokerTable | OpenFaceTable

__all__ = ["CARD_ROOM", "open_card_room", "open_card_tables", "seat_players"]

PLACE = "card-room"
DEALERS = tuple(f"card-dealer-{number:02d}" for number in range(1, 7))
CARD_ROOM = {
    "69games.texas_holdem_cash": "texas",
    "69games.omaha_cash": "omaha",
    "69games.pineapple_ofc_cash": "ofc",
    "69games.texas_holdem_tournament": "cup-texas",
    "69games.omaha_tournament": "cup-omaha",
}
"""Games of the card room with the short names of their tables."""
PLAYERS_A_TABLE = {"ofc": 3}


def open_card_room(stage: Stage) -> None:
    """Name the place where the tables stand."""
    address = "Brno, Veveří 1"
    stage.send(OpenCasino(place=PLACE, name="Card room", kind="casino", address=address))


def open_card_tables(
    stage: Stage, game: str, number: int, notable: dict[str, str]
) -> list[Table | Tournament]:
    """List and launch a game, and take some tables of it into operation.

    Raises:
        KeyError: the game is not one of :data:`CARD_ROOM`.

    """
    short, in_force = CARD_ROOM[game], datetime(2025, 1, 21, tzinfo=ZoneInfo("Europe/Prague"))
    stage.send(ListGame(game=game, name=games.plan(game, PLAN).header.name))
    stage.send(PublishRules(game=game, plan_version=PLAN, effective_from=in_force))
    stage.send(LaunchGame(game=game))
    tables: list[Table | Tournament] = []
    for index in range(1, number + 1):
        name = f"{short}-{index}"
        stage.send(
            OpenTable(table=name, registration=f"83/{name}", game=game, place=PLACE, streamed=False)
        )
        if game.endswith("_tournament"):
            tables.append(Tournament(stage, f"{name}-cup", game, name, notable))
        elif short == "ofc":
            tables.append(OpenFaceTable(stage, name, game, DEALERS, notable))
        else:
            tables.append(PokerTable(stage, name, game, DEALERS, notable))
    return tables


def seat_players(
    stage: Stage, tables: Iterable[Table | Tournament], new_player: Callable[[], Player]
) -> list[Player]:
    """Bring players to every table; those of a tournament enter and come back for it."""
    crowd = []
    for table in tables:
        size = PLAYERS_A_TABLE.get(table.name.rpartition("-")[0], 7)
        players = [new_player() for _ in range(size)]
        crowd += players
        if isinstance(table, Tournament):
            stage.play(_tournament(table, players))
            continue
        table.open()
        for player in players:
            stage.play(player.visit(table), after=stage.random.uniform(1, 400))  # type: ignore[arg-type]
    return crowd


def _tournament(tournament: Tournament, players: list[Player]) -> Script:
    """Let the players register, pay in and log in, then the tournament takes its course."""
    for player in players:
        player.register()
        player.log_in()
        player.pay_in(3 * tournament.buy_in)
        yield tournament.stage.random.uniform(5, 30)
    yield from tournament.play(players)
