"""What the casino takes for a poker game: rake from the pot, or money for time.

69GAMES Cash game: 5 % of the closed pot up to a cap that grows with the table, or an amount for
every half hour that is announced and taken before the first deal. Time money is no part of a hand;
only its bounds are checked. The OFC chapter has a rake per player instead of a percentage and the
same time collection. All money is haler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.api.contract import Code, SettlementError, format_amount
from ledger.games.api.plan_reader import PlanError
from ledger.games.api.shapes import Document, as_document, text
from ledger.games.poker.shapes import amount

if TYPE_CHECKING:
    from ledger.games.api.plan_reader import Section


@dataclass(frozen=True, slots=True)
class Fee:
    """How a game is paid for; `time_haler` None is rake."""

    time_haler: int | None = None


RAKE = Fee()


@dataclass(frozen=True, slots=True)
class TimeCollection:
    """Bounds of the money for half an hour."""

    haler_min: int
    haler_max: int

    def check(self, fee: Fee) -> None:
        """Refuse time money outside the plan; raises FEE_OUT_OF_RANGE."""
        taken = fee.time_haler
        if taken is not None and not self.haler_min <= taken <= self.haler_max:
            raise SettlementError(
                Code.FEE_OUT_OF_RANGE,
                f"time collection must be {format_amount(self.haler_min)}"
                f" to {format_amount(self.haler_max)}",
            )


@dataclass(frozen=True, slots=True)
class PotRake:
    """A percentage of the closed pot, rounded down to `unit_haler`, with a cap by seats.

    `caps` are pairs (most players at the table, cap in haler), smallest table first;
    `before_flop` tells whether a hand without a flop bears rake.
    """

    percent: int
    unit_haler: int
    before_flop: bool
    caps: tuple[tuple[int, int], ...]

    @property
    def players_max(self) -> int:
        """Largest table for which the plan has a cap."""
        return self.caps[-1][0]

    def of_pot(self, pot_haler: int, players: int) -> int:
        """Rake of a whole hand; `players` sit at the table and are at most `players_max`."""
        cap = next(cap for players_max, cap in self.caps if players <= players_max)
        share = pot_haler * self.percent // 100
        return min(cap, share - share % self.unit_haler)


def read_fee(document: Document) -> Fee:
    """Read `fee` of an outcome, rake when left out; raises MALFORMED_REQUEST."""
    if "fee" not in document:
        return RAKE
    fee = as_document(document["fee"], "outcome.fee")
    mode = text(fee, "mode", "outcome.fee")
    if mode == "rake":
        return RAKE
    if mode == "time":
        return Fee(amount(fee, "amount", "outcome.fee"))
    raise SettlementError(Code.MALFORMED_REQUEST, "outcome.fee.mode must be rake or time")


def read_time_collection(section: Section) -> TimeCollection:
    """Read the bounds of the time collection from a plan file; raises `PlanError`."""
    low, high = plan_amount(section, "minimum"), plan_amount(section, "maximum")
    if low > high:
        raise PlanError(section.place("minimum"), "must not be above the maximum")
    section.close()
    return TimeCollection(low, high)


def read_pot_rake(section: Section) -> PotRake:
    """Read percentage, unit and caps of the rake from a plan file; raises `PlanError`."""
    caps = []
    for entry in section.sections("caps"):
        caps.append((entry.integer("players_max"), plan_amount(entry, "cap")))
        entry.close()
    if not caps or caps != sorted(caps):
        raise PlanError(section.place("caps"), "must hold caps, those of the smallest table first")
    rake = PotRake(
        section.integer("percent"),
        plan_amount(section, "unit"),
        section.flag("before_flop"),
        tuple(caps),
    )
    if rake.unit_haler == 0:
        raise PlanError(section.place("unit"), "must be above zero")
    section.close()
    return rake


def plan_amount(section: Section, key: str) -> int:
    """Read an amount that a plan file must give; raises `PlanError`."""
    haler = section.optional_amount(key)
    if haler is None:
        raise PlanError(section.place(key), "is missing")
    return haler
