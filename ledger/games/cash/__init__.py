"""Games among players for money, and dispatch to the rules of each kind of hand."""

from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.cash.poker import PokerCashPlan

__all__ = ["OfcCashPlan", "PokerCashPlan"]
