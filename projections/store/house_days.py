"""The house's win on each kind of bet, summed for each finished day.

What comes in: the tables, and a range of messages. What goes out: the changes that the range makes
to the sums of :mod:`projections.fairness.house`. These include the variance of whole rounds by the
plan, and a round may continue after midnight: a change is therefore the sum after the range less
the sum before it, of the rounds with new events in the range. Changes add up to the sums as of any
position, without a rounding error. Stakes and payments count as corrected; void bets are left out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from projections.evalues.payouts import returns_of
from projections.store.plans import register_plans

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.store.tables import Store

__all__ = ["CHANGES", "derive_house", "span"]

CHANGING = ("BetPlaced", "BetSettled", "WinCorrected", "BetCorrected", "RoundOpened")
_CHANGES_OF = """
            SELECT round, position FROM {kind}
            WHERE position >= arrayMin(days).1 AND position < arrayMax(days).2"""
CHANGED = f"""
        SELECT DISTINCT round, arrayFirst(day -> position < day.2, days) AS day
        FROM
        ({" UNION ALL".join(_CHANGES_OF.format(kind=kind) for kind in CHANGING)}
        )"""  # noqa: S608 - own text
FIRST = f"""
WITH
    arrayZip({{begins:Array(Int64)}}, {{ends:Array(Int64)}}) AS days,
    changed AS ({CHANGED})
SELECT if(count() = 0, arrayMax(days).2, min(position))
FROM
(
    SELECT position FROM facts_of_bets
    WHERE fact IN ('placed', 'settled') AND round IN (SELECT round FROM changed)
    UNION ALL
    SELECT position FROM facts_of_rounds
    WHERE fact = 'opened' AND round IN (SELECT round FROM changed)
)"""  # noqa: S608 - own text
BETS = """
SELECT DISTINCT opened.game AS game, opened.version AS version, placed.bet_code AS bet,
    placed.selection AS selection
FROM BetPlaced AS placed
INNER JOIN
(
    SELECT round, any(game) AS game, any(plan_version) AS version
    FROM RoundOpened
    WHERE position >= {first:Int64} AND position < {until:Int64}
    GROUP BY round
) AS opened ON placed.round = opened.round
WHERE placed.position >= {first:Int64} AND placed.position < {until:Int64}
ORDER BY game, version, bet, selection"""
"""The bets since the first position of a changed round; the plan gives the payouts of each."""
CHANGES = f"""
WITH
    arrayZip({{begins:Array(Int64)}}, {{ends:Array(Int64)}}) AS days,
    changed AS ({CHANGED}),
    opened AS
    (
        SELECT round, any(game) AS game, any(plan_version) AS version, min(position) AS opened_at
        FROM RoundOpened
        WHERE position >= {{first:Int64}} AND position < arrayMax(days).2
        GROUP BY round
    ),
    settled AS
    (
        SELECT bet, groupArray((position, paid, result, more)) AS payments
        FROM
        (
            SELECT round, bet, position, paid, result, toInt64(0) AS more FROM BetSettled
            WHERE position >= {{first:Int64}} AND position < arrayMax(days).2
            UNION ALL
            SELECT round, bet, position, difference, '', 0 FROM WinCorrected
            WHERE position >= {{first:Int64}} AND position < arrayMax(days).2
            UNION ALL
            SELECT round, bet, position, 0, '', difference FROM BetCorrected
            WHERE position >= {{first:Int64}} AND position < arrayMax(days).2
        )
        WHERE round IN (SELECT round FROM changed)
        GROUP BY bet
    ),
    plan_bets AS
    (
        SELECT one.1 AS game, one.2 AS version, one.3 AS bet, one.4 AS selection, one.5 AS chips,
            arrayMap(back -> toInt64(back), splitByChar(' ', one.6)) AS returns
        FROM
        (
            SELECT arrayJoin(arrayZip(
                {{games:Array(String)}}, {{versions:Array(String)}}, {{bets:Array(String)}},
                {{selections:Array(String)}}, {{chips:Array(Int64)}},
                {{returns:Array(String)}}
            )) AS one
        )
    ),
    of_rounds AS
    (
        SELECT
            changed.day.2 AS until, opened.game AS game, opened.version AS version,
            placed.bet_code AS bet, min(opened.opened_at) AS opened_at,
            arrayJoin([(changed.day.1, -1), (changed.day.2, 1)]) AS side,
            sum((placed.stake + arraySum(one -> if(one.1 < side.1, one.4, 0), settled.payments))
                AS stake) AS stakes,
            stakes - sum(arraySum(one -> if(one.1 < side.1, one.2, 0), settled.payments)) AS rest,
            sumForEach(
                arrayMap(back -> intDiv(stake * back, plan_bets.chips), plan_bets.returns)
            ) AS payouts,
            length(payouts) AS pockets, arraySum(payouts) AS all_paid,
            min(notEmpty(plan_bets.returns)) AS is_known,
            pockets * arraySum(one -> toInt128(one) * one, payouts)
                - toInt128(all_paid) * all_paid AS variance
        FROM BetPlaced AS placed
        INNER JOIN changed ON placed.round = changed.round
        INNER JOIN opened ON placed.round = opened.round
        INNER JOIN settled ON placed.bet = settled.bet
        LEFT JOIN plan_bets ON opened.game = plan_bets.game
            AND opened.version = plan_bets.version AND placed.bet_code = plan_bets.bet
            AND placed.selection = plan_bets.selection
        WHERE placed.position >= {{first:Int64}} AND placed.position < side.1
            AND opened.opened_at < side.1
            AND arrayExists(one -> one.1 < side.1 AND one.3 != '', settled.payments)
            AND NOT arrayExists(one -> one.1 < side.1 AND one.3 = 'void', settled.payments)
        GROUP BY until, side, game, version, bet, placed.round
    )
SELECT
    until AS position, game, version, bet, sum(side.2) AS rounds, sum(side.2 * stakes) AS staked,
    sum(side.2 * rest) AS kept, min(opened_at) AS begun, sum(side.2 * is_known) AS known,
    toInt64(max(pockets)) AS results, sum(toInt128(side.2) * all_paid) AS back,
    sum(side.2 * variance) AS spread, max(arrayMax(payouts)) AS most, max(all_paid) AS most_back
FROM of_rounds
GROUP BY position, game, version, bet"""  # noqa: S608 - own text
"""Changes of the sums by day; ``first`` is the first position of a round that has new events."""
PUT = f"""
INSERT INTO daily_house
    (position, game, version, bet, rounds, staked, kept, begun, known, results, back, spread, most,
    most_back)
SELECT * FROM ({CHANGES})
WHERE rounds != 0 OR staked != 0 OR kept != 0 OR known != 0 OR spread != 0"""  # noqa: S608 - own text


def derive_house(store: Store, first: int, ends: Sequence[int]) -> None:
    """Store the changes of some days, the first of which begins at position ``first``."""
    store.command(PUT, **span(store, first, ends))


def span(store: Store, first: int, ends: Sequence[int]) -> dict[str, Any]:
    """Return the query parameters of ``CHANGES`` for consecutive days with these ends."""
    days = list(pairwise((first, *ends)))
    asked: dict[str, Any] = {"begins": [day[0] for day in days], "ends": [day[1] for day in days]}
    asked["first"] = store.value(FIRST, **asked) if first else 0
    register_plans(store)
    bets = [
        (*row.values(), returns.chips, " ".join(map(str, returns.by_result)))
        for row in store.rows(BETS, first=asked["first"], until=ends[-1])
        if (returns := returns_of(**row)) is not None
    ]
    names = ("games", "versions", "bets", "selections", "chips", "returns")
    columns = zip(*bets, strict=True) if bets else ((),) * len(names)
    return asked | {name: list(column) for name, column in zip(names, columns, strict=True)}
