"""Poker cash tables of 69GAMES: Texas Hold'em and Omaha Hold'em.

Players play against each other, the casino takes rake or time money. The differences between the
two plans are data; `ledger.games.poker.hand` settles a hand.
"""

from __future__ import annotations

from functools import cached_property

from ledger.games.cash.money_hand import MoneyHandPlan
from ledger.games.poker.fee import PotRake
from ledger.games.poker.rules import HandRules, HandTable, hand_rules


class PokerCashPlan(MoneyHandPlan, frozen=True):
    """Rules and fee of one poker cash game."""

    hand: HandTable
    rake: PotRake

    @cached_property
    def played(self) -> HandRules:
        """Return the rules of a hand."""
        return hand_rules(self.hand, self.header.rule_settled, self.rake, self.time_collection)
