"""Sums of days and months that several kinds of play move."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.clock import day_of, month_of

if TYPE_CHECKING:
    from ledger.accounts.state import AccountState

__all__ = ["free_stake", "paid"]


def free_stake(state: AccountState, placed_at: int, amount: int) -> None:
    """Take a stake that was given back out of the sums in which it was counted."""
    if day_of(placed_at) == state.day.name:
        state.day.stakes -= amount
    if month_of(placed_at) == state.month.name:
        state.month.stakes -= amount


def paid(state: AccountState, amount: int) -> None:
    """Put a payment on bets into the wallet and the sums of day and month."""
    state.wallet += amount
    state.day.winnings += amount
    state.month.winnings += amount
