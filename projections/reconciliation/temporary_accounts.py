"""Find unspent deposits of expired temporary accounts that were not returned within days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rules.law import TEMPORARY_LASTS
from projections.reconciliation.duty_query import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reconciliation.duty_query import DutyQuery

__all__ = ["unspent_deposits"]

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


def unspent_deposits(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield the deposits that remain in the wallet of an expired temporary account."""
    for row in query.store.rows(TEMPORARY_ACCOUNTS, size=query.size):
        ended_at = row["closed_at"] or row["opened_at"] + TEMPORARY_LASTS
        if row["unspent"] > 0 and ended_at <= query.now:
            yield StartedDuty(
                position=row["position"],
                begun_at=ended_at,
                account=row["account"],
                amount=row["unspent"],
            )
