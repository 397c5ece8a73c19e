"""Pineapple Open Face Chinese Poker of 69GAMES for money: two or three players, points, a rake.

`ofc_game` has the course.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.cash.money_hand import MoneyHandPlan
from ledger.games.open_face.rules import OfcRules, read_ofc_rules

if TYPE_CHECKING:
    from ledger.games.api.game_plan import PlanHeader
    from ledger.games.api.plan_reader import Section


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class OfcCashPlan(MoneyHandPlan):
    """Rules and fee of Open Face Chinese Poker for money."""

    rules: OfcRules

    @property
    def played(self) -> OfcRules:
        """Return the rules of a hand."""
        return self.rules


def read_plan(header: PlanHeader, section: Section) -> OfcCashPlan:
    """Read the part of a plan file that is Open Face Chinese Poker.

    Raises:
        PlanError: a field is missing, misspelt or impossible.

    """
    return OfcCashPlan(header=header, rules=read_ofc_rules(section, header.rule_settled))
