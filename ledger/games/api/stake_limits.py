"""Stake limits of games whose bets have no selection: one range of the plan for every bet.

A plan gives a minimum, a maximum and a maximum per player and round, each of them optional. It also
defines the bets to which the general range of a table applies, whether a maximum is per wager or
per sum of a player's wagers on the bet, and whether the table's maximum limits a player's round.
"""

from __future__ import annotations

from abc import abstractmethod
from enum import StrEnum
from typing import TYPE_CHECKING

from msgspec import field

from ledger.core.phrases import Phrase
from ledger.games.api.contract import (
    Code,
    SettlementError,
    StakeRange,
    TableLimits,
    Wager,
)
from ledger.games.api.game_plan import HousePlan
from ledger.games.api.plan_table import PlanTable, Word, wrong
from ledger.games.api.typed import Haler

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

_NO_RANGE = StakeRange()


class LimitScope(StrEnum):
    """Scope of a maximum: per wager, or per sum of a player's wagers on the bet."""

    WAGER = "wager"
    BET = "bet"


class PlacedStakes:
    """Stakes of one player in one round."""

    def __init__(self, wagers: Sequence[Wager] = ()) -> None:
        """Start with the wagers already placed."""
        self.on: dict[str, int] = {}
        self.total_haler = 0
        for wager in wagers:
            self.lay(wager)

    def lay(self, wager: Wager) -> None:
        """Add a wager."""
        self.on[wager.bet] = self.on.get(wager.bet, 0) + wager.stake_haler
        self.total_haler += wager.stake_haler


class StakeLimits(PlanTable, frozen=True):
    """Limits of one plan in haler; None where the plan has no figure.

    The general range of a table applies to the bets of `table_applies_to`, or to all if it is
    empty.
    """

    counted_on: Word[LimitScope] = field(name="maximum_counted_on")
    haler_min: Haler = field(name="minimum", default=0)
    haler_max: Haler | None = field(name="maximum", default=None)
    round_haler_max: Haler | None = field(name="round_maximum", default=None)
    table_applies_to: frozenset[str] = frozenset()
    table_bounds_round: bool = False

    def table_problem(self, table: TableLimits, codes: Collection[str]) -> SettlementError | None:
        """Return why a table may not have these limits, or None; `codes` are all bet codes."""
        fits = self._fits(table.every) and all(
            code in codes and self._fits(bounds) for code, bounds in table.by_bet.items()
        )
        if fits and is_within(table.round_haler_max, 0, self.round_haler_max):
            return None
        return SettlementError(
            Code.INVALID_TABLE_LIMITS,
            Phrase("LIMITS_OUTSIDE_PLAN"),
        )

    def check_wager(self, wager: Wager, placed: PlacedStakes, table: TableLimits) -> None:
        """Check a newly placed wager among the stakes of its player.

        Raises:
            SettlementError: BET_BELOW_MINIMUM, BET_ABOVE_MAXIMUM or TABLE_LIMIT_EXCEEDED.

        """
        is_flat = not self.table_applies_to or wager.bet in self.table_applies_to
        flat = table.every if is_flat else _NO_RANGE
        own = table.by_bet.get(wager.bet, _NO_RANGE)
        minimum = max(self.haler_min, flat.haler_min or 0, own.haler_min or 0)
        if wager.stake_haler < minimum:
            raise SettlementError(
                Code.BET_BELOW_MINIMUM,
                Phrase("WAGER_BELOW_MINIMUM", wager=wager.id, amount=minimum),
            )
        maximum = smallest(self.haler_max, flat.haler_max, own.haler_max)
        staked = placed.on[wager.bet] if self.counted_on is LimitScope.BET else wager.stake_haler
        if maximum is not None and staked > maximum:
            raise SettlementError(
                Code.BET_ABOVE_MAXIMUM,
                Phrase("BET_ABOVE_MAXIMUM", amount=maximum, bet=wager.bet),
            )
        total_max = smallest(
            self.round_haler_max,
            table.round_haler_max,
            table.every.haler_max if self.table_bounds_round else None,
        )
        if total_max is not None and placed.total_haler > total_max:
            raise SettlementError(
                Code.TABLE_LIMIT_EXCEEDED,
                Phrase("PLAYER_ABOVE_ROUND_MAXIMUM", amount=total_max),
            )

    def _fits(self, bounds: StakeRange) -> bool:
        low, high = bounds.haler_min, bounds.haler_max
        return is_within(high, self.haler_min, self.haler_max) and is_within(
            low, self.haler_min, smallest(high, self.haler_max)
        )


class LimitedPlan(HousePlan, frozen=True):
    """A plan with one range of stakes for every bet, whose bets have no selection."""

    limits: StakeLimits

    @property
    @abstractmethod
    def bet_words(self) -> Mapping[str, str]:
        """Return the names of the bets by their codes."""

    def __post_init__(self) -> None:
        """Reject limits on bets that the game lacks."""
        if not self.limits.table_applies_to <= self.bet_words.keys():
            raise wrong("limits.table_applies_to", "must name bets of the game")

    def describe(self, bet: str, selection: object) -> str:
        """Return the name of the bet; raises UNKNOWN_BET."""
        del selection  # No bet of such a game has one.
        self.check_bet(bet)
        return self.bet_words[bet]

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        return self.limits.table_problem(table, self.bet_words)

    def check_placed(self, wager: Wager, placed: Sequence[Wager], table: TableLimits) -> None:
        """Check a wager together with the player's other wagers; raises `SettlementError`."""
        self.check_wager(wager)
        self.limits.check_wager(wager, PlacedStakes((*placed, wager)), table)

    def check_wager(self, wager: Wager) -> None:
        """Check a wager on its own: bet and stake; raises `SettlementError`."""
        self.check_bet(wager.bet)
        check_stake(wager)

    def check_bet(self, code: str) -> None:
        """Refuse a bet that the game lacks; raises UNKNOWN_BET."""
        if code not in self.bet_words:
            raise SettlementError(
                Code.UNKNOWN_BET, Phrase("GAME_WITHOUT_BET", game=self.header.game, bet=code)
            )

    def check_limits(
        self, wagers: Sequence[Wager], disconnected: Collection[str], table: TableLimits
    ) -> None:
        """Check the table and then every wager that became a bet, in the order given.

        Raises:
            SettlementError: INVALID_TABLE_LIMITS, or what `StakeLimits.check_wager` raises.

        """
        problem = self.table_problem(table)
        if problem is not None:
            raise problem
        stakes: dict[str, PlacedStakes] = {}
        for wager in wagers:
            if wager.player not in disconnected:
                placed = stakes.setdefault(wager.player, PlacedStakes())
                placed.lay(wager)
                self.limits.check_wager(wager, placed, table)


def check_stake(wager: Wager) -> None:
    """Refuse a stake that is not a positive amount; raises INVALID_STAKE."""
    if wager.stake_haler <= 0:
        raise SettlementError(Code.INVALID_STAKE, Phrase("STAKE_NOT_POSITIVE", wager=wager.id))


def is_within(value: int | None, low: int, high: int | None) -> bool:
    """Return whether a bound lies in a range; True if `value` is None."""
    return value is None or (value >= low and (high is None or value <= high))


def smallest(*bounds: int | None) -> int | None:
    """Return the smallest of the given bounds; None if all are None."""
    least = None
    for bound in bounds:  # Called for every chip; min() over a generator takes three times as long.
        if bound is not None and (least is None or bound < least):
            least = bound
    return least
