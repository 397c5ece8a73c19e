# needs = ["AccountOpened"]
# duty.who = "operator"
# duty.name.en = "Return unspent deposits of a temporary account"
# duty.name.cs = "Vrátit nevyčerpané vklady z dočasného konta"
# duty.begins_when = "a temporary account with unspent deposits is over"
# duty.done_when = "the return of the deposits"
#
# [TEMPORARY_NOT_REPAID]
# name.en = "Temporary account not repaid"
# name.cs = "Vklady z dočasného konta nebyly vráceny"
# text.en = """\
#   Unspent deposits of {amount:money} on a temporary account that is over were not returned."""
# text.cs = "Nevyčerpané vklady {amount} na skončeném dočasném kontě nebyly vráceny."
# identity = "moving"
# paragraph = "ZHH 80(5)"

"""Find unspent deposits of expired temporary accounts that were not returned within days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.rules.law import TEMPORARY_LASTS
from projections.findings.duties import StartedDuty

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["started"]

TEMPORARY_ACCOUNTS = """
WITH
    temporary AS
    (
        SELECT account, min(modes.position) AS position, min(recorded_at) AS opened_at
        FROM account_regimes(size = {size:Int64}) AS modes
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


def started(of: CheckInput) -> Iterator[StartedDuty]:
    """Yield the deposits that remain in the wallet of an expired temporary account."""
    for row in of.store.rows(TEMPORARY_ACCOUNTS, size=of.size):
        ended_at = row["closed_at"] or row["opened_at"] + TEMPORARY_LASTS
        if row["unspent"] > 0 and ended_at <= of.now:
            yield StartedDuty(
                position=row["position"],
                begun_at=ended_at,
                account=row["account"],
                amount=row["unspent"],
            )
