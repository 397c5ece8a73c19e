"""The casino's fee for a poker game: rake from the pot, or money for time.

69GAMES Cash game: 5 % of the closed pot up to a cap that grows with the table, or an amount for
every half hour that is announced and taken before the first deal. Time money is not part of a hand;
only its bounds are checked. The OFC chapter has a rake per player instead of a percentage and the
same time collection. All money is haler.
"""

from __future__ import annotations

from msgspec import Struct, field

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.plan_table import PlanTable, wrong
from ledger.games.api.typed import Count, Haler, Percent


class Rake(Struct, frozen=True, tag_field="mode", tag="rake"):
    """The fee is a rake from the pot."""


class TimeMoney(Struct, frozen=True, tag_field="mode", tag="time"):
    """The fee is an amount for each half hour."""

    haler: Haler = field(name="amount")


class TimeCollection(PlanTable, frozen=True):
    """Minimum and maximum of the time money for half an hour, in haler."""

    haler_min: Haler = field(name="minimum")
    haler_max: Haler = field(name="maximum")

    def __post_init__(self) -> None:
        """Reject an empty range."""
        if self.haler_min > self.haler_max:
            raise wrong("minimum", "must not be above the maximum")

    def check(self, taken_haler: int) -> None:
        """Refuse time money outside the plan; raises FEE_OUT_OF_RANGE."""
        if not self.haler_min <= taken_haler <= self.haler_max:
            raise SettlementError(
                Code.FEE_OUT_OF_RANGE,
                Phrase("TIME_FEE_OUT_OF_RANGE", amount=self.haler_min, amount_most=self.haler_max),
            )


class RakeCap(PlanTable, frozen=True):
    """The maximum rake at a table with that many players."""

    players_max: Count
    haler: Haler = field(name="cap")


class PotRake(PlanTable, frozen=True):
    """A percentage of the closed pot, rounded down to `unit_haler`, with a cap by seats.

    `caps` begin with the smallest table; `before_flop` determines whether a hand without a flop is
    raked.
    """

    percent: Percent
    unit_haler: Haler = field(name="unit")
    before_flop: bool
    caps: tuple[RakeCap, ...]

    def __post_init__(self) -> None:
        """Reject caps in a wrong order and a unit of zero."""
        caps = [(cap.players_max, cap.haler) for cap in self.caps]
        if not caps or caps != sorted(caps):
            raise wrong("caps", "must hold caps, those of the smallest table first")
        if self.unit_haler == 0:
            raise wrong("unit", "must be above zero")

    @property
    def players_max(self) -> int:
        """Largest table for which the plan has a cap."""
        return self.caps[-1].players_max

    def cap_haler(self, players: int) -> int:
        """Return the cap of a table; `players` are at most `players_max`."""
        return next(cap.haler for cap in self.caps if players <= cap.players_max)

    def of_pot(self, pot_haler: int, players: int) -> int:
        """Return the rake of a hand; `players` sit at the table and are at most `players_max`."""
        share = pot_haler * self.percent // 100
        return min(self.cap_haler(players), share - share % self.unit_haler)
