# needs = ["SpinDeclaredInvalid"]
# reads = ["RoundOpened", "WheelSpun", "BallLanded", "WheelStopped", "RulesPublished"]
#
# [SPIN_WRONGLY_REPEATED]
# name.en = "Valid spin declared invalid"
# name.cs = "Platné roztočení prohlášené za neplatné"
# text.en = """\
#   The spin was declared invalid for too few turns when its number was known, and it had enough: \
#   {detail:phrase}."""
# text.cs = """\
#   Roztočení bylo pro málo otáček prohlášeno za neplatné, když už bylo známo číslo, a otáček mělo \
#   dost: {detail}."""
# paragraph = "game plan, valid spin"

"""Find valid spins that were declared invalid for too few turns after they came to rest.

What comes in: declarations with the spin before them, below a position, and the turns that the plan
of the round needs. Other causes can't be compared with the record.
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
    declared AS
    (
        SELECT round, position
        FROM SpinDeclaredInvalid
        WHERE position < {size:Int64} AND cause = 'too_few_revolutions'
    ),
    rests AS
    (
        SELECT round, position FROM BallLanded WHERE position < {size:Int64}
        UNION ALL
        SELECT round, position FROM WheelStopped WHERE position < {size:Int64} AND field != ''
    ),
    opened AS
    (
        SELECT
            round, argMin(game, position) AS game, argMin(plan_version, position) AS plan_version
        FROM RoundOpened
        WHERE position < {size:Int64}
        GROUP BY round
    ),
    of_spins AS
    (
        SELECT
            declared.round AS round, declared.position AS position, spun.position AS spun_position,
            spun.revolutions AS turns, spun.wheel_direction = spun.ball_direction AS is_one_way
        FROM declared
        ASOF INNER JOIN WheelSpun AS spun
            ON declared.round = spun.round AND declared.position > spun.position
    ),
    at_rest AS
    (
        SELECT
            of_spins.round AS round, of_spins.position AS position, turns, is_one_way,
            rests.position > spun_position AS is_at_rest
        FROM of_spins
        ASOF INNER JOIN rests
            ON of_spins.round = rests.round AND of_spins.position > rests.position
    )
SELECT at_rest.round AS round, position, turns, game, plan_version
FROM at_rest
INNER JOIN opened ON at_rest.round = opened.round
WHERE is_at_rest AND NOT is_one_way"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find spins that had the turns that their plan needs."""
    for row in of.store.rows(DECLARED, size=of.size):
        plan = plan_of(row)
        if plan is not None and row["turns"] >= plan.turns_needed:
            yield DetectedFinding(
                "SPIN_WRONGLY_REPEATED",
                position=row["position"],
                round=row["round"],
                detail=Phrase("PARTS_OF", count=row["turns"], due=plan.turns_needed),
            )
