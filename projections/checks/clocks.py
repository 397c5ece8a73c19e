# needs = ["ClockMeasured"]
#
# [CLOCK_APART]
# name.en = "Clock apart from its source"
# name.cs = "Hodiny se odchýlily od zdroje času"
# text.en = "The clock of the record was {detail:phrase} from its source of time."
# text.cs = "Hodiny záznamu se od svého zdroje času odchýlily o {detail}."
# paragraph = "decree 208/2017"
#
# [CLOCK_NOT_MEASURED]
# name.en = "Clock not compared with its source"
# name.cs = "Hodiny nebyly porovnány se zdrojem času"
# text.en = "The clock was not compared with its source for {detail:phrase}."
# text.cs = "Hodiny nebyly porovnány se svým zdrojem času po dobu {detail}."
# paragraph = "decree 208/2017"

"""Check the ledger's clock against its time source: too large an offset, or not compared in time.

What comes in: the clock measurements in the chain. A chain without any measurement is not checked,
because it was recorded without a time source, as by a script. Timestamps are microseconds.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ledger.core.clock import HOUR, SECOND
from ledger.core.phrases import Phrase
from ledger.rules.law import CLOCK_MEASURED_WITHIN, CLOCK_SKEW_MAX
from projections.findings.finding import DetectedFinding
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

MEASURED = """
SELECT position, recorded_at, skew, is_start
FROM
(
    SELECT position, recorded_at, skew, false AS is_start
    FROM ClockMeasured
    WHERE skew IS NOT NULL
    UNION ALL
    SELECT position, recorded_at, NULL AS skew, true AS is_start
    FROM WriterStarted
)
WHERE position < {size:Int64}
ORDER BY position"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find clock offsets that are too large, and long periods without a measurement.

    An idle writer measures nothing: time after the last message does not count. Each writer is
    checked from its own first measurement on.
    """
    rows = of.store.rows(MEASURED, size=of.size)
    found = [
        DetectedFinding("CLOCK_APART", position=row["position"], detail=_apart(row["skew"]))
        for row in rows
        if row["skew"] is not None and abs(row["skew"]) > CLOCK_SKEW_MAX
    ]
    if all(row["is_start"] for row in rows):
        return found
    last = {
        "position": of.size,
        "recorded_at": moment_of(of.store, of.size),
        "is_start": False,
    }
    for row, following in pairwise([*rows, last]):
        end, at = following["position"], following["recorded_at"]
        if row["is_start"] or at - row["recorded_at"] <= CLOCK_MEASURED_WITHIN:
            continue
        # Measure up to the last record before the next row: an idle chain is not measured.
        recorded_at = moment_of(of.store, end)
        if following["is_start"] and recorded_at == at:
            continue  # the schemas that the next writer published
        silent = recorded_at - row["recorded_at"]
        if silent > CLOCK_MEASURED_WITHIN:
            detail = Phrase("HOURS_BETWEEN", hours=f"{silent / HOUR:.1f}")
            about = f"after {row['position']}"
            place = {"position": end - 1, "about": about}
            found.append(DetectedFinding("CLOCK_NOT_MEASURED", detail=detail, **place))
    return found


def _apart(skew: int) -> Phrase:
    return Phrase("SECONDS_APART", seconds=f"{skew / SECOND:+.3f}")
