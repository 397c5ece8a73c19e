"""Games among players for money, and which kinds of hands there are."""

from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.cash.poker import PokerCashPlan

__all__ = ["OfcCashPlan", "PokerCashPlan"]
