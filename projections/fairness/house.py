"""Sum the house's win on each kind of bet, for comparison with the game's edge.

What comes in: settled bets. What goes out: for each bet of a plan the staked and won amounts, and
the sums of squares by round, from which the deviation is computed (bets on one round win and lose
together). Finished days are summed already (:mod:`projections.store.house_days`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.store.as_of import as_of, end_of_days
from projections.store.house_days import CHANGES, span

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["HouseEdge", "house_results"]

KEPT = f"""
SELECT
    game, version, bet, sum(rounds) AS rounds, sum(staked) AS staked, sum(kept) AS kept,
    toFloat64(sum(kept_kept)) AS kept_kept, toFloat64(sum(kept_staked)) AS kept_staked,
    toFloat64(sum(staked_staked)) AS staked_staked
FROM
(
    SELECT * FROM daily_house WHERE position <= {{size:Int64}}
    UNION ALL
    SELECT * FROM ({CHANGES})
)
GROUP BY game, version, bet
HAVING rounds > 0
ORDER BY game, version, bet"""  # noqa: S608 - own text


class HouseEdge(NamedTuple):
    """Amounts staked on a kind of bet and won by the house, in haléř, with the number of rounds.

    The last fields are sums of products by round, from which the variance is computed.
    """

    game: str
    version: str
    bet: str
    rounds: int
    staked: int
    kept: int
    kept_kept: float
    kept_staked: float
    staked_staked: float

    def deviations(self, edge: float) -> float:
        """Return by how many standard deviations the win exceeds the edge; 0 without variance."""
        spread = self.kept_kept - 2 * edge * self.kept_staked + edge**2 * self.staked_staked
        return (self.kept - edge * self.staked) / spread**0.5 if spread > 0 else 0.0


def house_results(store: Store, *, at: int | None = None) -> list[HouseEdge]:
    """Sum staked and won amounts by bet of a plan, as of a position."""
    size = as_of(store, at).position
    rows = store.rows(KEPT, size=size, **span(store, end_of_days(store, size), [size]))
    return [HouseEdge(**row) for row in rows]
