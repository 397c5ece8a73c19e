"""Baccarat."""

from ledger.games.baccarat.coup import (
    Coup,
    does_banker_draw,
    does_player_draw,
    hand_value,
    result_of,
)
from ledger.games.baccarat.plan import BaccaratPlan

__all__ = [
    "BaccaratPlan",
    "Coup",
    "does_banker_draw",
    "does_player_draw",
    "hand_value",
    "result_of",
]
