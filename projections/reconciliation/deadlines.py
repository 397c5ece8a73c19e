"""What was to be done by a day and was not: temporary accounts to end, deposits to return.

Cases with a day to be answered by are in :mod:`projections.reconciliation.complaints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import midnight_after
from ledger.rules.law import TEMPORARY_LASTS, TEMPORARY_REFUND
from ledger.rules.periods import end_of_period
from projections.reconciliation.findings import Found
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["temporary_accounts_overdue"]

ENDED_WITHIN_DAYS = 1
"""Whole days that a night job has after the day on which the 30 days are over."""

TEMPORARY_ACCOUNTS = """
WITH
    modes AS
    (
        SELECT account, position, recorded_at, regime
        FROM AccountOpened
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, recorded_at, regime
        FROM AccountModeChanged
        WHERE position < {size:Int64}
    ),
    temporary AS
    (
        SELECT account, min(position) AS position, min(recorded_at) AS opened_at
        FROM modes
        GROUP BY account
        HAVING argMax(regime, modes.position) = 'temporary'
    ),
    closings AS
    (
        SELECT account, position, recorded_at
        FROM AccountClosed
        WHERE position < {size:Int64}
    ),
    money AS
    (
        SELECT
            account,
            sum(amount) AS wallet,
            sumIf(amount, event IN ('DepositCredited', 'DepositReturned', 'BalanceReturned'))
                AS deposits
        FROM postings
        WHERE position < {size:Int64} AND kind = 'wallet'
            AND account IN (SELECT account FROM temporary)
        GROUP BY account
    )
SELECT
    temporary.account AS account, temporary.opened_at AS opened_at,
    greatest(temporary.position, closings.position) AS position,
    closings.recorded_at AS closed_at, least(wallet, deposits) AS unspent
FROM temporary
LEFT JOIN closings ON temporary.account = closings.account
LEFT JOIN money ON temporary.account = money.account"""


def temporary_accounts_overdue(store: Store, size: int) -> list[Found]:
    """Find temporary accounts that were not ended, or not repaid, in time (ZHH 80(1), (5)).

    What is to go back are the deposits that the wallet still holds, with messages below
    ``size``.
    """
    rows = store.rows(TEMPORARY_ACCOUNTS, size=size)
    now = moment_of(store, size) if rows else 0
    found = []
    for row in rows:
        over_at = row["opened_at"] + TEMPORARY_LASTS
        place = {"position": row["position"], "account": row["account"]}
        if not row["closed_at"] and now >= midnight_after(over_at, days=ENDED_WITHIN_DAYS + 1):
            found.append(Found("TEMPORARY_NOT_ENDED", **place))
        ended_at = row["closed_at"] or over_at
        if row["unspent"] > 0 and now >= end_of_period(ended_at, TEMPORARY_REFUND):
            found.append(Found("TEMPORARY_NOT_REPAID", amount=row["unspent"], **place))
    return found
