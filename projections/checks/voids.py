# needs = ["RoundVoided", "BetVoided"]
# reads = [
#   "RoundOpened", "HandStarted", "RoundReconstructed", "FaultAnnounced",
#   "OperatorRulesPublished",
# ]
#
# [VOID_NOT_ALLOWED]
# name.en = "Void against the plan"
# name.cs = "Neplatnost v rozporu s herním plánem"
# text.en = "The plan does not allow the void: {detail:phrase}."
# text.cs = "Zrušení hry neodpovídá hernímu plánu: {detail}."
# paragraph = "game plan"
#
# [VOID_NOT_RECONSTRUCTED]
# name.en = "Void without reconstruction"
# name.cs = "Neplatnost bez rekonstrukce"
# text.en = "The void came before a reconstruction had failed: {detail:phrase}."
# text.cs = "Hra byla zrušena dříve, než se nezdařila její rekonstrukce: {detail}."
# paragraph = "game plan"
#
# [FAULT_NOT_ANNOUNCED]
# name.en = "Void without announcement"
# name.cs = "Neplatnost bez oznámení"
# text.en = "The void came before participants were told of the fault: {detail:phrase}."
# text.cs = "Hra byla zrušena dříve, než byla účastníkům oznámena chyba: {detail}."
# paragraph = "game plan"

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
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find", "plan_of"]

TAMPERING = "tampering"
"""Reason in the operator's rules for voiding the bets of one player; no game plan has this
reason."""
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


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find voids for a reason that the plan does not have, or before the required steps."""
    for row in of.store.rows(VOIDS, size=of.size):
        plan = plan_of(row)
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


def plan_of(row: dict[str, Any]) -> games.GamePlan | None:
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
