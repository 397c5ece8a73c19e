# needs = ["FaultAnnounced"]
# reads = ["RoundOpened", "TableSuspended", "TableResumed", "OperatorRulesPublished"]
#
# [FAULT_WITHOUT_PAUSE]
# name.en = "Fault without a pause"
# name.cs = "Chyba bez pozastavení hry"
# text.en = "A fault was announced and the game was not paused before."
# text.cs = "Byla oznámena chyba, aniž byla hra předtím pozastavena."
# paragraph = "game plan"

"""Find faults announced while the game continued, where the plan requires a pause first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.checks.voids import plan_of
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

ANNOUNCED_FAULTS = """
WITH
    faults AS
    (
        SELECT position, round, table FROM FaultAnnounced WHERE position < {size:Int64}
    ),
    opened AS
    (
        SELECT round, game, plan_version FROM RoundOpened WHERE position < {size:Int64}
    ),
    pauses AS
    (
        SELECT table, position, true AS is_paused FROM TableSuspended WHERE position < {size:Int64}
        UNION ALL
        SELECT table, position, false FROM TableResumed WHERE position < {size:Int64}
    ),
    of_plans AS
    (
        SELECT
            faults.position AS position, faults.round AS round, faults.table AS table,
            opened.game AS game, opened.plan_version AS plan_version
        FROM faults
        INNER JOIN opened ON faults.round = opened.round
    )
SELECT of_plans.position AS position, of_plans.round AS round, game, plan_version
FROM of_plans
ASOF LEFT JOIN pauses ON of_plans.table = pauses.table AND of_plans.position > pauses.position
WHERE NOT is_paused"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find faults announced while the game continued, where the plan requires a pause first."""
    for row in of.store.rows(ANNOUNCED_FAULTS, size=of.size):
        plan = plan_of(row)
        if plan is not None and plan.announced_before_void:
            yield DetectedFinding(
                "FAULT_WITHOUT_PAUSE", position=row["position"], round=row["round"]
            )
