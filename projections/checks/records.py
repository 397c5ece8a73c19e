# needs = ["RecordDestroyed"]
#
# [RECORD_DESTROYED_EARLY]
# name.en = "Record destroyed too early"
# name.cs = "Záznam zničen předčasně"
# text.en = "A record was destroyed before the end of its retention: {detail:phrase}."
# text.cs = "Záznam byl zničen dříve, než uplynula doba jeho uchování: {detail}."
# paragraph = "D466 2"

"""Find records that were destroyed before the end of their retention (D466 2)."""

from __future__ import annotations

from datetime import date, datetime, time
from typing import TYPE_CHECKING

from ledger.core.clock import MOMENT_MAX, PRAGUE, day_of, from_datetime
from ledger.core.phrases import Phrase
from ledger.rules.retention import RECORDS_KEPT, end_of_retention
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

DESTROYED = """
WITH recordings AS
(
    SELECT recording, max(ends_at) AS ended_at
    FROM RecordingKept
    WHERE position < {size:Int64}
    GROUP BY recording
)
SELECT
    destroyed.position AS position, destroyed.recorded_at AS recorded_at,
    destroyed.record AS record, destroyed.made_on AS made_on, recordings.ended_at AS ended_at
FROM (SELECT * FROM RecordDestroyed WHERE position < {size:Int64}) AS destroyed
LEFT JOIN recordings
    ON destroyed.record = recordings.recording AND destroyed.kind = 'recording'"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find records destroyed before the end of their retention (D466 2).

    The age of a recording counts from its end by its own event; that of other records from
    ``made_on``.
    """
    found = []
    for row in of.store.rows(DESTROYED, size=of.size):
        made_at = row["ended_at"] or _noon_of(row["made_on"])
        until = end_of_retention(made_at, RECORDS_KEPT.years)
        if row["recorded_at"] < until:
            found.append(
                DetectedFinding(
                    "RECORD_DESTROYED_EARLY",
                    position=row["position"],
                    about=row["record"],
                    detail=Phrase("RECORD_UNTIL", record=row["record"], until=day_of(until - 1)),
                )
            )
    return found


def _noon_of(day: str) -> int:
    """Return noon in Prague of a day; for an invalid day the latest time, so that it is found."""
    try:
        noon = datetime.combine(date.fromisoformat(day), time(12), PRAGUE)
    except ValueError:
        return MOMENT_MAX - 1
    return from_datetime(noon)
