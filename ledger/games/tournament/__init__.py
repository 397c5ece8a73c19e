"""Poker tournaments: entries, prize pool, payouts."""

from ledger.games.tournament.entries import check_entries
from ledger.games.tournament.plan import TournamentPlan
from ledger.games.tournament.prizes import prizes_by_place, share_by_deal

__all__ = ["TournamentPlan", "check_entries", "prizes_by_place", "share_by_deal"]
