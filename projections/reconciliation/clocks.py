"""The clock of the record against its source: apart, or not compared for long.

What comes in: measurements of the chain. A chain that has none is not judged: it was recorded
without a source, as by a script. Moments are microseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import HOUR, SECOND
from ledger.rules.law import CLOCK_MEASURED_WITHIN, CLOCK_SKEW_MAX
from projections.reconciliation.findings import Found
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["clocks_not_kept"]

MEASURED = """
SELECT position, recorded_at, skew
FROM ClockMeasured
WHERE position < {size:Int64} AND skew IS NOT NULL
ORDER BY position"""


def clocks_not_kept(store: Store, size: int) -> list[Found]:
    """Find measurements too far apart, and records long after the last one, below ``size``."""
    rows = store.rows(MEASURED, size=size)
    found = [
        Found(
            "CLOCK_APART",
            position=row["position"],
            detail=f"{row['skew'] / SECOND:+.3f} s",
        )
        for row in rows
        if abs(row["skew"]) > CLOCK_SKEW_MAX
    ]
    if not rows:
        return found
    ends = [(row["position"], row["recorded_at"]) for row in rows[1:]]
    for row, (end, at) in zip(rows, [*ends, (size, moment_of(store, size))], strict=True):
        if at - row["recorded_at"] <= CLOCK_MEASURED_WITHIN:
            continue
        # Up to the last record before the next measurement: a chain that is idle is not measured.
        silent = moment_of(store, end) - row["recorded_at"]
        if silent > CLOCK_MEASURED_WITHIN:
            detail = f"{silent / HOUR:.1f} h"
            found.append(Found("CLOCK_NOT_MEASURED", position=end - 1, detail=detail))
    return found
