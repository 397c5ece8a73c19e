"""The house's win on each kind of bet, summed for each finished day.

What comes in: the tables, and a range of messages. What goes out: the changes that the range makes
to the sums of :mod:`projections.fairness.house`. These include squares of the results of whole
rounds, and a round may continue after midnight: a change is therefore the sum after the range less
the sum before it, of the rounds with new events in the range. Changes add up to the sums as of any
position, without a rounding error.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence

    from projections.store.tables import Store

__all__ = ["CHANGES", "derive_house", "span"]

CHANGED = """
        SELECT DISTINCT round, arrayFirst(day -> position < day.2, days) AS day
        FROM
        (
            SELECT round, position FROM BetPlaced
            WHERE position >= arrayMin(days).1 AND position < arrayMax(days).2
            UNION ALL
            SELECT round, position FROM BetSettled
            WHERE position >= arrayMin(days).1 AND position < arrayMax(days).2
            UNION ALL
            SELECT round, position FROM RoundOpened
            WHERE position >= arrayMin(days).1 AND position < arrayMax(days).2
        )"""
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
        SELECT bet, groupArray((position, paid)) AS payments
        FROM BetSettled
        WHERE position >= {{first:Int64}} AND position < arrayMax(days).2
        GROUP BY bet
    ),
    of_rounds AS
    (
        SELECT
            changed.day.2 AS until, opened.game AS game, opened.version AS version,
            placed.bet_code AS bet,
            arrayJoin([(changed.day.1, -1), (changed.day.2, 1)]) AS side,
            sum(placed.stake) AS stakes,
            stakes - sum(arraySum(one -> if(one.1 < side.1, one.2, 0), settled.payments)) AS rest
        FROM BetPlaced AS placed
        INNER JOIN changed ON placed.round = changed.round
        INNER JOIN opened ON placed.round = opened.round
        INNER JOIN settled ON placed.bet = settled.bet
        WHERE placed.position >= {{first:Int64}} AND placed.position < side.1
            AND opened.opened_at < side.1
            AND arrayExists(one -> one.1 < side.1, settled.payments)
        GROUP BY until, side, game, version, bet, placed.round
    )
SELECT
    until AS position, game, version, bet, sum(side.2) AS rounds, sum(side.2 * stakes) AS staked,
    sum(side.2 * rest) AS kept, sum(toInt128(side.2) * rest * rest) AS kept_kept,
    sum(toInt128(side.2) * rest * stakes) AS kept_staked,
    sum(toInt128(side.2) * stakes * stakes) AS staked_staked
FROM of_rounds
GROUP BY position, game, version, bet"""  # noqa: S608 - own text
"""Changes of the sums by day; ``first`` is the first position of a round that has new events."""
PUT = f"""
INSERT INTO daily_house
    (position, game, version, bet, rounds, staked, kept, kept_kept, kept_staked, staked_staked)
SELECT * FROM ({CHANGES})
WHERE rounds != 0 OR staked != 0 OR kept != 0 OR kept_kept != 0"""  # noqa: S608 - own text


def derive_house(store: Store, first: int, ends: Sequence[int]) -> None:
    """Store the changes of some days, the first of which begins at position ``first``."""
    store.command(PUT, **span(store, first, ends))


def span(store: Store, first: int, ends: Sequence[int]) -> dict[str, Any]:
    """Return the query parameters of ``CHANGES`` for consecutive days with these ends."""
    days = list(pairwise((first, *ends)))
    asked = {"begins": [begin for begin, _ in days], "ends": [end for _, end in days]}
    return {**asked, "first": store.value(FIRST, **asked)}
