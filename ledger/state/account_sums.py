"""Sums of an account per day and month, used by the folds of all kinds of play.

A bet belongs to the day and month in which it was concluded (SAZKA 13(5)), and is subtracted there
when it is given back; a payment, a corrected stake and a settled claim belong to the day and month
in which they are recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import day_of, month_of

if TYPE_CHECKING:
    from ledger.state.account import AccountState, OpenBet

__all__ = ["add_winnings", "correct_stake", "count_stake", "free_stake"]


def count_stake(state: AccountState, bet: OpenBet, amount: int, moment: int) -> None:
    """Count a stake that became a bet at ``moment``, the time of the event being folded."""
    bet.concluded.append((moment, amount))
    state.day.stakes += amount
    state.month.stakes += amount


def free_stake(state: AccountState, bet: OpenBet, amount: int) -> None:
    """Subtract a returned stake from the sums that count it, the latest part first."""
    while amount and bet.concluded:
        moment, counted = bet.concluded.pop()
        freed = min(amount, counted)
        if freed < counted:
            bet.concluded.append((moment, counted - freed))
        if day_of(moment) == state.day.name:
            state.day.stakes -= freed
        if month_of(moment) == state.month.name:
            state.month.stakes -= freed
        amount -= freed


def add_winnings(state: AccountState, amount: int) -> None:
    """Add a payment on bets to the wallet and to the sums of day and month."""
    state.wallet += amount
    state.day.winnings += amount
    state.month.winnings += amount


def correct_stake(state: AccountState, removed: int) -> None:
    """Deduct the increase of a corrected stake from the wallet; a decrease is a payment."""
    if removed < 0:
        add_winnings(state, -removed)
        return
    state.wallet -= removed
    state.day.stakes += removed
    state.month.stakes += removed
