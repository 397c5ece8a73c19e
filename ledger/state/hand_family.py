"""Game families among players, and the rules of their hands."""

from __future__ import annotations

from ledger import games

__all__ = ["is_among_players", "is_tournament", "ofc_rules_of", "poker_rules_of"]


def is_among_players(game: str, plan_version: str) -> bool:
    """Return whether players of a game play against each other, not against the house."""
    return isinstance(games.plan(game, plan_version), games.HandPlan)


def is_tournament(plan: games.GamePlan) -> bool:
    """Return whether a plan is one of tournaments, played for chips."""
    return isinstance(plan, games.TournamentPlan)


def poker_rules_of(plan: games.GamePlan) -> games.HandRules | None:
    """Return the rules of a hand of Texas or Omaha; None where the game is another."""
    rules = plan.played if isinstance(plan, games.HandPlan) else None
    return rules if isinstance(rules, games.HandRules) else None


def ofc_rules_of(plan: games.GamePlan) -> games.OfcRules | None:
    """Return the rules of open-face Chinese poker; None where the game is another."""
    rules = plan.played if isinstance(plan, games.HandPlan) else None
    return rules if isinstance(rules, games.OfcRules) else None
