"""Bonuses without terms or after the request to close, and unclaimed money.

What comes in: facts of bonuses, cancellations and closings, and the postings of wallets. What goes
out: findings, and the list of money that can still be claimed. A win is credited when its bet is
settled, so only money in the wallet of a closed account can remain unclaimed. Money is haléř,
moments are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import day_of, months_before
from ledger.rules.law import UNCLAIMED_YEARS
from projections.reconciliation.findings import Found
from projections.store.as_of import as_of, moment_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = [
    "Unclaimed",
    "UnclaimedRegister",
    "bonuses_not_allowed",
    "list_unclaimed",
    "money_unclaimed",
]

GRANTED = """
SELECT
    granted.position AS position, granted.account AS account, granted.bonus AS bonus,
    announced.bonus = '' OR granted.recorded_at < announced.effective_from
        OR granted.position < announced.position AS has_no_terms,
    requested.ends > 0 AS is_late
FROM (SELECT * FROM BonusGranted WHERE position < {size:Int64}) AS granted
LEFT JOIN BonusAnnounced AS announced ON granted.bonus = announced.bonus
LEFT JOIN
(
    SELECT granted_at, sum(step) AS ends
    FROM
    (
        SELECT account, position AS granted_at FROM BonusGranted WHERE position < {size:Int64}
    ) AS given
    JOIN
    (
        SELECT account, position, 1 AS step FROM CancellationRequested
        UNION ALL
        SELECT account, position, -1 AS step FROM CancellationWithdrawn
        UNION ALL
        SELECT account, position, -1 AS step FROM AccountRestored
    ) AS steps ON given.account = steps.account
    WHERE steps.position < granted_at
    GROUP BY granted_at
) AS requested ON granted.position = requested.granted_at
WHERE has_no_terms OR is_late"""

UNCLAIMED = """
SELECT
    closed.account AS account, max(closed.position) AS position,
    max(closed.recorded_at) AS closed_at, any(wallet.amount) AS amount
FROM (SELECT * FROM AccountClosed WHERE position < {size:Int64}) AS closed
JOIN
(
    SELECT account, sum(amount) AS amount
    FROM postings
    WHERE position < {size:Int64} AND kind = 'wallet'
        AND account IN (SELECT account FROM AccountClosed)
    GROUP BY account
) AS wallet ON closed.account = wallet.account
GROUP BY account
HAVING amount > 0
ORDER BY closed_at, account"""


@dataclass(frozen=True, slots=True)
class Unclaimed:
    """Money left in a closed account (haléř); a decision is due from the moment ``due_at``."""

    account: str
    amount: int
    closed_at: int
    position: int
    due_at: int
    is_due: bool


@dataclass(frozen=True, slots=True)
class UnclaimedRegister:
    """Unclaimed money, the earliest due first, and the place of the answer in the chain."""

    position: int
    head: str
    recorded_at: int
    accounts: tuple[Unclaimed, ...]


def bonuses_not_allowed(store: Store, size: int) -> list[Found]:
    """Find bonuses given without terms in force, or after the request to close (D466 1)."""
    found = []
    for row in store.rows(GRANTED, size=size):
        place = {"position": row["position"], "account": row["account"]}
        if row["has_no_terms"]:
            found.append(Found("BONUS_NOT_ANNOUNCED", detail=row["bonus"], **place))
        if row["is_late"]:
            found.append(Found("BONUS_AFTER_REQUEST", **place))
    return found


def money_unclaimed(store: Store, size: int, now: int) -> list[Found]:
    """Find money of closed accounts whose claim period has ended, below ``size``."""
    return [
        Found(
            "MONEY_UNCLAIMED",
            position=one.position,
            account=one.account,
            amount=one.amount,
            detail=day_of(one.due_at),
        )
        for one in _unclaimed(store, size, now)
        if one.is_due
    ]


def list_unclaimed(store: Store, *, at: int | None = None) -> UnclaimedRegister:
    """List the money of closed accounts, due already or not yet (ZHH, unclaimed wins).

    Raises:
        InputError: fewer messages are projected.

    """
    place = as_of(store, at)
    now = moment_of(store, place.position)
    found = _unclaimed(store, place.position, now)
    return UnclaimedRegister(place.position, place.head, now, tuple(found))


def _unclaimed(store: Store, size: int, now: int) -> list[Unclaimed]:
    before = months_before(now, 12 * UNCLAIMED_YEARS)
    return [
        Unclaimed(
            account=row["account"],
            amount=row["amount"],
            closed_at=row["closed_at"],
            position=row["position"],
            due_at=months_before(row["closed_at"], -12 * UNCLAIMED_YEARS),
            is_due=row["closed_at"] < before,
        )
        for row in store.rows(UNCLAIMED, size=size)
    ]
