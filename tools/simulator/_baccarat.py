"""Baccarat with commission: two hands for all, and third cards by the rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ledger.games.api.cards import parse_cards
from ledger.games.baccarat.coup import does_banker_draw, does_player_draw, hand_value
from tools.simulator._chips import Wish
from tools.simulator._dealing import CardCroupier

if TYPE_CHECKING:
    from ledger.games.baccarat.plan import BaccaratPlan
    from tools.simulator._players import Player
    from tools.simulator._stage import Script
    from tools.simulator._tables import Round

__all__ = ["BaccaratCroupier"]

MAINS = ("banker", "banker", "player", "player", "tie")


class BaccaratCroupier(CardCroupier):
    """Deals coups; every bet may lie alone."""

    plan: BaccaratPlan
    main: ClassVar[str] = "player"
    hides_cards: ClassVar[bool] = False

    def plan_limits(self) -> list[tuple[str, int, int]]:
        """The plan has none."""
        return [(code, 0, 0) for code in self.plan.bets]

    def is_main(self, code: str) -> bool:
        """Player and banker take high stakes."""
        return code in {"player", "banker"}

    def invite(self, player: Player, current: Round) -> None:
        """Let a player lay one main bet and perhaps a side bet."""
        for _ in range(1 + (self.random.random() < player.habit.eagerness / 2)):
            self.stage.after(self.moments(current), lambda: self._bet(player, current))

    def _bet(self, player: Player, current: Round) -> None:
        if player.may_bet(current):
            wish = self.some_wish(player, current)
            player.bet(current, wish, self.a_main_stake(player, wish.code))

    def some_wish(self, player: Player, current: Round) -> Wish:
        """Return a bet, mostly one of the two."""
        del player, current
        is_side = self.random.random() < 1 / 5
        return Wish(self.random.choice(list(self.plan.bets) if is_side else MAINS))

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
