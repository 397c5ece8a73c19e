"""Baccarat with commission: two hands for all, and third cards by the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ledger.games import parse_cards
from ledger.games.baccarat import does_banker_draw, does_player_draw, hand_value
from tools.simulator._cloth import WantedBet
from tools.simulator._dealing import DealingTable

if TYPE_CHECKING:
    from ledger.games.baccarat import BaccaratPlan
    from tools.simulator._betting import Round
    from tools.simulator._players import Player
    from tools.simulator._stage import Script

__all__ = ["BaccaratTable"]

MAINS = ("banker", "banker", "player", "player", "tie")


class BaccaratTable(DealingTable):
    """Deals coups; no bet needs another."""

    plan: BaccaratPlan
    main: ClassVar[str] = "player"
    hides_cards: ClassVar[bool] = False

    def plan_limits(self) -> list[tuple[str, int, int]]:
        """The plan has none."""
        return [(code, 0, 0) for code in self.plan.bets]

    def is_main(self, code: str) -> bool:
        """Player and banker take high stakes."""
        return code in {"player", "banker"}

    def how_many(self, player: Player) -> int:
        """Return one, or two for an eager player."""
        return 1 + (self.random.random() < player.habit.eagerness / 2)

    def choose(self, player: Player, current: Round) -> None:
        """Place some bet."""
        wish = self.some_wish(player)
        self.bet(player, current, wish, self.a_stake(player, wish.code))

    def some_wish(self, player: Player) -> WantedBet:
        """Return a bet, mostly one of the two."""
        del player
        is_side = self.random.random() < 1 / 5
        return WantedBet(self.random.choice(list(self.plan.bets) if is_side else MAINS))

    def play(self, current: Round) -> Script:
        """Deal the coup."""
        hands: dict[str, list[str]] = {"player": [], "banker": []}

        def value(hand: str) -> int:
            return hand_value(parse_cards(hands[hand]))

        for hand in ("player", "banker", "player", "banker"):
            yield self.random.uniform(0.7, 1.2)
            hands[hand].append(self.card(current, hand))
        player, banker, third = value("player"), value("banker"), None
        if does_player_draw(player, banker):
            yield self.random.uniform(1.0, 1.8)
            card = self.card(current, "player")
            third = hand_value(parse_cards([card]))
        if does_banker_draw(player, banker, third):
            yield self.random.uniform(1.0, 1.8)
            self.card(current, "banker")
        yield self.random.uniform(0.8, 1.5)
