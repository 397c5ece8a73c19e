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

"""Find accounts closed too early, or with money in them (SAZKA 12(6), (8); ZHH 80).

Values derived by the write side are not trusted: the end of the objection period is computed again,
by the rules in force when it began.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.clock import day_of
from ledger.core.phrases import Phrase
from ledger.rules.law import TEMPORARY_LASTS
from ledger.rules.periods import end_of_period
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

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
        SELECT
            account,
            if(argMax(mode.regime, mode.position) = 'temporary', min(recorded_at), 0)
                AS temporary_since
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
        SELECT
            cases.account AS account,
            arraySort(groupArray((case, kind = 'complaint', filed_at))) AS cases
        FROM cases(size = {size:Int64}) AS cases
        INNER JOIN closed ON cases.account = closed.account
        WHERE cases.position < closed.position
            AND (status = 'open' OR ended_position >= closed.position)
        GROUP BY account
    ),
    money AS
    (
        SELECT
            postings.account AS account, sumIf(amount, kind = 'wallet') AS wallet,
            sumIf(amount, kind != 'wallet') AS open_money
        FROM postings
        INNER JOIN closed ON postings.account = closed.account
        WHERE postings.position < closed.position AND kind IN ('wallet', 'reserved', 'in_play')
        GROUP BY account
    )
SELECT
    closed.account AS account, closed.position AS position, any(closed.closed_at) AS closed_at,
    argMax(steps.confirmed_at, steps.position) AS confirmed_at, any(undecided.cases) AS cases,
    any(money.wallet) AS wallet,
    any(money.open_money) AS open_money, any(regimes.temporary_since) AS temporary_since
FROM closed
INNER JOIN regimes ON closed.account = regimes.account
LEFT JOIN steps ON closed.account = steps.account
LEFT JOIN undecided ON closed.account = undecided.account
LEFT JOIN money ON closed.account = money.account
WHERE steps.position < closed.position
GROUP BY account, position"""

EVALUATED = """
SELECT max(ended.recorded_at)
FROM
(
    SELECT round AS name, position, recorded_at FROM RoundResulted
    UNION ALL
    SELECT concat('tournament:', tournament), position, recorded_at FROM TournamentEnded
) AS ended
WHERE position < {size:Int64} AND name IN
(
    SELECT if(round = '', bet, round)
    FROM postings
    WHERE kind = 'in_play' AND account = {account:String} AND position < {size:Int64}
)"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find accounts closed too early, and permanent ones closed with money in them.

    The objection period begins with the notice (or receipt) of the pending cancellation. A
    temporary account that is over needs no cancellation.
    """
    for row in of.store.rows(CLOSED, size=of.size):
        place = {"position": row["position"], "account": row["account"]}
        if why := _why_too_early(of, row):
            yield DetectedFinding("CLOSED_TOO_EARLY", detail=why, **place)
        if row["wallet"] > 0 and not row["temporary_since"]:
            yield DetectedFinding("BALANCE_NOT_RETURNED", amount=row["wallet"], **place)


def _why_too_early(of: CheckInput, row: dict[str, Any]) -> Phrase | None:
    if row["open_money"]:
        return Phrase("BET_WAS_OPEN")
    if row["temporary_since"] and row["closed_at"] >= row["temporary_since"] + TEMPORARY_LASTS:
        return None
    if not row["confirmed_at"]:
        return Phrase("NO_NOTICE_SENT")
    objection = of.published.at_moment(row["confirmed_at"]).periods.objection
    if row["closed_at"] < end_of_period(row["confirmed_at"], objection):
        return Phrase("OBJECTIONS_POSSIBLE", days=objection.days)
    for case, is_complaint, filed_at in row["cases"]:
        if not is_complaint or _delays(of, row, filed_at):
            return Phrase("CASE_UNDECIDED", case=case)
    return None


def _delays(of: CheckInput, row: dict[str, Any], filed_at: int) -> bool:
    """Return whether a complaint was filed by the day of the last evaluated bet, if there is one.

    A bet is evaluated with the result of its round, or with the end of its tournament.
    """
    evaluated_at = of.store.value(EVALUATED, size=row["position"], account=row["account"])
    return not evaluated_at or day_of(filed_at) <= day_of(evaluated_at)
