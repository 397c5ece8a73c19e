# needs = ["CancellationRequested"]
#
# [DORMANCY_NOT_GIVEN]
# name.en = "Account in use cancelled as unused"
# name.cs = "Využívané konto rušeno pro nečinnost"
# text.en = """\
#   The account was to be cancelled because it was unused, and it was in use: {detail:phrase}."""
# text.cs = "Konto mělo být zrušeno pro neužívání, ale užíváno bylo: {detail}."

"""Find accounts cancelled as unused while they were in use (SAZKA 12)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import DAY, day_of, months_before
from ledger.core.phrases import Phrase
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

DORMANT = "12(1)b"


CANCELLED = """
SELECT
    requested.position AS position, any(requested.account) AS account,
    any(requested.recorded_at) AS requested_at, maxIf(used.recorded_at, is_login) AS seen_at,
    maxIf(used.recorded_at, NOT is_login) AS bet_at, sumIf(amount, NOT is_login) AS open_money
FROM
(
    SELECT account, position, recorded_at
    FROM CancellationRequested
    WHERE position < {size:Int64} AND ground = {ground:String}
) AS requested
INNER JOIN
(
    SELECT account, position, recorded_at, true AS is_login, toInt64(0) AS amount
    FROM AccountOpened
    UNION ALL
    SELECT account, position, recorded_at, true, 0 FROM LoggedIn
    UNION ALL
    SELECT account, position, recorded_at, false, amount
    FROM postings
    WHERE kind IN ('in_play', 'reserved')
) AS used ON requested.account = used.account
WHERE used.position < requested.position
GROUP BY position"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find accounts cancelled as dormant that were not dormant by the rules of the request."""
    for row in of.store.rows(CANCELLED, size=of.size, ground=DORMANT):
        now, why = row["requested_at"], None
        figures = of.published.at_moment(now).figures
        if row["seen_at"] > months_before(now, figures.dormant_months.value):
            why = Phrase("LOGIN_OF_DAY", day=day_of(row["seen_at"]))
        elif row["open_money"]:
            why = Phrase("BET_WAS_OPEN")
        elif row["bet_at"] > now - figures.dormant_evaluated_days.value * DAY:
            why = Phrase("BET_OF_DAY", day=day_of(row["bet_at"]))
        if why:
            place = {"position": row["position"], "account": row["account"]}
            yield DetectedFinding("DORMANCY_NOT_GIVEN", detail=why, **place)
