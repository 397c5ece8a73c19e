"""Limits of roulette: minimum per chip, maximum per position, total per player and round.

SAZKA Synot 22-23 and Evolution 19-20 derive the limits of composite bets from their positions, so
all stakes of a player are added up position by position. 69GAMES Ruleta 1 has one minimum and one
maximum. A table may be narrower than the plan, never wider. All money is haler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import (
    Code,
    SettlementError,
    StakeRange,
    TableLimits,
    Wager,
)
from ledger.games.api.stake_limits import is_within, smallest

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ledger.games.roulette.bets import Bet, Bets, Position

_NO_RANGE = StakeRange()


class PlayerStakes:
    """Stakes of one player in one round."""

    __slots__ = ("on", "total_haler")

    def __init__(self) -> None:
        """Start empty."""
        self.on: dict[Position, int] = {}
        self.total_haler = 0

    def lay(self, wager: Wager, bet: Bet) -> None:
        """Add the chips of a wager, position by position."""
        stake, on = wager.stake_haler, self.on
        chip = stake // bet.chips
        for position, count in bet.positions.items():
            on[position] = on.get(position, 0) + count * chip
        self.total_haler += stake


@dataclass(frozen=True, slots=True)
class RouletteLimits:
    """Limits of a plan; `maxima` by kind of position, None where the plan has no figure."""

    maxima: Mapping[str, int | None]
    chip_haler_min: int
    round_haler_max: int | None

    def table_problem(self, table: TableLimits) -> SettlementError | None:
        """Return why a table may not have these limits, or None.

        `every` is compared with the highest maximum of the plan, `by_bet` with that of its kind of
        position; a code that is not a kind of position is refused, because the limits of composite
        bets follow from their positions.
        """
        known = [maximum for maximum in self.maxima.values() if maximum is not None]
        fits = self._fits(table.every, max(known, default=None)) and all(
            code in self.maxima and self._fits(bounds, self.maxima[code])
            for code, bounds in table.by_bet.items()
        )
        if fits and is_within(table.round_haler_max, 0, self.round_haler_max):
            return None
        return SettlementError(
            Code.INVALID_TABLE_LIMITS,
            Phrase("LIMITS_OF_POSITIONS"),
        )

    def check(self, wager: Wager, bet: Bet, stakes: PlayerStakes, table: TableLimits) -> None:
        """Check a newly placed wager together with the stakes of its player.

        Raises:
            SettlementError: BET_BELOW_MINIMUM, BET_ABOVE_MAXIMUM or TABLE_LIMIT_EXCEEDED.

        """
        chip, every, by_bet = wager.stake_haler // bet.chips, table.every, table.by_bet
        maxima = {}
        for kind in bet.kinds:
            own = by_bet.get(kind, _NO_RANGE)
            minimum = max(self.chip_haler_min, every.haler_min or 0, own.haler_min or 0)
            if chip < minimum:
                raise SettlementError(
                    Code.BET_BELOW_MINIMUM,
                    Phrase("CHIP_BELOW_MINIMUM", bet=bet.code, amount=minimum),
                )
            maxima[kind] = smallest(self.maxima[kind], every.haler_max, own.haler_max)
        for position in bet.positions:
            maximum = maxima[position.kind]
            if maximum is not None and stakes.on[position] > maximum:
                raise SettlementError(
                    Code.BET_ABOVE_MAXIMUM,
                    Phrase(
                        "POSITION_ABOVE_MAXIMUM",
                        amount=maximum,
                        bet=position.kind,
                        position=position.label,
                    ),
                )
        total_max = smallest(self.round_haler_max, table.round_haler_max)
        if total_max is not None and stakes.total_haler > total_max:
            raise SettlementError(
                Code.TABLE_LIMIT_EXCEEDED,
                Phrase("PLAYER_ABOVE_ROUND_MAXIMUM", amount=total_max),
            )

    def _fits(self, bounds: StakeRange, maximum: int | None) -> bool:
        low, high = bounds.haler_min, bounds.haler_max
        return is_within(high, self.chip_haler_min, maximum) and is_within(
            low, self.chip_haler_min, smallest(high, maximum)
        )


def position_maxima(bets: Bets) -> dict[str, int | None]:
    """Collect the maximum of each kind of position that the bets use."""
    return {
        position.kind: position.haler_max
        for selections in bets.values()
        for bet in selections.values()
        for position in bet.positions
    }
