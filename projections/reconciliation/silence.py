"""Find out since when a chain is silent.

What comes in: the tables. What goes out: the last message that was not itself recorded by an
examination or about its findings; those would end the silence that they report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.reconciliation.duty_query import StartedDuty
from projections.store.as_of import moment_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.reconciliation.duty_query import DutyQuery

__all__ = ["last_record"]

TAIL_MAX = 10_000
"""Messages about findings that are skipped at the end; a chain that has more is in use."""
ABOUT_FINDINGS = (
    *("FindingAssigned", "FindingClosed", "FindingCommented", "FindingExplained", "FindingGone"),
    *("FindingRaised", "FindingReopened", "ReconciliationConcluded"),
)
EACH = " UNION ALL ".join(
    f"SELECT position FROM {one} WHERE position < {{size:Int64}}"  # noqa: S608 - own names
    for one in ABOUT_FINDINGS
)
TAIL = f"SELECT position FROM ({EACH}) ORDER BY position DESC LIMIT {TAIL_MAX}"  # noqa: S608 - own names


def last_record(query: DutyQuery) -> Iterator[StartedDuty]:
    """Yield the duty to go on recording, which begins with the last message."""
    size = query.size
    for row in query.store.rows(TAIL, size=query.size):
        if row["position"] != size - 1:
            break
        size -= 1
    if size:
        yield StartedDuty(position=size - 1, begun_at=moment_of(query.store, size))
