"""Checks of poker chips while a hand or tournament is in progress.

The plans have neither minimum nor maximum, so a table may have any range; a wager is checked by its
code, its form, and the player's wagers in the same game.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.games.api.contract import StakeRange, TableLimits


def table_problem(table: TableLimits, words: Mapping[str, str]) -> SettlementError | None:
    """Return why a table may not have these limits, or None.

    Args:
        table: limits of the table.
        words: the bets of the game, code to name.

    """
    if _is_range(table.every) and all(
        code in words and _is_range(bounds) for code, bounds in table.by_bet.items()
    ):
        return None
    return SettlementError(
        Code.INVALID_TABLE_LIMITS,
        Phrase("LIMITS_OF_BETS_MISSING"),
    )


def check_table_limits(table: TableLimits, words: Mapping[str, str]) -> None:
    """Refuse a table with impossible limits; raises INVALID_TABLE_LIMITS."""
    problem = table_problem(table, words)
    if problem is not None:
        raise problem


def describe_bet(bet: str, words: Mapping[str, str]) -> str:
    """Describe the purpose of a bet's money; raises UNKNOWN_BET."""
    if bet not in words:
        raise SettlementError(Code.UNKNOWN_BET, Phrase("BET_NOT_IN_GAME", bet=bet))
    return words[bet]


def _is_range(bounds: StakeRange) -> bool:
    low, high = bounds.haler_min, bounds.haler_max
    return low is None or high is None or low <= high
