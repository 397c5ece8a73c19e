# needs = ["RoundOpened"]
#
# [PAYOUT_NOT_CHECKED]
# name.en = "Payouts not checked"
# name.cs = "Výplaty bez kontroly inspektora"
# text.en = "The round paid wins of {amount:money} that no inspector checked within a day."
# text.cs = "Výplaty kola ({amount}) nebyly do dne překontrolovány inspektorem."
# paragraph = "Czech Casinos, play"
#
# [CHECKED_BY_DEALER]
# name.en = "Payouts checked by their dealer"
# name.cs = "Výplaty zkontroloval jejich krupiér"
# text.en = "The payouts of the round were checked by {detail}, who dealt it."
# text.cs = "Výplaty kola zkontroloval {detail}, který je krupiérem tohoto kola."
# paragraph = "Czech Casinos, play"

"""Find paid rounds that no inspector checked within a day, where the plan requires it.

A check by a dealer of the round is found under any plan, also by one who took the table over before
the result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core.clock import DAY
from ledger.games.roulette import RoulettePlan
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from projections.checks import CheckInput

__all__ = ["find", "plans_that"]

UNCHECKED = """
WITH
    wins AS
    (
        SELECT round, position, recorded_at, paid FROM BetSettled
        WHERE position < {size:Int64} AND result = 'win' AND paid > 0
        UNION ALL
        SELECT round, position, recorded_at, paid FROM ChipBetSettled
        WHERE position < {size:Int64} AND paid > 0
    )
SELECT max(wins.position) AS last_position, wins.round AS round, sum(wins.paid) AS amount
FROM wins
WHERE wins.recorded_at <= {latest:Int64}
    AND round IN
    (
        SELECT round
        FROM RoundOpened
        WHERE position < {size:Int64} AND concat(game, '@', plan_version) IN {plans:Array(String)}
    )
    AND round NOT IN (SELECT round FROM PayoutsChecked WHERE position < {size:Int64})
GROUP BY round"""


BY_DEALER = """
WITH
    opened AS
    (
        SELECT round, table, position, dealer FROM RoundOpened WHERE position < {size:Int64}
    ),
    resulted AS
    (
        SELECT round, min(result.position) AS position
        FROM RoundResulted AS result
        WHERE result.position < {size:Int64}
        GROUP BY round
    ),
    seated AS
    (
        SELECT opened.round AS round, seat.dealer AS dealer, seat.position AS position
        FROM DealerSeated AS seat
        ASOF INNER JOIN opened ON seat.table = opened.table AND seat.position > opened.position
        WHERE seat.position < {size:Int64}
    ),
    dealers AS
    (
        SELECT round, dealer FROM opened
        UNION ALL
        SELECT seated.round, dealer
        FROM seated
        INNER JOIN resulted ON seated.round = resulted.round
        WHERE seated.position < resulted.position
    )
SELECT checked.position AS position, checked.round AS round, checked.by AS inspector
FROM PayoutsChecked AS checked
WHERE checked.position < {size:Int64} AND checked.by != ''
    AND (checked.round, checked.by) IN (SELECT round, dealer FROM dealers)"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find such rounds with wins, and checks of payouts by the dealer of the round."""
    for row in of.store.rows(BY_DEALER, size=of.size):
        yield DetectedFinding(
            "CHECKED_BY_DEALER",
            position=row["position"],
            round=row["round"],
            detail=row["inspector"],
        )
    plans = plans_that(lambda plan: plan.payouts_inspected)
    for row in of.store.rows(UNCHECKED, size=of.size, plans=plans, latest=of.now - DAY):
        yield DetectedFinding(
            "PAYOUT_NOT_CHECKED",
            position=row["last_position"],
            round=row["round"],
            amount=int(row["amount"]),
        )


def plans_that(has: Callable[[RoulettePlan], bool]) -> list[str]:
    """Return the versions of roulette plans that meet a condition."""
    return [
        f"{game}@{plan.header.version}"
        for game in games.games()
        for plan in games.plans_of(game)
        if isinstance(plan, RoulettePlan) and has(plan)
    ]
