# needs = ["BetSettled"]
# reads = ["RoundOpened", "RoundResulted", "PayoutHeld"]
#
# [CREDITED_AFTER_NEXT_ROUND]
# name.en = "Win credited after the next game had begun"
# name.cs = "Výhra připsaná až po zahájení další hry"
# text.en = """\
#   A win of {amount:money} was credited after the next game at the table had begun: round \
#   {detail}."""
# text.cs = """\
#   Výhra {amount} byla připsána až poté, co u stolu začala další hra: kolo {detail}."""
# paragraph = "SAZKA 5(4)"

"""Find wins credited after the next round at their table, where the plan pays at the end of a game.

Wins of a payout that was on hold are not judged here; all credits are, by the time they took
(credited_late.py).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["PAID_AT_END", "find"]

PAID_AT_END = {
    "sazka.roulette_synot": "SAZKA annex Roulette (Synot) 10",
    "sazka.roulette_evolution": "SAZKA annex Roulette (Evolution) 10",
    "sazka.casino_holdem": "SAZKA annex Casino Hold'em 9",
    "baccarat.commission": "Baccarat, course of the game",
}
"""Paragraph by which wins are paid at the end of each game, before the next one; by game."""

CREDITED = """
WITH
    openings AS
    (
        SELECT round, table, position FROM RoundOpened WHERE position < {size:Int64}
    ),
    ended AS
    (
        SELECT round, table, game, resulted_position AS position
        FROM rounds(size = {size:Int64})
        WHERE opened > 0 AND resulted > 0 AND game IN {games:Array(String)}
    ),
    followed AS
    (
        SELECT
            ended.round AS round, ended.game AS game, next.round AS next_round,
            next.position AS next_position
        FROM ended
        ASOF INNER JOIN openings AS next
            ON ended.table = next.table AND ended.position < next.position
    )
SELECT
    settled.position AS position, settled.account AS account, settled.round AS round,
    settled.bet AS bet, settled.paid AS amount, followed.game AS game,
    followed.next_round AS next_round
FROM BetSettled AS settled
INNER JOIN followed ON settled.round = followed.round
WHERE settled.position < {size:Int64} AND settled.result = 'win' AND settled.paid > 0
    AND settled.position > followed.next_position
    AND (settled.account, settled.round) NOT IN
        (SELECT account, round FROM PayoutHeld WHERE position < {size:Int64})"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such credits, with the paragraph of the game's plan."""
    for row in of.store.rows(CREDITED, size=of.size, games=sorted(PAID_AT_END)):
        yield DetectedFinding(
            "CREDITED_AFTER_NEXT_ROUND",
            position=row["position"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["amount"],
            detail=row["next_round"],
            paragraph=PAID_AT_END[row["game"]],
        )
