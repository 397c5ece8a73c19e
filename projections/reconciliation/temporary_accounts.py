"""Unspent deposits of temporary accounts that are over: they go back within days of the law."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rules.law import TEMPORARY_LASTS, TEMPORARY_REFUND
from ledger.rules.periods import end_of_period
from projections.reconciliation.findings import Found

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["temporary_not_repaid"]

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


def temporary_not_repaid(store: Store, size: int, now: int) -> list[Found]:
    """Find unspent deposits that did not go back in time when a temporary account was over.

    What is to go back are the deposits that the wallet still holds, with messages below
    ``size`` (ZHH 80(5)).
    """
    found = []
    for row in store.rows(TEMPORARY_ACCOUNTS, size=size):
        ended_at = row["closed_at"] or row["opened_at"] + TEMPORARY_LASTS
        if row["unspent"] > 0 and now >= end_of_period(ended_at, TEMPORARY_REFUND):
            place = {"position": row["position"], "account": row["account"]}
            found.append(Found("TEMPORARY_NOT_REPAID", amount=row["unspent"], **place))
    return found
