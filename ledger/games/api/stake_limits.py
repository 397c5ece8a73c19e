"""Stake limits of games whose bets have no selection: one range of the plan for every bet.

A plan gives a minimum, a maximum and a maximum per player and round, each of them or none. It also
says to which bets a flat range of a table applies, whether a maximum is counted on each wager or on
the sum of a player's wagers on the bet, and whether the table's maximum bounds the player's round.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api.contract import (
    Code,
    SettlementError,
    StakeRange,
    TableLimits,
    Wager,
    format_amount,
)
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import shown

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_NO_RANGE = StakeRange()
_COUNTED_ON = ("wager", "bet")


class PlacedStakes:
    """What one player has staked in one round."""

    def __init__(self, wagers: Sequence[Wager] = ()) -> None:
        """Start with the wagers that already lie."""
        self.on: dict[str, int] = {}
        self.total_haler = 0
        for wager in wagers:
            self.lay(wager)

    def lay(self, wager: Wager) -> None:
        """Add a wager."""
        self.on[wager.bet] = self.on.get(wager.bet, 0) + wager.stake_haler
        self.total_haler += wager.stake_haler


@dataclass(frozen=True, kw_only=True, slots=True)
class StakeLimits:
    """Limits of one plan; None where the plan gives no figure."""

    codes: frozenset[str]
    table_codes: frozenset[str]
    haler_min: int
    haler_max: int | None
    round_haler_max: int | None
    adds_up: bool
    table_bounds_round: bool

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None."""
        fits = self._fits(table.every) and all(
            code in self.codes and self._fits(bounds) for code, bounds in table.by_bet.items()
        )
        if fits and is_within(table.round_haler_max, 0, self.round_haler_max):
            return None
        return SettlementError(
            Code.INVALID_TABLE_LIMITS,
            "table limits must name bets of the game and lie within those of the game plan",
        )

    def check_wager(self, wager: Wager, placed: PlacedStakes, table: TableLimits) -> None:
        """Check a wager that has just been placed among the stakes of its player.

        Raises:
            SettlementError: BET_BELOW_MINIMUM, BET_ABOVE_MAXIMUM or TABLE_LIMIT_EXCEEDED.

        """
        flat = table.every if wager.bet in self.table_codes else _NO_RANGE
        own = table.by_bet.get(wager.bet, _NO_RANGE)
        minimum = max(self.haler_min, flat.haler_min or 0, own.haler_min or 0)
        if wager.stake_haler < minimum:
            raise SettlementError(
                Code.BET_BELOW_MINIMUM,
                f"wager {shown(wager.id)} is below the minimum {format_amount(minimum)}",
            )
        maximum = lowest(self.haler_max, flat.haler_max, own.haler_max)
        staked = placed.on[wager.bet] if self.adds_up else wager.stake_haler
        if maximum is not None and staked > maximum:
            raise SettlementError(
                Code.BET_ABOVE_MAXIMUM,
                f"more than the maximum {format_amount(maximum)} on {wager.bet}",
            )
        total_max = lowest(
            self.round_haler_max,
            table.round_haler_max,
            table.every.haler_max if self.table_bounds_round else None,
        )
        if total_max is not None and placed.total_haler > total_max:
            raise SettlementError(
                Code.TABLE_LIMIT_EXCEEDED,
                f"the player's stakes pass {format_amount(total_max)} in this round",
            )

    def check_round(
        self, wagers: Sequence[Wager], disconnected: Collection[str], table: TableLimits
    ) -> None:
        """Check the table and then every wager that became a bet, in the order given.

        Raises:
            SettlementError: INVALID_TABLE_LIMITS, or what `check_wager` raises.

        """
        problem = self.table_problem(table)
        if problem is not None:
            raise problem
        stakes: dict[str, PlacedStakes] = {}
        for wager in wagers:
            if wager.player not in disconnected:
                placed = stakes.setdefault(wager.player, PlacedStakes())
                placed.lay(wager)
                self.check_wager(wager, placed, table)

    def _fits(self, bounds: StakeRange) -> bool:
        low, high = bounds.haler_min, bounds.haler_max
        return is_within(high, self.haler_min, self.haler_max) and is_within(
            low, self.haler_min, lowest(high, self.haler_max)
        )


def read_limits(section: Section, codes: Collection[str]) -> StakeLimits:
    """Read the `limits` table of a plan file.

    Args:
        section: the table, closed afterwards.
        codes: all bets of the game.

    Raises:
        PlanError: a figure or a word is wrong, or a bet is not one of the game.

    """
    named = section.texts("table_applies_to")
    if not frozenset(named).issubset(codes):
        raise PlanError(section.place("table_applies_to"), "must name bets of the game")
    counted_on = section.text("maximum_counted_on")
    if counted_on not in _COUNTED_ON:
        raise PlanError(
            section.place("maximum_counted_on"), f'must be "{_COUNTED_ON[0]}" or "{_COUNTED_ON[1]}"'
        )
    limits = StakeLimits(
        codes=frozenset(codes),
        table_codes=frozenset(named or codes),
        haler_min=section.optional_amount("minimum") or 0,
        haler_max=section.optional_amount("maximum"),
        round_haler_max=section.optional_amount("round_maximum"),
        adds_up=counted_on == "bet",
        table_bounds_round="table_bounds_round" in section and section.flag("table_bounds_round"),
    )
    section.close()
    return limits


def check_stake(wager: Wager) -> None:
    """Refuse a stake that is not a positive amount; raises INVALID_STAKE."""
    if wager.stake_haler <= 0:
        raise SettlementError(
            Code.INVALID_STAKE, f"the stake of wager {shown(wager.id)} must be a positive amount"
        )


def is_within(value: int | None, low: int, high: int | None) -> bool:
    """Return whether a bound lies in a range; a bound that is not given does."""
    return value is None or (value >= low and (high is None or value <= high))


def lowest(*bounds: int | None) -> int | None:
    """Return the lowest of the bounds that are given, None if none is."""
    return min((bound for bound in bounds if bound is not None), default=None)
