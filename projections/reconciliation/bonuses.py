"""Find bonuses without terms or after a request to close the account, and list unclaimed money.

What comes in: events of bonuses, cancellations and closings, and the postings of wallets. What goes
out: findings, and the list of money that can still be claimed. A win is credited when its bet is
settled, so only money in the wallet of a closed account can remain unclaimed. Money is haléř,
timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import day_of
from ledger.core.units import Count, Haler, Moment
from ledger.rules.duties import DUTIES
from projections.reconciliation.duty_periods import end_of_duty
from projections.reconciliation.duty_query import DutyQuery, StartedDuty
from projections.store.as_of import as_of, moment_of, moment_of_question
from projections.store.operator import operator_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = [
    "Unclaimed",
    "UnclaimedRegister",
    "list_unclaimed",
    "unclaimed_money",
]


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
    """Money left in a closed account (haléř); a decision about it is due at ``due_at``."""

    account: str
    amount: Haler
    closed_at: Moment
    position: Count
    due_at: Moment
    is_due: bool


@dataclass(frozen=True, slots=True)
class UnclaimedRegister:
    """Unclaimed money, the earliest due first, and the position as of which it was computed."""

    position: int
    head: str
    recorded_at: int
    moment: int
    accounts: tuple[Unclaimed, ...]


def unclaimed_money(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield one duty for each closed account with money in its wallet."""
    for row in query.store.rows(UNCLAIMED, size=query.size):
        until = end_of_duty(DUTIES["MONEY_UNCLAIMED"], row["closed_at"], query.rules)
        yield StartedDuty(
            position=row["position"],
            begun_at=row["closed_at"],
            account=row["account"],
            amount=row["amount"],
            detail=day_of(until - 1),
        )


def list_unclaimed(
    store: Store, *, at: int | None = None, now: int | None = None
) -> UnclaimedRegister:
    """List the money of closed accounts, whether due or not yet due (ZHH, unclaimed wins).

    Raises:
        InputError: fewer messages than ``at`` are projected.

    """
    place = as_of(store, at)
    moment = moment_of_question(store, place.position, now)
    asked = DutyQuery(store, place.position, moment, operator_rules(store))
    found = [
        Unclaimed(one.account, one.amount, one.begun_at, one.position, until - 1, until <= moment)
        for one in unclaimed_money(asked)
        for until in [end_of_duty(DUTIES["MONEY_UNCLAIMED"], one.begun_at, asked.rules)]
    ]
    recorded_at = moment_of(store, place.position)
    return UnclaimedRegister(place.position, place.head, recorded_at, moment, tuple(found))
