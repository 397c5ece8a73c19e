"""The bets of one roulette plan, computed once when the plan is loaded.

A `Position` is a place on the cloth: kind, numbers, odds. A `Bet` is a code with one valid
selection: how many equal chips are on which positions, and how many chips are returned for each of
the 37 pockets. All odds are whole numbers, so nothing is ever rounded. A plan has about 600 bets;
finding one takes two dictionary look-ups.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from msgspec import field

from ledger.games.api.plan_table import PlanTable
from ledger.games.api.typed import Count, Document, Haler, ShapeError, Text, decode
from ledger.games.roulette.composites import Neighbours, lay_chips, read_composite
from ledger.games.roulette.layout import EVEN_CHANCES, INSIDE, POCKETS, TWELVES

_TIMES = "\N{MULTIPLICATION SIGN}"
_SELECTION_NUMBERS_MAX = 6


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A place for chips; the maximum is per player and position, None if there is none."""

    kind: str
    numbers: tuple[int, ...]
    pays: int
    label: str
    haler_max: int | None


class WinningChips(NamedTuple):
    """Winning chips of a bet: position, printed odds and number of chips; and their kinds."""

    chips: tuple[tuple[Position, str, int], ...]
    kinds: str


@dataclass(frozen=True, eq=False)
class Bet:
    """A bet code with a valid selection; `positions` has the number of chips on each position.

    A plan has hundreds of bets and a round only a few of them, so winners are computed on demand.
    """

    code: str
    name: str
    positions: Mapping[Position, int]
    rule: str

    @cached_property
    def words(self) -> str:
        """Return a description of the positions of the chips."""
        chips = self.positions
        if len(chips) == 1 and self.code in self.kinds:
            return self.name
        return f"{self.name} ({', '.join(_chip_words(*pair) for pair in chips.items())})"

    @cached_property
    def chips(self) -> int:
        """Return the number of chips, by which the stake is divided."""
        return sum(self.positions.values())

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """Return the kinds of its positions, each once."""
        return tuple(dict.fromkeys(position.kind for position in self.positions))

    @cached_property
    def winning(self) -> tuple[WinningChips, ...]:
        """Return for each pocket the winning chips; equal results share one object."""
        there: dict[int, list[Position]] = {pocket: [] for pocket in POCKETS}
        for position in self.positions:
            for pocket in set(position.numbers):
                there[pocket].append(position)
        winning = [tuple(won) for won in there.values()]
        paid = {won: self._paid(won) for won in set(winning)}
        return tuple(paid[won] for won in winning)

    @cached_property
    def returns(self) -> tuple[int, ...]:
        """Return for each pocket how many chips are returned, including winning stakes."""
        return tuple(
            sum(count * (position.pays + 1) for position, _, count in won.chips)
            for won in self.winning
        )

    def _paid(self, won: tuple[Position, ...]) -> WinningChips:
        return WinningChips(
            tuple((position, f"{position.pays}:1", self.positions[position]) for position in won),
            ", ".join(dict.fromkeys(position.kind for position in won)),
        )


Bets = Mapping[str, Mapping[Hashable, Bet]]


def selection_key(selection: object) -> Hashable:
    """Normalise a recorded selection to the key by which bets are found.

    Numbers in any order become a sorted tuple, a mapping with exactly `number` and `each_side`
    becomes `Neighbours`, an integer and None are returned unchanged. Anything else becomes an empty
    tuple, which is the key of no bet. True and 1.0 are not integers.
    """
    if selection is None or type(selection) is int or type(selection) is Neighbours:
        return selection
    if isinstance(selection, list | tuple):
        if len(selection) == 1 and type(selection[0]) is int:
            return (selection[0],)  # By far the most frequent.
        if len(selection) > _SELECTION_NUMBERS_MAX or any(type(n) is not int for n in selection):
            return ()
        return tuple(sorted(selection))
    if isinstance(selection, Mapping) and selection.keys() == {"number", "each_side"}:
        number, each_side = selection["number"], selection["each_side"]
        if type(number) is int and type(each_side) is int:
            return Neighbours(number, each_side)
    return ()


class PositionTable(PlanTable, frozen=True):
    """One kind of position in a plan file; `with_zero` adds positions to those of the layout."""

    pays: Count
    haler_max: Haler | None = field(name="maximum", default=None)
    with_zero: tuple[tuple[Count, ...], ...] = ()
    rule: Text | None = None


def read_bets(tables: Mapping[str, Document], *, rule_settled: str, haler_max: int | None) -> Bets:
    """Compute all bets of a plan.

    Args:
        tables: the table `bets` of the plan file, one table per bet code.
        rule_settled: the paragraph of bets that name no other.
        haler_max: the maximum of positions that name no other.

    Raises:
        ShapeError: an unknown code or form, or chips on a position that the plan does not offer.

    """
    bets: dict[str, Mapping[Hashable, Bet]] = {code: {} for code in tables}
    cloth: dict[tuple[int, ...], Position] = {}
    for code, table in tables.items():
        if "form" not in table:
            simple = decode(table, PositionTable, f".bets.{code}")
            positions = _simple(code, simple, haler_max)
            rule = simple.rule or rule_settled
            bets[code] = {key: _single(position, rule) for key, position in positions.items()}
            if code in INSIDE:
                cloth |= {position.numbers: position for position in positions.values()}
    kinds = {numbers: position.kind for numbers, position in cloth.items()}
    for code, table in tables.items():
        if "form" in table:
            composite = read_composite(table, f".bets.{code}")
            rule = composite.rule or rule_settled
            bets[code] = {
                key: Bet(
                    code,
                    _composite_name(code, key),
                    Counter(cloth[numbers] for numbers in chips),
                    rule,
                )
                for key, chips in lay_chips(composite, kinds, f".bets.{code}").items()
            }
    return bets


def _simple(code: str, table: PositionTable, haler_max: int | None) -> dict[Hashable, Position]:
    """Return the positions of one kind by their selections."""
    where = f".bets.{code}"
    pays, highest = table.pays, haler_max if table.haler_max is None else table.haler_max
    if code not in INSIDE and table.with_zero:
        raise ShapeError(f"{where}.with_zero", "is not known here")
    if code in EVEN_CHANCES:
        return {None: Position(code, EVEN_CHANCES[code], pays, code, highest)}
    if code in TWELVES:
        return {
            number: Position(code, numbers, pays, f"{code} {number}", highest)
            for number, numbers in TWELVES[code].items()
        }
    if code not in INSIDE:
        raise ShapeError(f"{where}.form", "is missing: the code is not a position of the cloth")
    with_zero = [tuple(sorted(numbers)) for numbers in table.with_zero]
    if any(number not in POCKETS for numbers in with_zero for number in numbers):
        raise ShapeError(f"{where}.with_zero", "must hold pockets 0 to 36")
    positions: dict[Hashable, Position] = {
        numbers: Position(code, numbers, pays, "/".join(map(str, numbers)), highest)
        for numbers in (*INSIDE[code], *with_zero)
    }
    if not positions:
        raise ShapeError(f"{where}.with_zero", "must give the numbers of the position")
    if code == "basket":
        positions[None] = next(iter(positions.values()))
    return positions


def _single(position: Position, rule: str) -> Bet:
    inside = position.kind in INSIDE
    name = f"{position.kind} {position.label}" if inside else position.label
    return Bet(position.kind, name, {position: 1}, rule)


def _composite_name(code: str, key: Hashable) -> str:
    name = code.replace("_", " ")
    if isinstance(key, Neighbours):
        return f"{name} of {key.number}, {key.each_side} on each side"
    return name if key is None else f"{name} {key}"


def _chip_words(position: Position, count: int) -> str:
    return position.label if count == 1 else f"{position.label} {_TIMES}{count}"
