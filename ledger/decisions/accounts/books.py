"""Closed books: the statement of an account for each gaming day, the balances of all at its end.

Further statements within a busy day limit how many events must be read to load an account.
"""

from __future__ import annotations

import copy
from datetime import date
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import day_of
from ledger.core.errors import InputError
from ledger.events import event_types as e
from ledger.events.command import EVENT_BYTES_MAX, Command, Id
from ledger.state.account import NO_STATE, STATE_VERSION, AccountState, Books, dump_state

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "EVENTS_MAX",
    "CloseBalances",
    "CloseBooks",
    "close_balances",
    "close_books",
    "due_statement",
]

EVENTS_MAX = 250
"""Events of an account after which its books are closed within the day."""


class CloseBooks(Command, frozen=True):
    """Close the books of an account for the past gaming day.

    Not needed for accounts in use: their first decision of a new day does it.
    """

    account: Id


class CloseBalances(Command, frozen=True):
    """Record the balances of all accounts at the close of a period, by the root of their map.

    ``period`` is a day or a month in Prague; ``root`` is base64 in JSON. A later one of the same
    period corrects it.
    """

    period: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}(-\d{2})?\Z", max_length=10)]
    size: Annotated[int, Meta(ge=0, le=10**15)]
    count: Annotated[int, Meta(ge=0, le=10**15)]
    total: Annotated[int, Meta(gt=-(10**18), lt=10**18)]
    root: Annotated[bytes, Meta(min_length=32, max_length=32)]


def close_books(ledger_state: LedgerState, command: CloseBooks, now: int) -> list[e.Event]:
    """Decide :class:`CloseBooks`.

    Raises:
        InputError: nothing happened since the last statement, or the day is not over.

    """
    statement = due_statement(ledger_state.account(command.account), now)
    if statement is None:
        raise InputError(f"account {command.account} has no finished day with open books")
    return [statement]


def close_balances(ledger_state: LedgerState, command: CloseBalances, now: int) -> list[e.Event]:
    """Decide :class:`CloseBalances`.

    The balances are computed from the tables; `CLOSED_BALANCES_WRONG` compares them again.

    Raises:
        InputError: there is no such day or month, it is not over, or the chain is shorter.

    """
    period = command.period
    try:
        date.fromisoformat(period if period.count("-") > 1 else f"{period}-01")
    except ValueError as error:
        raise InputError(
            f"{period} is no day and no month: such as 2026-11-20 or 2026-11"
        ) from error
    if day_of(now)[: len(period)] <= period:
        raise InputError(f"{period} is not over: its balances are closed afterwards")
    if command.size > ledger_state.size:
        raise InputError(f"the chain has {ledger_state.size} messages, and not {command.size}")
    return [command.as_event(e.BalancesClosed)]


def due_statement(account: AccountState, now: int) -> e.AccountStatement | None:
    """Return the statement that is due for an account; None if none is due.

    A statement is due for a gaming day before ``now``, and within the day after :data:`EVENTS_MAX`
    events. If the state is too large for an event, no statement is made.
    """
    books = account.books
    if not books.day or (books.day == day_of(now) and books.events < EVENTS_MAX):
        return None
    closing = account.wallet + account.reserved
    state = copy.copy(account)
    state.books = Books(opening=closing)
    text = dump_state(state)
    is_carried = len(text.encode()) <= EVENT_BYTES_MAX
    return e.AccountStatement(
        account=account.account,
        gaming_day=books.day,
        opening=books.opening,
        deposits=books.deposits,
        withdrawals=books.withdrawals,
        fees=books.fees,
        stakes=books.stakes,
        winnings=books.winnings,
        corrections=books.corrections,
        closing=closing,
        reserved=account.reserved,
        in_play=account.in_play,
        state_version=STATE_VERSION if is_carried else NO_STATE,
        state=text if is_carried else "",
    )
