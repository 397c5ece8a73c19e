"""Leaving the game: chips that are no bet yet go back, and a session ends.

Whoever is gone before the close, whatever the way, has no bet: the connection broke, the table
was left, a session ended (SAZKA 2, 13(3), 14(2); annexes, disconnection).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.refusals import REFUSALS

if TYPE_CHECKING:
    from ledger.state.account import AccountState

__all__ = ["chips_back", "session_over"]


def chips_back(
    account: AccountState, cause: str, paragraph: str, *, table: str = ""
) -> list[e.Event]:
    """Return back the chips of an account that are no bet yet, at one table or at all."""
    return [
        e.BetReturned(
            bet=name,
            account=account.account,
            round=chips.round,
            amount=chips.stake,
            cause=cause,
            paragraph=paragraph,
        )
        for name, chips in account.bets.items()
        if not chips.concluded and table in {"", chips.table}
    ]


def session_over(account: AccountState, cause: str) -> list[e.Event]:
    """End the session of an account, if there is one, and give its chips back.

    Args:
        account: whose session.
        cause: user, automatic, time_limit or exclusion.

    """
    if not account.session:
        return []
    logged_out = e.LoggedOut(session=account.session, account=account.account, cause=cause)
    return [logged_out, *chips_back(account, *WHY_BACK.get(cause, LOGOUT))]


LOGOUT = ("logout", "SAZKA 13(3); annex, disconnection")
WHY_BACK = {
    "exclusion": ("exclusion", REFUSALS["EXCLUDED"].paragraph),
    "time_limit": ("login_time", "ZHH 15; annex, disconnection"),
}
"""Cause and paragraph of what goes back, by the cause of the logout."""
