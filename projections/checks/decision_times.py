# needs = ["HandAction", "PlayerDecided"]
# reads = []
#
# [DECISION_OUT_OF_TIME]
# name.en = "Decision outside its time"
# name.cs = "Rozhodnutí mimo lhůtu"
# text.en = "The time to decide was not observed: {detail:phrase}."
# text.cs = "Lhůta na rozhodnutí nebyla dodržena: {detail}."
# paragraph = "game plan"

"""Find decisions of players after their time, and automatic ones before it was over.

Only decisions of which the record has the last moment are judged, by the moment at which they
occurred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

OUT_OF_TIME = """
SELECT position, account, round, action, is_late
FROM
(
    SELECT position, account, round, action, by = 'player' AS is_late, occurred_at, until, by
    FROM HandAction
    WHERE position < {size:Int64} AND until > 0
    UNION ALL
    SELECT position, account, round, decision, by = 'player', occurred_at, until, by
    FROM PlayerDecided
    WHERE position < {size:Int64} AND until > 0
)
WHERE if(is_late, occurred_at > until, by = 'timeout' AND occurred_at < until)"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such decisions."""
    for row in of.store.rows(OUT_OF_TIME, size=of.size):
        code = "DECIDED_LATE" if row["is_late"] else "TIMED_OUT_EARLY"
        yield DetectedFinding(
            "DECISION_OUT_OF_TIME",
            position=row["position"],
            account=row["account"],
            round=row["round"],
            detail=Phrase(code, action=row["action"]),
        )
