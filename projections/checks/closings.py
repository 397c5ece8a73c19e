# needs = ["AccountClosed"]
#
# [CLOSED_TOO_EARLY]
# name.en = "Account closed too early"
# name.cs = "Konto zrušeno předčasně"
# text.en = "The account was closed too early: {detail:phrase}."
# text.cs = "Konto bylo zrušeno předčasně: {detail}."
#
# [BALANCE_NOT_RETURNED]
# name.en = "Account closed with money in it"
# name.cs = "Konto zrušeno se zůstatkem"
# text.en = "The account was closed with {amount:money} in its wallet."
# text.cs = "Konto bylo zrušeno se zůstatkem {amount} v peněžence."

"""Find permanent accounts closed too early, or with money in them (SAZKA 12(6), (8)).

Values derived by the write side are not trusted: the end of the objection period is computed again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.rules.periods import end_of_period
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

CLOSED = """
WITH
    closed AS
    (
        SELECT
            account, min(fact.position) AS position,
            argMin(recorded_at, fact.position) AS closed_at
        FROM AccountClosed AS fact
        WHERE fact.position < {size:Int64}
        GROUP BY account
    ),
    regimes AS
    (
        SELECT account, argMax(mode.regime, mode.position) AS regime
        FROM account_regimes(size = {size:Int64}) AS mode
        WHERE account IN (SELECT account FROM closed)
        GROUP BY account
    ),
    steps AS
    (
        SELECT account, position, toInt64(0) AS confirmed_at
        FROM CancellationRequested
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, recorded_at
        FROM CancellationConfirmed
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, 0
        FROM CancellationWithdrawn
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
        UNION ALL
        SELECT account, position, 0
        FROM AccountRestored
        WHERE position < {size:Int64} AND account IN (SELECT account FROM closed)
    ),
    undecided AS
    (
        SELECT cases.account AS account, min(case) AS case
        FROM cases(size = {size:Int64}) AS cases
        INNER JOIN closed ON cases.account = closed.account
        WHERE cases.position < closed.position
            AND (status = 'open' OR ended_position >= closed.position)
        GROUP BY account
    ),
    money AS
    (
        SELECT postings.account AS account, sum(amount) AS wallet
        FROM postings
        INNER JOIN closed ON postings.account = closed.account
        WHERE postings.position < closed.position AND kind = 'wallet'
        GROUP BY account
    )
SELECT
    closed.account AS account, closed.position AS position, any(closed.closed_at) AS closed_at,
    argMax(steps.confirmed_at, steps.position) AS confirmed_at, any(undecided.case) AS case,
    any(money.wallet) AS wallet
FROM closed
INNER JOIN regimes ON closed.account = regimes.account
LEFT JOIN steps ON closed.account = steps.account
LEFT JOIN undecided ON closed.account = undecided.account
LEFT JOIN money ON closed.account = money.account
WHERE regimes.regime != 'temporary' AND steps.position < closed.position
GROUP BY account, position"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find permanent accounts closed too early, or with money in them (SAZKA 12(6), (8)).

    The objection period begins with the notice (or receipt) of the pending cancellation.
    """
    rows = of.store.rows(CLOSED, size=of.size)
    objection = of.rules.periods.objection
    found = []
    for row in rows:
        place = {"position": row["position"], "account": row["account"]}
        why = None
        if not row["confirmed_at"]:
            why = Phrase("NO_NOTICE_SENT")
        elif objection and row["closed_at"] < end_of_period(row["confirmed_at"], objection):
            why = Phrase("OBJECTIONS_POSSIBLE", days=objection.days)
        elif row["case"]:
            why = Phrase("CASE_UNDECIDED", case=row["case"])
        if why:
            found.append(DetectedFinding("CLOSED_TOO_EARLY", detail=why, **place))
        if row["wallet"] > 0:
            found.append(DetectedFinding("BALANCE_NOT_RETURNED", amount=row["wallet"], **place))
    return found
