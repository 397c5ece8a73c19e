"""A cash table of Texas or Omaha in the card room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.decisions.hands.button import DrawButton
from ledger.decisions.hands.play import DeclareMisdeal
from ledger.games.poker import drawn_button, first_positions, next_positions
from tools.simulator._card_table import DEALT_BY, CardTable
from tools.simulator._poker_hand import DECK, DealtHand, Seat

if TYPE_CHECKING:
    from ledger.games.poker import Positions
    from tools.simulator._players import Player
    from tools.simulator._stage import Script

__all__ = ["PokerTable"]

CROWN = 100
BIG_BLINDS_ON_TABLE = 100


@dataclass(eq=False)
class PokerTable(CardTable):
    """One table; ``blinds`` are haléř, ``incidents`` misdeal or wrong_payment."""

    blinds: tuple[int, int] = (25 * CROWN, 50 * CROWN)
    last_positions: Positions | None = None

    def open(self) -> None:
        """Open the table; the button is drawn again."""
        super().open()
        self.last_positions = None

    def stack(self, player: Player) -> int:
        """Return a hundred big blinds, or what the player has left."""
        if player.wallet < 2 * self.blinds[1]:
            return 0
        return min(player.wallet // CROWN * CROWN, BIG_BLINDS_ON_TABLE * self.blinds[1])

    def play_hand(self, name: str, players: list[Player]) -> Script:
        """Play a hand to its end, or into what is to go wrong."""
        positions = self._positions([player.account for player in players])
        seats = [Seat(player.account, self.stack(player)) for player in players]
        before = {seat.account: seat.stack for seat in seats}
        hand = DealtHand(
            self.stage,
            name,
            self.name,
            self.game,
            seats,
            self.blinds,
            positions,
            wrong_pot=self.incident == "wrong_payment",
        )
        if self.incident == "misdeal":
            yield from self._misdeal(hand)
        else:
            yield from hand.play()
            if hand.is_started:
                self.last_positions = positions
            if hand.is_wrong:
                self.note("wrong_payment", "wrong_pot_round", name)
        for player, seat in zip(players, seats, strict=True):
            player.wallet += seat.stack - before[seat.account]

    def _positions(self, names: list[str]) -> Positions:
        """Move button and blinds on, or draw the button."""
        moved = self.last_positions and next_positions(self.last_positions, names)
        if moved:
            return moved
        cards = dict(zip(names, self.stage.random.sample(DECK, len(names)), strict=True))
        self.stage.send(DrawButton(table=self.name, cards=cards, source=DEALT_BY))
        return first_positions(names, drawn_button(cards))

    def _misdeal(self, hand: DealtHand) -> Script:
        """The dealer turns the second card: the hand is over before anybody acted."""
        script = hand.play()
        yield next(script)
        if hand.is_started:
            self.note("misdeal", "misdeal_round", hand.name)
            ground = "misdeal_first_or_second_card_exposed"
            self.stage.send(DeclareMisdeal(round=hand.name, ground=ground, source=DEALT_BY))
            self.voided += 1
        script.close()
