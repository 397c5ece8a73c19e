"""The house's win on each kind of bet: sums that are compared with the game's edge.

What comes in: settled bets. What goes out: for each bet of a plan the staked and won amounts, and
the sums of squares by round, from which the deviation is computed: bets on one round win and lose
together.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.store.as_of import as_of

if TYPE_CHECKING:
    from projections.store.tables import Store

__all__ = ["HouseEdge", "house_kept"]

KEPT = """
WITH
    paid AS
    (
        SELECT bet, sum(paid) AS won FROM BetSettled WHERE position < {size:Int64} GROUP BY bet
    ),
    of_rounds AS
    (
        SELECT
            opened.game AS game, opened.plan_version AS version, placed.bet_code AS bet,
            placed.round AS round, sum(placed.stake) AS stakes,
            sum(placed.stake) - sum(paid.won) AS rest
        FROM BetPlaced AS placed
        INNER JOIN paid ON placed.bet = paid.bet
        INNER JOIN (SELECT round, any(game) AS game, any(plan_version) AS plan_version
            FROM RoundOpened WHERE position < {size:Int64} GROUP BY round) AS opened
            ON placed.round = opened.round
        WHERE placed.position < {size:Int64}
        GROUP BY game, version, bet, round
    )
SELECT
    game, version, bet, count() AS rounds, sum(stakes) AS staked, sum(rest) AS kept,
    sum(toFloat64(rest) * rest) AS kept_kept, sum(toFloat64(rest) * stakes) AS kept_staked,
    sum(toFloat64(stakes) * stakes) AS staked_staked
FROM of_rounds
GROUP BY game, version, bet
ORDER BY game, version, bet"""


class HouseEdge(NamedTuple):
    """Haléř staked on a kind of bet in so many rounds, and won; then sums of products by round."""

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


def house_kept(store: Store, *, at: int | None = None) -> list[HouseEdge]:
    """Add up staked and won amounts, by bet of a plan, below a position."""
    return [HouseEdge(**row) for row in store.rows(KEPT, size=as_of(store, at).position)]
