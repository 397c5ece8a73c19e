"""Find the family of a game plan: among players, tournaments, and the rules of their hands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.cash.money_hand import HandPlan
from ledger.games.open_face.rules import OfcRules
from ledger.games.plans import plan
from ledger.games.poker.rules import HandRules
from ledger.games.tournament.plan import TournamentPlan

if TYPE_CHECKING:
    from ledger.games.api.game_plan import GamePlan

__all__ = ["is_among_players", "is_tournament", "ofc_rules_of", "poker_rules_of"]


def is_among_players(game: str, plan_version: str) -> bool:
    """Return whether players of a game play against each other, not against the house."""
    return isinstance(plan(game, plan_version), HandPlan)


def is_tournament(game_plan: GamePlan) -> bool:
    """Return whether a plan is a tournament plan, whose hands are played for chips."""
    return isinstance(game_plan, TournamentPlan)


def poker_rules_of(game_plan: GamePlan) -> HandRules | None:
    """Return the rules of a hand of Texas or Omaha; None for any other game."""
    rules = game_plan.played if isinstance(game_plan, HandPlan) else None
    return rules if isinstance(rules, HandRules) else None


def ofc_rules_of(game_plan: GamePlan) -> OfcRules | None:
    """Return the rules of open-face Chinese poker; None for any other game."""
    rules = game_plan.played if isinstance(game_plan, HandPlan) else None
    return rules if isinstance(rules, OfcRules) else None
