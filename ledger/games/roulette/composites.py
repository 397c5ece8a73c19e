"""Where the chips of announced and special bets lie.

A composite bet is a number of equal chips on inside positions. Each form of bet lays its chips for
every selection it allows; a position is named by its sorted numbers, one list entry per chip.

Forms: `series` (the chips are listed in the plan), `neighbours` (a section of the wheel),
`complete` (every position that holds a number), `finale_plein` and `finale_cheval` (numbers by
their last digit). Readings of the source that can be taken in two ways are keys of the plan data:
`chips_per_position` of a complete bet ("one", or "by_numbers": as many chips as the position has
numbers) and `missing_split` of finale a cheval ("straight": the chip of a split that does not exist
lies on the number itself, or "none").
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass

from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.roulette.layout import POCKETS, wheel_section

Numbers = tuple[int, ...]
Cloth = Mapping[Numbers, str]
Chips = dict[Hashable, list[Numbers]]

_DIGITS = range(10)
_SPLIT_STEP = 3


@dataclass(frozen=True, slots=True)
class Neighbours:
    """Selection of a neighbours bet: a number and how many pockets on each side of it."""

    number: int
    each_side: int


def lay_chips(entry: Section, cloth: Cloth) -> Chips:
    """Lay the chips of every selection of a composite bet.

    Args:
        entry: the bet's table of the plan file.
        cloth: kind of each inside position that the plan offers, by its numbers.

    Raises:
        PlanError: unknown form, no chips, or a chip on a position that is not offered.

    """
    form = entry.text("form")
    if form not in _FORMS:
        raise PlanError(entry.place("form"), f"must be one of {', '.join(_FORMS)}")
    laid = _FORMS[form](entry, cloth)
    for chips in laid.values():
        if not chips:
            raise PlanError(entry.place("form"), "lays no chips for one of its selections")
        for numbers in chips:
            if numbers not in cloth:
                raise PlanError(
                    entry.place("form"), f"lays a chip on {numbers}, which is not offered"
                )
    return laid


def _series(entry: Section, _cloth: Cloth) -> Chips:
    return {None: list(entry.number_sets("chips"))}


def _neighbours(entry: Section, _cloth: Cloth) -> Chips:
    sides = range(entry.integer("each_side_min"), entry.integer("each_side_max") + 1)
    return {
        Neighbours(number, each_side): [(n,) for n in wheel_section(number, each_side)]
        for number in POCKETS
        for each_side in sides
    }


def _complete(entry: Section, cloth: Cloth) -> Chips:
    kinds = entry.texts("positions")
    by_numbers = _choice(entry, "chips_per_position", "by_numbers", "one")
    return {
        number: [
            numbers
            for numbers, kind in cloth.items()
            if number in numbers and kind in kinds
            for _chip in (numbers if by_numbers else (number,))
        ]
        for number in POCKETS
    }


def _finale_plein(_entry: Section, _cloth: Cloth) -> Chips:
    return {digit: [(n,) for n in POCKETS if n % 10 == digit] for digit in _DIGITS}


def _finale_cheval(entry: Section, _cloth: Cloth) -> Chips:
    straight = _choice(entry, "missing_split", "straight", "none")
    laid: Chips = {}
    for digit in _DIGITS:
        firsts = [n for n in POCKETS if n % 10 == digit]
        splits = [(n, n + _SPLIT_STEP) for n in firsts if n + _SPLIT_STEP in POCKETS]
        alone = [(n,) for n in firsts if n + _SPLIT_STEP not in POCKETS and straight]
        laid[digit] = [*splits, *alone]
    return laid


def _choice(entry: Section, key: str, yes: str, no: str) -> bool:
    value = entry.text(key)
    if value not in {yes, no}:
        raise PlanError(entry.place(key), f'must be "{yes}" or "{no}"')
    return value == yes


_FORMS: dict[str, Callable[[Section, Cloth], Chips]] = {
    "series": _series,
    "neighbours": _neighbours,
    "complete": _complete,
    "finale_plein": _finale_plein,
    "finale_cheval": _finale_cheval,
}
