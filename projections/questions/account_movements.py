"""Movements of an account's wallet in a period, each with the balance after it.

Money is haléř, timestamps are microseconds. Opening balance, credits and debits of the period give
its closing balance, however few of its movements are shown.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.units import Count, Haler, Moment
from projections.store.as_of import size_of
from projections.store.known_positions import require_known

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["AccountMovements", "Movement", "account_movements"]

LIMIT_MAX = 10_000
OF_WALLET = """
    (
        SELECT
            position, any(recorded_at) AS recorded_at, any(event) AS event, any(round) AS round,
            any(bet) AS bet, sum(amount) AS moved
        FROM postings
        WHERE kind = 'wallet' AND account = {account:String} AND position < {end:Int64}
        GROUP BY position
        HAVING moved != 0
    )"""
SUMS = f"""
SELECT
    sumIf(moved, position < {{since:Int64}}) AS opening,
    sumIf(moved, position >= {{since:Int64}} AND moved > 0) AS credits,
    -sumIf(moved, position >= {{since:Int64}} AND moved < 0) AS debits
FROM {OF_WALLET}"""  # noqa: S608 - own text
NEWEST = f"""
SELECT position, recorded_at, event, round, bet, moved AS amount, balance
FROM (SELECT *, sum(moved) OVER (ORDER BY position) AS balance FROM {OF_WALLET})
WHERE position >= {{since:Int64}}
ORDER BY position DESC
LIMIT {{limit:Int64}}"""  # noqa: S608 - own text


@dataclass(frozen=True, slots=True)
class Movement:
    """A change of the wallet by an event, and the wallet after it; debits are negative."""

    position: Count
    recorded_at: Moment
    event: str
    round: str
    bet: str
    amount: Haler
    balance: Haler


@dataclass(frozen=True, slots=True)
class AccountMovements:
    """Movements of a period, newest first, with its sums.

    ``opening + credits - debits == closing``. Pass ``before`` to get the next page, whose period
    ends there.
    """

    position: Count
    account: str
    opening: Haler
    credits: Haler
    debits: Haler
    closing: Haler
    movements: tuple[Movement, ...]
    before: int | None


def account_movements(
    store: Store,
    account: str,
    *,
    since: int = 0,
    before: int | None = None,
    limit: int | None = None,
    at: int | None = None,
) -> AccountMovements:
    """Return the movements of an account's wallet, newest first.

    Args:
        store: the tables.
        account: whose wallet.
        since: first position of the period.
        before: position after the last one of the period; by default all counted messages.
        limit: movements on the page, 1 to 10,000.
        at: count the messages below this position only.

    Raises:
        InputError: the account is unknown, or the limit or position is out of range.

    """
    size, limit = size_of(store, at), LIMIT_MAX if limit is None else limit
    if not 1 <= limit <= LIMIT_MAX:
        raise InputError(Phrase("LIMIT_OUT_OF_RANGE", limit=limit, most=LIMIT_MAX))
    end = size if before is None else min(before, size)
    asked = {"account": account, "since": since, "end": end}
    (sums,) = store.rows(SUMS, **asked)
    rows = store.rows(NEWEST, **asked, limit=limit + 1)
    if not rows:
        require_known(store, size, account=account)
    lines = tuple(Movement(**row) for row in rows[:limit])
    return AccountMovements(
        position=size,
        account=account,
        **sums,
        closing=sums["opening"] + sums["credits"] - sums["debits"],
        movements=lines,
        before=lines[-1].position if len(rows) > limit else None,
    )
