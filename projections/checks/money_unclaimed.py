# needs = ["AccountClosed"]
# duty.who = "operator"
# duty.name.en = "Decide on the money of a closed account"
# duty.name.cs = "Rozhodnout o prostředcích na zrušeném kontě"
# duty.begins_when = "an account is closed with money in it"
# duty.done_when = "the payment of the money, or a decision on it"
#
# [MONEY_UNCLAIMED]
# name.en = "Unclaimed money in a closed account"
# name.cs = "Nevyzvednuté prostředky na zrušeném kontě"
# text.en = "{amount:money} stayed in the closed account, unclaimed up to {detail:local}."
# text.cs = "Na zrušeném kontě zůstalo {amount}; do {detail} si je nikdo nevyzvedl."
# paragraph = "ZHH (unclaimed wins)"

"""Find and list the money of closed accounts.

What comes in: closings, and the postings of wallets. What goes out: the money that was not claimed
in time, and the list of money that can still be claimed. A win is credited when its bet is
settled, so only money in the wallet of a closed account can remain unclaimed. Money is haléř,
timestamps are microseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.clock import day_of
from ledger.core.units import Count, Haler, Moment
from projections.checks import CheckInput
from projections.findings.duties import StartedDuty
from projections.findings.headers import known_duties
from projections.store.as_of import as_of, moment_of, moment_of_question
from projections.store.operator import published_rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = [
    "Unclaimed",
    "UnclaimedRegister",
    "list_unclaimed",
    "started",
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


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield one duty for each closed account with money in its wallet."""
    for row in of.store.rows(UNCLAIMED, size=of.size):
        until = known_duties()["MONEY_UNCLAIMED"].end(row["closed_at"], of.rules)
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
    asked = CheckInput(store, place.position, moment, published_rules(store), {})
    found = [
        Unclaimed(one.account, one.amount, one.begun_at, one.position, until - 1, until <= moment)
        for one in started(asked)
        for until in [known_duties()["MONEY_UNCLAIMED"].end(one.begun_at, asked.rules)]
    ]
    recorded_at = moment_of(store, place.position)
    return UnclaimedRegister(place.position, place.head, recorded_at, moment, tuple(found))
