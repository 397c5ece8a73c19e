"""Positions of the chips of announced and special bets.

A composite bet is a number of equal chips on inside positions. Each form of bet places its chips
for every selection it allows; a position is named by its sorted numbers, one list entry per chip.

Forms: `series` (the chips are listed in the plan), `neighbours` (a section of the wheel),
`complete` (every position that holds a number), `finale_plein` and `finale_cheval` (numbers by
their last digit). Ambiguous points of the source are keys of the plan data: `chips_per_position` of
a complete bet ("one", or "by_numbers": as many chips as the position has numbers) and
`missing_split` of finale a cheval ("straight": the chip of a split that does not exist is placed on
the number itself, or "none").
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Annotated

from msgspec import Meta

from ledger.games.api.plan_table import PlanTable, Word
from ledger.games.api.typed import Count, Document, ShapeError, Text, decode
from ledger.games.roulette.layout import POCKETS, wheel_section

Numbers = tuple[int, ...]
EachSide = Annotated[int, Meta(ge=0, le=len(POCKETS) // 2)]
"""Pockets on each side of a number; half of the wheel at most, so that each is covered once."""
Cloth = Mapping[Numbers, str]
Chips = dict[Hashable, list[Numbers]]

_DIGITS = range(10)
_SPLIT_STEP = 3


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Selection of a neighbours bet: a number and how many pockets on each side of it."""

    number: int
    each_side: int


class ChipsPerPosition(StrEnum):
    """Number of chips of a complete bet on each position."""

    BY_NUMBERS = "by_numbers"
    ONE = "one"


class MissingSplit(StrEnum):
    """Position of the chip of a split that does not exist."""

    STRAIGHT = "straight"
    NONE = "none"


class Composite(PlanTable, frozen=True, kw_only=True):
    """A bet of several chips; `form` is one of `_FORMS`."""

    form: str
    rule: Text | None = None

    @abstractmethod
    def lay(self, cloth: Cloth) -> Chips:
        """Place the chips of every selection; `cloth` has the kind of each inside position."""


class _Series(Composite, frozen=True):
    chips: tuple[tuple[Count, ...], ...] = ()

    def lay(self, _cloth: Cloth) -> Chips:
        return {None: [tuple(sorted(numbers)) for numbers in self.chips]}


class _NeighboursBet(Composite, frozen=True):
    each_side_min: EachSide
    each_side_max: EachSide

    def lay(self, _cloth: Cloth) -> Chips:
        return {
            Neighbours(number, each_side): [(n,) for n in wheel_section(number, each_side)]
            for number in POCKETS
            for each_side in range(self.each_side_min, self.each_side_max + 1)
        }


class _Complete(Composite, frozen=True):
    chips_per_position: Word[ChipsPerPosition]
    positions: tuple[str, ...] = ()

    def lay(self, cloth: Cloth) -> Chips:
        by_numbers = self.chips_per_position is ChipsPerPosition.BY_NUMBERS
        return {
            number: [
                numbers
                for numbers, kind in cloth.items()
                if number in numbers and kind in self.positions
                for _chip in (numbers if by_numbers else (number,))
            ]
            for number in POCKETS
        }


class _FinalePlein(Composite, frozen=True):
    def lay(self, _cloth: Cloth) -> Chips:
        return {digit: [(n,) for n in POCKETS if n % 10 == digit] for digit in _DIGITS}


class _FinaleCheval(Composite, frozen=True):
    missing_split: Word[MissingSplit]

    def lay(self, _cloth: Cloth) -> Chips:
        straight = self.missing_split is MissingSplit.STRAIGHT
        by_digit: Chips = {}
        for digit in _DIGITS:
            firsts = [n for n in POCKETS if n % 10 == digit]
            splits = [(n, n + _SPLIT_STEP) for n in firsts if n + _SPLIT_STEP in POCKETS]
            alone = [(n,) for n in firsts if n + _SPLIT_STEP not in POCKETS and straight]
            by_digit[digit] = [*splits, *alone]
        return by_digit


_FORMS: dict[str, type[Composite]] = {
    "series": _Series,
    "neighbours": _NeighboursBet,
    "complete": _Complete,
    "finale_plein": _FinalePlein,
    "finale_cheval": _FinaleCheval,
}


def read_composite(entry: Document, where: str) -> Composite:
    """Parse the table of a composite bet; raises `ShapeError`."""
    form = entry["form"]
    if not isinstance(form, str) or form not in _FORMS:
        raise ShapeError(f"{where}.form", f"must be one of {', '.join(_FORMS)}")
    return decode(entry, _FORMS[form], where)


def lay_chips(bet: Composite, cloth: Cloth, where: str) -> Chips:
    """Place the chips of every selection of a composite bet.

    Args:
        bet: the bet's table of the plan file.
        cloth: kind of each inside position that the plan offers, by its numbers.
        where: the path of the table.

    Raises:
        ShapeError: no chips, or a chip on a position that is not offered.

    """
    by_digit = bet.lay(cloth)
    for chips in by_digit.values():
        if not chips:
            raise ShapeError(f"{where}.form", "lays no chips for one of its selections")
        for numbers in chips:
            if numbers not in cloth:
                raise ShapeError(f"{where}.form", f"lays a chip on {numbers}, which is not offered")
    return by_digit
