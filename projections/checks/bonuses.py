# needs = ["BonusGranted"]
#
# [BONUS_NOT_ANNOUNCED]
# name.en = "Bonus without announced terms"
# name.cs = "Bonus poskytnutý bez vyhlášených podmínek"
# text.en = "Bonus {detail} was given before or without its terms."
# text.cs = "Bonus {detail} byl poskytnut dříve, než platily jeho podmínky, nebo bez nich."
# paragraph = "D466 1"
#
# [BONUS_AFTER_REQUEST]
# name.en = "Bonus after the request to close the account"
# name.cs = "Bonus poskytnutý po žádosti o zrušení konta"
# text.en = "A bonus was given after the request to close the account."
# text.cs = "Bonus byl poskytnut po žádosti o zrušení konta."
# paragraph = "D466 1(2)c"

"""Find bonuses given without terms in force, or after the request to close the account (D466 1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from projections.checks import CheckInput

__all__ = ["find"]

GRANTED = """
SELECT
    granted.position AS position, granted.account AS account, granted.bonus AS bonus,
    announced.bonus = '' OR granted.recorded_at < announced.effective_from
        OR granted.position < announced.position AS has_no_terms,
    requested.ends > 0 AS is_late
FROM (SELECT * FROM BonusGranted WHERE position < {size:Int64}) AS granted
LEFT JOIN BonusAnnounced AS announced ON granted.bonus = announced.bonus
LEFT JOIN
(
    SELECT granted_at, sum(step) AS ends
    FROM
    (
        SELECT account, position AS granted_at FROM BonusGranted WHERE position < {size:Int64}
    ) AS given
    JOIN
    (
        SELECT account, position, 1 AS step FROM CancellationRequested
        UNION ALL
        SELECT account, position, -1 AS step FROM CancellationWithdrawn
        UNION ALL
        SELECT account, position, -1 AS step FROM AccountRestored
    ) AS steps ON given.account = steps.account
    WHERE steps.position < granted_at
    GROUP BY granted_at
) AS requested ON granted.position = requested.granted_at
WHERE has_no_terms OR is_late"""


def find(of: CheckInput) -> Iterable[DetectedFinding]:
    """Find bonuses given without terms in force, or after the request to close (D466 1)."""
    found = []
    for row in of.store.rows(GRANTED, size=of.size):
        place = {"position": row["position"], "account": row["account"]}
        if row["has_no_terms"]:
            found.append(DetectedFinding("BONUS_NOT_ANNOUNCED", detail=row["bonus"], **place))
        if row["is_late"]:
            found.append(DetectedFinding("BONUS_AFTER_REQUEST", **place))
    return found
