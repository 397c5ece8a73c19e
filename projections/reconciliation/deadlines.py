"""Missed deadlines: panic presses, temporary accounts, payouts on hold.

Cases with a deadline are in :mod:`projections.reconciliation.complaints`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import DAY, HOUR, day_of, midnight_after
from ledger.rules.law import PANIC_FOLLOWED_WITHIN, TEMPORARY_LASTS, TEMPORARY_REFUND
from ledger.rules.periods import end_of_period
from projections.reconciliation.findings import Found

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.rules.operator import Figures
    from projections.store.tables import Store

__all__ = ["payouts_held_too_long", "presses_not_followed", "temporary_accounts_overdue"]

ENDED_WITHIN_DAYS = 1
"""Whole days of a night job after the day on which the 30 days end."""

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

HELD = """
SELECT
    held.position AS position, any(held.account) AS account, any(held.round) AS round,
    any(held.recorded_at) AS held_at,
    minIf(released.recorded_at, released.position > held.position) AS released_at
FROM (SELECT * FROM PayoutHeld WHERE position < {size:Int64}) AS held
LEFT JOIN (SELECT * FROM PayoutReleased WHERE position < {size:Int64}) AS released
    ON held.account = released.account AND held.round = released.round
GROUP BY position"""

PRESSES = """
SELECT
    pressed.position AS position, pressed.account AS account,
    minIf(followed.recorded_at, followed.position > pressed.position) AS followed_at
FROM (SELECT * FROM PanicButtonPressed WHERE position < {{size:Int64}}) AS pressed
LEFT JOIN
(
    SELECT account, position, recorded_at
    FROM {event}
    WHERE position < {{size:Int64}}
) AS followed ON pressed.account = followed.account
GROUP BY position, account, pressed.recorded_at
HAVING (followed_at = 0 AND pressed.recorded_at <= {{latest:Int64}})
    OR followed_at >= pressed.recorded_at + {{within:Int64}}"""
FOLLOWED_BY = {
    "PANIC_NOT_REPORTED": "PanicButtonReported",
    "EXCLUSION_NOT_OFFERED": "LongExclusionOffered",
}


def presses_not_followed(store: Store, size: int, now: int) -> list[Found]:
    """Find presses of the panic button without report or offer in time (SAZKA 12a(1), (2))."""
    latest = now - PANIC_FOLLOWED_WITHIN
    return [
        Found(
            code,
            position=row["position"],
            account=row["account"],
            detail=str(PANIC_FOLLOWED_WITHIN // HOUR),
        )
        for code, event in FOLLOWED_BY.items()
        for row in store.rows(
            PRESSES.format(event=event), size=size, latest=latest, within=PANIC_FOLLOWED_WITHIN
        )
    ]


def temporary_accounts_overdue(store: Store, size: int, now: int) -> list[Found]:
    """Find temporary accounts that were not ended, or not repaid, in time (ZHH 80(1), (5)).

    The amount to return are the deposits that the wallet still holds, with messages below ``size``.
    """
    rows = store.rows(TEMPORARY_ACCOUNTS, size=size)
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


def payouts_held_too_long(store: Store, size: int, now: int, figures: Figures) -> Iterator[Found]:
    """Find payouts kept on hold for longer than the operator's figure (SAZKA 15)."""
    for row in store.rows(HELD, size=size):
        until = row["held_at"] + figures.held_days.value * DAY
        if (row["released_at"] or now) > until:
            yield Found(
                "HELD_TOO_LONG",
                position=row["position"],
                account=row["account"],
                round=row["round"],
                detail=f"since {day_of(row['held_at'])}",
            )
