"""Blackjack: five variants, side bets, boxes."""

from ledger.games.blackjack.cards import (
    ACE,
    CARDS_DEALT,
    TEN,
    TWENTY_ONE,
    best_total,
    card_value,
    half_names,
    is_natural,
)
from ledger.games.blackjack.plan import BlackjackPlan
from ledger.games.blackjack.rules import Boxes, InsuranceTerms
from ledger.games.blackjack.side_bets import SideBet, SideBetCards

__all__ = [
    "ACE",
    "CARDS_DEALT",
    "TEN",
    "TWENTY_ONE",
    "BlackjackPlan",
    "Boxes",
    "InsuranceTerms",
    "SideBet",
    "SideBetCards",
    "best_total",
    "card_value",
    "half_names",
    "is_natural",
]
