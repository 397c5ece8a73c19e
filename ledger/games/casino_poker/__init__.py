"""Poker against the house: Casino Hold'em and Ultimate Texas Hold'em."""

from ledger.games.casino_poker.common import PayTable
from ledger.games.casino_poker.holdem import CasinoHoldemPlan
from ledger.games.casino_poker.ultimate import UltimateHoldemPlan

__all__ = ["CasinoHoldemPlan", "PayTable", "UltimateHoldemPlan"]
