"""Open-face Chinese poker."""

from ledger.games.open_face.game import pay
from ledger.games.open_face.rows import RankedSet, fantasyland_cards, rank_set
from ledger.games.open_face.rules import OfcRules

__all__ = ["OfcRules", "RankedSet", "fantasyland_cards", "pay", "rank_set"]
