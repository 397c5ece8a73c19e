"""Combine the accounts of one person (ZHH 15; SAZKA 5a(3), 10(1)a, 11(1)a).

Limits apply to the person: the sums of day and month, the last logout, the cash of the last 24
hours and the sequence of continuous play are combined over all accounts. The values of the limits
are those of the newest account. Input: the state of each account, folded from its own events.
Output: the state for decisions on the newest account. Accounts closed more than a year ago have no
effect, so that the cost does not grow with the history.
"""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

from ledger.core.clock import DAY
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.state.account import PeriodTotals

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ledger.log.port import Log
    from ledger.state.account import AccountState

__all__ = ["account_before", "accounts_before", "as_participant"]

BINDS_FOR = 366 * DAY
"""Time for which a closed account has effect: the longest pause after logout (measure g)."""


def account_before(log: Log, account: AccountState) -> str:
    """Return the account that the person had before this one; empty if there was none.

    The account may have been decided but not recorded yet.
    """
    of_account, of_person = f"account:{account.account}", f"person:{account.person}"
    opened = log.find(Query(types=("AccountOpened",), tags=(of_account,)), limit=1)
    positions = log.find(
        Query(types=("AccountOpened",), tags=(of_person,)),
        before=opened[0] if opened else None,
        limit=1,
        backwards=True,
    )
    for recorded in events_at(log, positions):
        if isinstance(recorded.event, e.AccountOpened):
            return recorded.event.account
    return ""


def accounts_before(
    account: AccountState, before: Callable[[AccountState], AccountState | None], now: int
) -> Iterator[AccountState]:
    """Yield the earlier accounts of a person that still have an effect, the newest first.

    Args:
        account: the account whose predecessors are returned.
        before: returns the account before an account, None if there is none.
        now: current time in microseconds.

    """
    earlier = before(account)
    while earlier is not None and earlier.closed_at > now - BINDS_FOR:
        yield earlier
        earlier = before(earlier)


def as_participant(
    account: AccountState, earlier: Sequence[AccountState], now: int, break_length: int
) -> AccountState:
    """Return the state of an account combined with the person's earlier accounts.

    Args:
        account: the account; it is not changed.
        earlier: the accounts before it, the newest first.
        now: timestamp that selects the day and month.
        break_length: pause that ends a sequence of continuous play, in microseconds.

    """
    if not earlier:
        return account
    person, accounts = copy.copy(account), [*reversed(earlier), account]
    person.day = _sum([one.today(now) for one in accounts])
    person.month = _sum([one.this_month(now) for one in accounts])
    person.last_logout_at = max(one.last_logout_at for one in accounts)
    person.cash_in = [moved for one in accounts for moved in one.cash_in]
    person.cash_out = [moved for one in accounts for moved in one.cash_out]
    person.sequence_started_at = person.last_evaluated_at = 0
    for one in accounts:
        _play_on(person, one, break_length)
    return person


def _sum(periods: list[PeriodTotals]) -> PeriodTotals:
    return PeriodTotals(
        periods[0].name,
        stakes=sum(period.stakes for period in periods),
        winnings=sum(period.winnings for period in periods),
        logins=sum(period.logins for period in periods),
        login_time=sum(period.login_time for period in periods),
    )


def _play_on(person: AccountState, account: AccountState, break_length: int) -> None:
    """Continue an earlier account's sequence of continuous play unless a break has ended it."""
    if not account.last_evaluated_at:
        return
    last = person.last_evaluated_at
    if not last or account.sequence_started_at - last >= break_length:
        person.sequence_started_at = account.sequence_started_at
    person.last_evaluated_at = account.last_evaluated_at
