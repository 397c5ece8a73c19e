# needs = ["BetConcluded"]
# reads = ["RoundOpened", "AccountOpened", "AccountModeChanged"]
#
# [BET_NOT_INTERNET]
# name.en = "Streamed bet of an account for casinos only"
# name.cs = "Sázka na přenášenou hru z konta jen pro kasino"
# text.en = "The bet was taken on a streamed game; the account is for casinos only."
# text.cs = "Sázka byla přijata na přenášenou hru, konto je však určeno jen pro hru v kasinu."
# paragraph = "ZHH 76"

"""Find bets on streamed games of accounts that are not for internet play.

What comes in: concluded bets with the mode of their account at that place, below a position. An
account that was never opened is found by another check.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

BETS = """
WITH
    modes AS
    (
        SELECT account, position, internet FROM AccountOpened WHERE position < {size:Int64}
        UNION ALL
        SELECT account, position, internet FROM AccountModeChanged WHERE position < {size:Int64}
    ),
    land_based AS
    (
        SELECT account FROM modes WHERE NOT internet
    ),
    bets AS
    (
        SELECT account, round, bet, position, amount
        FROM BetConcluded
        WHERE position < {size:Int64} AND account IN (SELECT account FROM land_based)
            AND round IN (SELECT round FROM RoundOpened WHERE position < {size:Int64} AND streamed)
    )
SELECT
    bets.position AS position, bets.account AS account, bets.round AS round, bets.bet AS bet,
    bets.amount AS amount
FROM bets
ASOF INNER JOIN modes ON bets.account = modes.account AND bets.position > modes.position
WHERE NOT modes.internet"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such bets."""
    for row in of.store.rows(BETS, size=of.size):
        yield DetectedFinding("BET_NOT_INTERNET", **row)
