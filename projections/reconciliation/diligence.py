"""Linked transactions of a person, counted together, and the required check (AML act).

What comes in: deposits and withdrawals of all accounts of a person, and the checks of the person.
What goes out: persons who reached the operator's figure without a valid control of the participant.
A returned deposit counts, too. Nothing of a suspicion is known here. Money is haléř, moments are
microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import DAY, SECOND
from projections.reconciliation.findings import Found

if TYPE_CHECKING:
    from ledger.rules.operator import Figures
    from projections.store.tables import Store

__all__ = ["checks_not_done"]

UNCHECKED = """
WITH
    owners AS
    (
        SELECT account, any(person) AS person
        FROM AccountOpened
        WHERE position < {size:Int64}
        GROUP BY account
    ),
    transactions AS
    (
        SELECT account, position, recorded_at, amount
        FROM DepositCredited
        WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, recorded_at, amount
        FROM WithdrawalPaid
        WHERE position < {size:Int64}
    ),
    linked AS
    (
        SELECT
            owners.person AS person, account, position, recorded_at,
            sum(amount) OVER
            (
                PARTITION BY person
                ORDER BY intDiv(recorded_at, 1000000)
                RANGE BETWEEN {within:Int64} PRECEDING AND CURRENT ROW
            ) AS total
        FROM transactions
        JOIN owners ON transactions.account = owners.account
    ),
    checks AS
    (
        SELECT person, groupArray(recorded_at) AS checked_at
        FROM PersonChecked
        JOIN owners ON PersonChecked.account = owners.account
        WHERE position < {size:Int64} AND check = 'control'
        GROUP BY person
    )
SELECT
    argMin(account, position) AS first_account, min(position) AS first_position,
    argMin(total, position) AS reached
FROM linked
LEFT JOIN checks ON linked.person = checks.person
WHERE total >= {smallest:Int64} AND recorded_at + {grace:Int64} <= {now:Int64}
    AND NOT arrayExists(
        at -> at > recorded_at - {holds:Int64} AND at <= recorded_at + {grace:Int64}, checked_at)
GROUP BY linked.person
ORDER BY first_position"""


def checks_not_done(store: Store, size: int, now: int, figures: Figures) -> list[Found]:
    """Find persons who reached the sum without a check, once per person, below ``size``."""
    rows = store.rows(
        UNCHECKED,
        size=size,
        now=now,
        within=figures.linked_days.value * DAY // SECOND,
        smallest=figures.linked_haler.value,
        holds=figures.check_holds_days.value * DAY,
        grace=figures.checked_within_days.value * DAY,
    )
    return [
        Found(
            "CHECK_NOT_DONE",
            position=row["first_position"],
            account=row["first_account"],
            amount=row["reached"],
        )
        for row in rows
    ]
