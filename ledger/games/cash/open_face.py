"""Pineapple Open Face Chinese Poker of 69GAMES for money: two or three players, points, a rake.

`ledger.games.open_face.game` settles a game.
"""

from __future__ import annotations

from functools import cached_property

from ledger.games.cash.money_hand import MoneyHandPlan
from ledger.games.open_face.rows import Fantasyland, Royalties
from ledger.games.open_face.rules import OfcRules, OfcTable, PlayerRake, ofc_rules


class OfcCashPlan(MoneyHandPlan, frozen=True):
    """Rules and fee of Open Face Chinese Poker for money."""

    hand: OfcTable
    royalties: Royalties
    fantasyland: Fantasyland
    rake: PlayerRake

    @cached_property
    def played(self) -> OfcRules:
        """Return the rules of a hand."""
        return ofc_rules(
            self.hand,
            self.header.rule_settled,
            self.royalties,
            self.fantasyland,
            rake_haler=self.rake.haler,
            time=self.time_collection,
        )
