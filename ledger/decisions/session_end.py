"""Leaving a game: chips that are not a bet yet are returned, and a session ends.

A participant who leaves before betting closes, in any way, has no bet: by a lost connection, a left
table, an ended session (SAZKA 2, 13(3), 14(2); annexes, disconnection).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.events import event_types as e

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from ledger.state.account import AccountState

__all__ = ["end_session", "return_chips"]


def return_chips(
    account: AccountState, cause: str, paragraph: str, *, table: str = ""
) -> list[e.Event]:
    """Return the events that return an account's chips that are not a bet yet.

    ``table`` limits them to one table; empty means all tables.
    """
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


def end_session(account: AccountState, cause: str, rules: OperatorRules) -> list[e.Event]:
    """Return the events that end an account's session and return its chips; none without a session.

    Args:
        account: the account of the session.
        cause: user, automatic, time_limit or exclusion.
        rules: rules of the operator, with the paragraph of the return.

    """
    if not account.session:
        return []
    logged_out = e.LoggedOut(session=account.session, account=account.account, cause=cause)
    match cause:
        case "exclusion":
            why = "exclusion", rules.returns.exclusion
        case "time_limit":
            why = "login_time", rules.returns.time_limit
        case _:
            why = "logout", rules.returns.logout
    return [logged_out, *return_chips(account, *why)]
