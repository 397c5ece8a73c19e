"""The card room: a casino on land with a table of every game that players play against each other.

Cash tables are open as long as the evening lasts; a tournament is announced and paid for on the
first evening, and played eight days later.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from ledger import games
from ledger.decisions.operator.setup import (
    LaunchGame,
    ListGame,
    OpenCasino,
    OpenTable,
    PublishRules,
)
from tools.simulator._ofc import OpenFaceTable
from tools.simulator._poker import PokerTable
from tools.simulator._poker_hand import PLAN
from tools.simulator._tournament import Tournament

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tools.simulator._card_table import CardTable
    from tools.simulator._players import Incident, Player
    from tools.simulator._stage import Script, Stage

__all__ = ["CARD_ROOM", "CardRoom"]

PLACE = "card-room"
DEALERS = tuple(f"card-dealer-{number:02d}" for number in range(1, 7))
CARD_ROOM = {
    "69games.texas_holdem_cash": "texas",
    "69games.omaha_cash": "omaha",
    "69games.pineapple_ofc_cash": "ofc",
    "69games.texas_holdem_tournament": "cup-texas",
    "69games.omaha_tournament": "cup-omaha",
    "69games.pineapple_ofc_tournament": "cup-ofc",
}
"""Games of the card room with the short names of their tables."""
SEATS_LEFT_FREE = 2


class CardRoom:
    """The tables of the card room and their players; ``tables`` are the cash tables.

    Args:
        stage: of the simulation.
        chosen: games of :data:`CARD_ROOM`, a table of each.
        notable: where tables record rounds of interest.
        new_player: creates a new player.

    """

    def __init__(
        self,
        stage: Stage,
        chosen: Sequence[str],
        notable: dict[str, str],
        new_player: Callable[[], Player],
    ) -> None:
        """Take the tables into operation."""
        self._stage = stage
        self.tables: list[CardTable] = []
        self.tournaments: list[Tournament] = []
        self.players: list[Player] = []
        self._crowd: list[tuple[Player, CardTable]] = []
        if chosen:
            address = "Brno, Veveří 1"
            stage.send(OpenCasino(place=PLACE, name="Card room", kind="casino", address=address))
        for game in chosen:
            self._open_table(game, notable, new_player)

    @property
    def rounds(self) -> int:
        """Number of hands begun."""
        at_tables = sum(table.rounds for table in self.tables)
        return at_tables + sum(tournament.rounds for tournament in self.tournaments)

    @property
    def voided(self) -> int:
        """Number of misdealt hands."""
        return sum(table.voided for table in self.tables)

    def open(self) -> None:
        """Open for an evening; everybody comes in the first minutes."""
        for table in self.tables:
            table.open()
        for player, table in self._crowd:
            self._stage.play(player.visit(table), after=self._stage.random.uniform(1, 400))

    def bring_others(self, new_player: Callable[[], Player]) -> None:
        """Have new players come to the cash tables from now on."""
        self._crowd = [(new_player(), table) for _, table in self._crowd]

    def close(self) -> None:
        """End play after the current hands."""
        for table in self.tables:
            table.is_closing = True

    def _open_table(
        self, game: str, notable: dict[str, str], new_player: Callable[[], Player]
    ) -> None:
        stage, name = self._stage, f"{CARD_ROOM[game]}-1"
        in_force = datetime(2025, 1, 21, tzinfo=ZoneInfo("Europe/Prague"))
        stage.send(ListGame(game=game, name=games.plan(game, PLAN).header.name))
        stage.send(PublishRules(game=game, plan_version=PLAN, effective_from=in_force))
        stage.plan_version = stage.plan_version or PLAN
        stage.send(LaunchGame(game=game))
        registration = f"83/{name}"
        stage.send(
            OpenTable(table=name, registration=registration, game=game, place=PLACE, streamed=False)
        )
        if game.endswith("_tournament"):
            tournament = Tournament(stage, f"{name}-cup", game, name, notable)
            players = [new_player() for _ in range(tournament.seats_max + 1)]
            self.tournaments.append(tournament)
            stage.play(_enter(tournament, players))
        else:
            kind = OpenFaceTable if game.endswith("ofc_cash") else PokerTable
            table: CardTable = kind(stage, name, game, DEALERS, notable)
            table.incidents += INCIDENTS.get(kind, ())
            size = max(table.seats_max - SEATS_LEFT_FREE, 3)
            players = [new_player() for _ in range(size)]
            self.tables.append(table)
            self._crowd += [(player, table) for player in players]
        self.players += players


INCIDENTS: dict[type, tuple[Incident, ...]] = {PokerTable: ("misdeal", "wrong_payment")}
"""What goes wrong at a table on the first evening."""


def _enter(tournament: Tournament, players: list[Player]) -> Script:
    """Have the players register, pay in and log in; then play the tournament."""
    for player in players:
        player.register()
        player.log_in()
        player.pay_in(3 * tournament.buy_in)
        yield tournament.stage.random.uniform(5, 30)
    yield from tournament.play(players)
