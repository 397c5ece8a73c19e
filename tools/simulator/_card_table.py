"""A table of the card room: who sits there, and one hand after the other."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.decisions.operator.setup import SeatDealer

if TYPE_CHECKING:
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

__all__ = ["DEALT_BY", "CardTable", "RunningHand"]

DEALT_BY = "table"
SHIFT_HANDS = 30
LONELY_SECONDS = 15


@dataclass(slots=True)
class RunningHand:
    """The hand that runs, as players see it; there are no bets against the house."""

    name: str
    players: list[Player]
    is_open: bool = False

    def has_bets_of(self, player: Player) -> bool:
        """Return whether a player takes part."""
        return player in self.players


@dataclass(slots=True)
class CardTable(ABC):
    """One table; what is played there a subclass says."""

    stage: Stage
    name: str
    game: str
    dealers: tuple[str, ...]
    notable: dict[str, str]
    seats_max: int = 9
    seated: list[Player] = field(default_factory=list)
    rounds: int = 0
    voided: int = 0
    bets: int = 0
    round: RunningHand | None = None
    is_closing: bool = False
    troubles: list[str] = field(default_factory=list)

    def open(self) -> None:
        """Open the table for an evening."""
        self.is_closing = False
        self.stage.play(self._evening(), after=self.stage.random.uniform(1, 40))

    @property
    def has_room(self) -> bool:
        """Is a seat free?"""
        return len(self.seated) < self.seats_max

    def seat(self, player: Player) -> None:
        """Let a player sit down."""
        self.seated.append(player)

    def leave(self, player: Player) -> None:
        """Let a player go."""
        self.seated.remove(player)

    def take_away(self, player: Player) -> None:  # noqa: B027 - as a table of the house is asked
        """Take nothing: what lies there is in a pot, and that stays."""

    @abstractmethod
    def stack(self, player: Player) -> int:
        """Return the chips that a player has on the table in haléř; 0 is too little to play."""

    @abstractmethod
    def play_hand(self, name: str, players: list[Player]) -> Script:
        """Play a hand; the last player has the button."""

    def _evening(self) -> Script:
        turns = 0
        while not self.is_closing:
            if turns % SHIFT_HANDS == 0:
                dealer = self.stage.random.choice(self.dealers)
                self.stage.send(SeatDealer(table=self.name, dealer=dealer, source=DEALT_BY))
            turns += 1
            players = [player for player in self.seated if self._is_ready(player)]
            if len(players) < 2:  # noqa: PLR2004 - nobody plays alone
                yield LONELY_SECONDS
                continue
            self.rounds += 1
            turn = self.rounds % len(players)
            players = players[turn:] + players[:turn]
            self.round = RunningHand(f"{self.name}-{self.rounds:05d}", players)
            yield from self.play_hand(self.round.name, players)
            self.bets += len(players)
            self.round = None
            yield self.stage.random.uniform(5, 15)

    def _is_ready(self, player: Player) -> bool:
        is_leaving = self.stage.moment >= player.leave_at > 0
        return not is_leaving and self.stack(player) > 0
