# needs = ["SpinDeclaredInvalid", "RoundVoided", "BetVoided"]
# reads = ["RoundOpened", "WheelSpun", "BallLanded", "WheelStopped", "RulesPublished"]
#
# [SPIN_WRONGLY_REPEATED]
# name.en = "Valid spin declared invalid"
# name.cs = "Platné roztočení prohlášené za neplatné"
# text.en = """\
#   The spin was declared invalid, or its round void for it, when it had come to rest; by its \
#   record it is valid, with {detail:phrase} turns."""
# text.cs = """\
#   Roztočení bylo prohlášeno za neplatné, nebo pro ně byla hra zrušena, když už bylo u konce; \
#   podle záznamu je platné, počet otáček {detail}."""
# paragraph = "game plan, valid spin"

"""Find valid spins that were declared invalid, or voided for, after they came to rest.

What comes in: declarations and voids with the spin before them, below a position. The plan of the
round tells which causes and grounds the record of a spin contradicts; others can't be compared.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from projections.checks.voids import plan_of
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

DECLARED = """
WITH
    invalid AS
    (
        SELECT round, position, cause FROM SpinDeclaredInvalid WHERE position < {size:Int64}
    ),
    voids AS
    (
        SELECT round, position, ground, '' AS account
        FROM RoundVoided
        WHERE position < {size:Int64}
        UNION ALL
        SELECT round, min(bet.position), ground, account
        FROM BetVoided AS bet
        WHERE bet.position < {size:Int64} AND (round, ground) NOT IN
            (SELECT round, ground FROM RoundVoided WHERE position < {size:Int64})
        GROUP BY round, account, ground
    ),
    declared AS
    (
        SELECT round, position, cause FROM invalid
        UNION ALL
        SELECT round, position, ground FROM voids WHERE round NOT IN (SELECT round FROM invalid)
    ),
    rests AS
    (
        SELECT round, position, '' AS field FROM BallLanded WHERE position < {size:Int64}
        UNION ALL
        SELECT round, position, field FROM WheelStopped WHERE position < {size:Int64}
    ),
    opened AS
    (
        SELECT
            round, argMin(game, position) AS game, argMin(plan_version, position) AS plan_version,
            argMin(wheel_turned, position) AS turned_before
        FROM RoundOpened
        WHERE position < {size:Int64}
        GROUP BY round
    ),
    of_spins AS
    (
        SELECT
            declared.round AS round, declared.position AS position, cause,
            spun.revolutions AS turns, spun.wheel_direction AS turned,
            spun.wheel_direction != spun.ball_direction AS is_against,
            spun.position AS spun_position
        FROM declared
        ASOF INNER JOIN WheelSpun AS spun
            ON declared.round = spun.round AND declared.position > spun.position
    ),
    at_rest AS
    (
        SELECT
            of_spins.round AS round, of_spins.position AS position, cause, turns, turned,
            is_against, spun_position, rests.position AS rest_position, field
        FROM of_spins
        ASOF INNER JOIN rests
            ON of_spins.round = rests.round AND of_spins.position > rests.position
    )
SELECT
    at_rest.round AS round, position, cause, turns, is_against, turned = turned_before AS is_again,
    field, game, plan_version
FROM at_rest
INNER JOIN opened ON at_rest.round = opened.round
WHERE rest_position > spun_position"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such spins whose record contradicts the cause."""
    for row in of.store.rows(DECLARED, size=of.size):
        plan = plan_of(row)
        if plan is not None and plan.refutes(
            row["cause"],
            row["turns"],
            against=row["is_against"],
            again=row["is_again"],
            stopped_at=row["field"],
        ):
            yield DetectedFinding(
                "SPIN_WRONGLY_REPEATED",
                position=row["position"],
                round=row["round"],
                detail=Phrase("PARTS_OF", count=row["turns"], due=plan.turns_needed),
            )
