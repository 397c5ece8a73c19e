"""Roulette: layouts, bets, spins."""

from ledger.games.roulette.bets import Bet, Position
from ledger.games.roulette.layout import EVEN_CHANCES, INSIDE, POCKETS, RED, TWELVES, WHEEL
from ledger.games.roulette.plan import RoulettePlan

__all__ = [
    "EVEN_CHANCES",
    "INSIDE",
    "POCKETS",
    "RED",
    "TWELVES",
    "WHEEL",
    "Bet",
    "Position",
    "RoulettePlan",
]
