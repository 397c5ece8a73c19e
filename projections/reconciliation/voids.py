"""Find rounds and bets that were voided although the game plan does not allow it, or not yet.

Bets that were placed although their cancellation came first are found, too.

What comes in: voids with the attempted reconstructions and announcements before them, and announced
faults, below a position. What goes out: one finding for each round, or for each reason and player
of a round, and one for each fault at a table that was not paused, where the plan requires a pause
(Baccarat). The plan defines the allowed reasons, for whom, which of them need a failed
reconstruction and which a prior announcement.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger import games
from ledger.core.phrases import Phrase
from projections.reconciliation.findings import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["bets_after_cancellation", "faults_without_pause", "voids_not_allowed"]

CANCELLED_BEFORE_PLACED = "BET_NOT_ON_TABLE"
"""Code of a refused bet whose cancellation came first."""
TAMPERING = "tampering"
"""Reason in the operator's rules for voiding the bets of one player; no game plan has this
reason."""
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
VOIDS = """
WITH
    of_rounds AS
    (
        SELECT position, round, ground FROM RoundVoided WHERE position < {size:Int64}
    ),
    voids AS
    (
        SELECT position, round, '' AS account, '' AS bet, ground FROM of_rounds
        UNION ALL
        SELECT min(voided.position), round, account, min(voided.bet), ground
        FROM BetVoided AS voided
        WHERE voided.position < {size:Int64}
            AND (round, ground) NOT IN (SELECT round, ground FROM of_rounds)
        GROUP BY round, account, ground
    ),
    opened AS
    (
        SELECT round, game, plan_version
        FROM RoundOpened
        WHERE position < {size:Int64} AND round NOT IN
            (SELECT round FROM HandStarted WHERE position < {size:Int64})
    ),
    tried AS
    (
        SELECT round, position, succeeded FROM RoundReconstructed WHERE position < {size:Int64}
    ),
    announced AS
    (
        SELECT round, min(position) AS first_position
        FROM FaultAnnounced
        WHERE position < {size:Int64} AND has(channels, 'voice') AND has(channels, 'chat')
        GROUP BY round
    ),
    of_plans AS
    (
        SELECT
            voids.position AS position, voids.round AS round, voids.account AS account,
            voids.bet AS bet, voids.ground AS ground, opened.game AS game,
            opened.plan_version AS plan_version
        FROM voids
        INNER JOIN opened ON voids.round = opened.round
    )
SELECT
    of_plans.position AS position, of_plans.round AS round, of_plans.account AS account,
    of_plans.bet AS bet, of_plans.ground AS ground, of_plans.game AS game,
    of_plans.plan_version AS plan_version,
    tried.position > 0 AND NOT tried.succeeded AS has_failed,
    announced.first_position > 0 AND announced.first_position < of_plans.position AS is_announced
FROM of_plans
ASOF LEFT JOIN tried ON of_plans.round = tried.round AND of_plans.position > tried.position
LEFT JOIN announced ON of_plans.round = announced.round"""

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


def faults_without_pause(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find faults announced while the game continued, where the plan requires a pause first."""
    for row in store.rows(ANNOUNCED_FAULTS, size=size):
        plan = _plan_of(row)
        if plan is not None and plan.announced_before_void:
            yield DetectedFinding(
                "FAULT_WITHOUT_PAUSE", position=row["position"], round=row["round"]
            )


def voids_not_allowed(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find voids for a reason that the plan does not have, or before the required steps."""
    for row in store.rows(VOIDS, size=size):
        plan = _plan_of(row)
        code = "" if plan is None else _code_of(plan, row)
        if plan is not None and code:
            yield DetectedFinding(
                code,
                position=row["position"],
                account=row["account"],
                round=row["round"],
                bet=row["bet"],
                detail=Phrase("GROUND_OF_VOID", ground=row["ground"]),
                paragraph=plan.header.void_reasons.get(row["ground"], ""),
                about=row["ground"],
            )


def _plan_of(row: dict[str, Any]) -> games.GamePlan | None:
    """Return the plan of a round; None if unknown (another check reports PLAN_UNKNOWN)."""
    try:
        return games.plan(row["game"], row["plan_version"])
    except games.SettlementError:
        return None


def _code_of(plan: games.GamePlan, row: dict[str, Any]) -> str:
    """Return the finding code of a void that is not allowed, or an empty text."""
    ground = row["ground"]
    if ground == TAMPERING and row["account"]:
        return ""
    if not plan.may_void(ground, everybody=not row["account"]):
        return "VOID_NOT_ALLOWED"
    if plan.needs_reconstruction(ground) and not row["has_failed"]:
        return "VOID_NOT_RECONSTRUCTED"
    if ground in plan.announced_before_void and not row["is_announced"]:
        return "FAULT_NOT_ANNOUNCED"
    return ""


def bets_after_cancellation(store: Store, size: int) -> Iterator[DetectedFinding]:
    """Find bets that were placed although their cancellation was recorded before."""
    for row in store.rows(CANCELLED, size=size, code=CANCELLED_BEFORE_PLACED):
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
