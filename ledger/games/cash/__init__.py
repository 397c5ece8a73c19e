"""Games among players for money, and the kinds of hands."""

from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.cash.poker import PokerCashPlan

__all__ = ["OfcCashPlan", "PokerCashPlan"]
