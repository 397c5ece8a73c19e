# needs = ["BetRefused"]
# reads = ["BetPlaced"]
# also = ["BET_NOT_ALLOWED"]

"""Find bets that were placed although their cancellation was recorded before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

CANCELLED_BEFORE_PLACED = "BET_NOT_ON_TABLE"
"""Code of a refused bet whose cancellation came first."""


CANCELLED = """
WITH cancelled AS
(
    SELECT bet, round, min(refused.position) AS position
    FROM BetRefused AS refused
    WHERE refused.position < {size:Int64} AND code = {code:String}
    GROUP BY bet, round
)
SELECT
    placed.position AS position, placed.account AS account, placed.round AS round,
    placed.bet AS bet, placed.stake AS stake
FROM BetPlaced AS placed
INNER JOIN cancelled ON placed.bet = cancelled.bet AND placed.round = cancelled.round
WHERE placed.position < {size:Int64} AND placed.position > cancelled.position
    AND placed.round IN (SELECT round FROM cancelled)"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find bets that were placed although their cancellation was recorded before."""
    for row in of.store.rows(CANCELLED, size=of.size, code=CANCELLED_BEFORE_PLACED):
        yield DetectedFinding(
            "BET_NOT_ALLOWED",
            position=row["position"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["stake"],
            detail=Phrase("BET_CANCELLED_BEFORE"),
            about="cancelled",
        )
