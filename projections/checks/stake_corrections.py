# needs = ["BetCorrected"]
# reads = [
#   "RoundReconstructed", "RulingGiven", "PayoutsChecked", "ComplaintFiled", "ComplaintDecided",
# ]
#
# [STAKE_CORRECTED_UNFOUNDED]
# name.en = "Stake changed after the result without a ground"
# name.cs = "Vklad změněný po výsledku bez podkladu"
# text.en = """\
#   The stake was changed by {amount:money} after the result, and no reconstruction, ruling, \
#   check of payouts or complaint before it shows why."""
# text.cs = """\
#   Vklad byl po výsledku změněn o {amount}, aniž by to předtím doložila rekonstrukce, rozhodnutí, \
#   kontrola výplat nebo reklamace."""
# paragraph = "SAZKA 2 (conclusion of a bet)"

"""Find stakes that were changed after the settlement without a record that establishes why.

The stake is what lay on the table at the close; a correction mends a wrong record of it. It rests
on an earlier fact about the round: a reconstruction that succeeded, a ruling, a check that found
payouts wrong, or a complaint of the participant that was upheld.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

UNFOUNDED = """
WITH
    grounds AS
    (
        SELECT round, '' AS account, position
        FROM RoundReconstructed WHERE position < {size:Int64} AND succeeded
        UNION ALL
        SELECT round, account, position FROM RulingGiven WHERE position < {size:Int64}
        UNION ALL
        SELECT round, '', position FROM PayoutsChecked WHERE position < {size:Int64} AND NOT correct
        UNION ALL
        SELECT arrayJoin(arrayPushFront(filed.rounds, filed.round)), decided.account,
            decided.position
        FROM ComplaintDecided AS decided
        INNER JOIN ComplaintFiled AS filed
            ON decided.account = filed.account AND decided.case = filed.case
        WHERE decided.position < {size:Int64} AND filed.position < decided.position
            AND decided.upheld
    ),
    first_grounds AS
    (
        SELECT round, account, min(position) AS since FROM grounds GROUP BY round, account
    )
SELECT
    corrected.position AS position, any(corrected.account) AS account,
    any(corrected.round) AS round, any(corrected.bet) AS bet,
    any(corrected.difference) AS difference
FROM BetCorrected AS corrected
LEFT JOIN first_grounds ON corrected.round = first_grounds.round
WHERE corrected.position < {size:Int64}
GROUP BY position
HAVING NOT max(first_grounds.round != '' AND first_grounds.since < corrected.position
    AND first_grounds.account IN ('', corrected.account))"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such corrections."""
    for row in of.store.rows(UNFOUNDED, size=of.size):
        yield DetectedFinding(
            "STAKE_CORRECTED_UNFOUNDED",
            position=row["position"],
            account=row["account"],
            round=row["round"],
            bet=row["bet"],
            amount=row["difference"],
        )
