"""Poker cash tables of 69GAMES: Texas Hold'em and Omaha Hold'em.

Players play against each other, the casino takes rake or time money. What differs between the two
plans is data; `poker_hand` has the course.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.cash.money_hand import MoneyHandPlan
from ledger.games.poker.rules import HandRules, read_hand_rules

if TYPE_CHECKING:
    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.api.plan_reader import Section


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class PokerCashPlan(MoneyHandPlan):
    """Rules and fee of one poker cash game."""

    hand: HandRules

    @property
    def played(self) -> HandRules:
        """Return the rules of a hand."""
        return self.hand


def read_plan(header: PlanHeader, section: Section) -> PokerCashPlan:
    """Read the part of a plan file that is poker.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    return PokerCashPlan(header=header, hand=read_hand_rules(section, header.rule_settled))
