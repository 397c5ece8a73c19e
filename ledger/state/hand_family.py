"""Which games are played among players, and which plan a hand needs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.cash.poker import PokerCashPlan
from ledger.games.open_face.rules import OfcRules
from ledger.games.poker.rules import HandRules
from ledger.games.tournament.plan import TournamentPlan

if TYPE_CHECKING:
    from ledger.games import GamePlan

__all__ = ["is_among_players", "is_tournament", "ofc_rules_of", "poker_rules_of"]


def is_among_players(game: str, plan_version: str) -> bool:
    """Return whether players of a game play against each other, not against the house."""
    plan = games.plan(game, plan_version)
    return isinstance(plan, PokerCashPlan | OfcCashPlan | TournamentPlan)


def is_tournament(plan: GamePlan) -> bool:
    """Return whether a plan is one of tournaments, played for chips."""
    return isinstance(plan, TournamentPlan)


def poker_rules_of(plan: GamePlan) -> HandRules | None:
    """Return the rules of a hand of Texas or Omaha; None where the game is another."""
    if isinstance(plan, PokerCashPlan):
        return plan.hand
    if isinstance(plan, TournamentPlan) and isinstance(plan.hand, HandRules):
        return plan.hand
    return None


def ofc_rules_of(plan: GamePlan) -> OfcRules | None:
    """Return the rules of open-face Chinese poker; None where the game is another."""
    if isinstance(plan, OfcCashPlan):
        return plan.rules
    if isinstance(plan, TournamentPlan) and isinstance(plan.hand, OfcRules):
        return plan.hand
    return None
