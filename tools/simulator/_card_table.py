"""A table of the card room: its players, and one hand after the other."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.decisions.rounds.studio import DealCard
from tools.simulator._players import Table

if TYPE_CHECKING:
    from tools.simulator._players import Player
    from tools.simulator._stage import Script, Stage

__all__ = ["DEALT_BY", "CardTable", "deal_card"]

DEALT_BY = "table"
SHIFT_HANDS = 30
LONELY_SECONDS = 15


@dataclass(eq=False)
class CardTable(Table):
    """A table with the players of the current hand; subclasses play the game."""

    playing: list[Player] = field(default_factory=list)
    seats_max = 9

    def has_bets_of(self, player: Player) -> bool:
        """Return whether a player takes part in the hand."""
        return player in self.playing

    def take_away(self, player: Player) -> None:
        """Return no chips: those in a pot stay there."""

    @abstractmethod
    def stack(self, player: Player) -> int:
        """Return the chips that a player has on the table in haléř; 0 is too little to play."""

    @abstractmethod
    def play_hand(self, name: str, players: list[Player]) -> Script:
        """Play a hand; the players sit clockwise."""

    def evening(self) -> Script:
        """Play one hand after the other, when there are enough players."""
        turns = 0
        while not self.is_closing:
            if turns % SHIFT_HANDS == 0:
                self.change_dealer(DEALT_BY)
            turns += 1
            players = [player for player in self.seated if self._is_ready(player)]
            if len(players) < 2:  # noqa: PLR2004 - nobody plays alone
                yield LONELY_SECONDS
                continue
            self.rounds += 1
            self.playing = players
            yield from self.play_hand(f"{self.name}-{self.rounds:05d}", self.playing)
            self.playing = []
            yield self.random.uniform(5, 15)

    def _is_ready(self, player: Player) -> bool:
        is_leaving = self.stage.moment >= player.leave_at > 0
        return not is_leaving and self.stack(player) > 0


def deal_card(stage: Stage, hand: str, index: int, recipient: str, card: str) -> None:
    """Deal a card; face down if it is empty."""
    stage.send(
        DealCard(
            round=hand,
            index=index,
            recipient=recipient,
            face_up=bool(card),
            card=card,
            source=DEALT_BY,
        )
    )
