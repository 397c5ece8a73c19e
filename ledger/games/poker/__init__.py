"""Hands of Texas and Omaha: streets, pots, showdown, ranks."""

from ledger.games.poker.betting import read_actions
from ledger.games.poker.button import (
    Positions,
    drawn_button,
    first_positions,
    next_positions,
)
from ledger.games.poker.fee import TimeCollection
from ledger.games.poker.pots import clockwise_after, share_out
from ledger.games.poker.ranking import HandCategory, HandRank, best_of, best_omaha
from ledger.games.poker.streets import ANTE, BOARD_BY_STREET, CROWN, PREFLOP

__all__ = [
    "ANTE",
    "BOARD_BY_STREET",
    "CROWN",
    "PREFLOP",
    "HandCategory",
    "HandRank",
    "Positions",
    "TimeCollection",
    "best_of",
    "best_omaha",
    "clockwise_after",
    "drawn_button",
    "first_positions",
    "next_positions",
    "read_actions",
    "share_out",
]
