"""Draw the cloth of a roulette table: numbers, outside fields, and the chips on it.

A chip lies on the field, the line or the corner of its numbers, as on a real table; the number on
it is that of the participant. Chips on one position are drawn side by side. A marker (dolly) shows
the winning number, and winning chips have a thick ring.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games.roulette import EVEN_CHANCES, INSIDE, TWELVES
from projections.pictures.pieces import chip, mark
from projections.pictures.svg import (
    EDGE,
    FELT,
    INK,
    PAPER,
    WIDTH,
    Drawing,
    Svg,
    element,
    group,
    placed,
    rectangle,
    words_at,
)
from projections.pictures.wheel import colour_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ledger.games.roulette import Position
    from projections.pictures.scene import Scene

__all__ = ["cloth"]

LEFT, TOP, CELL, TALL, OUTSIDE = 59.0, 10.0, 50.0, 54.0, 42.0
BOTTOM = TOP + 3 * TALL
RIGHT = LEFT + 12 * CELL
EVENS = ("low", "even", "red", "black", "odd", "high")
RANGES = {"low": "1\N{EN DASH}18", "high": "19\N{EN DASH}36"}
Stack = tuple[int, int]
"""A participant's number, and the amount on a position in haléř."""


def cloth(scene: Scene, number: int | None, chips: Mapping[Position, Sequence[Stack]]) -> Drawing:
    """Draw the cloth with chips by position; ``number`` is the result, None before it."""
    height = BOTTOM + 2 * OUTSIDE + 8
    parts = [rectangle(0.5, 0.5, WIDTH - 1, height - 1, rx=8, fill=FELT, stroke=EDGE)]
    parts += [_number(n, is_hit=n == number) for n in range(37)]
    parts += [_twelve(kind, which, number) for kind in TWELVES for which in TWELVES[kind]]
    parts += [_even(scene, place, kind, number) for place, kind in enumerate(EVENS)]
    if number is not None:
        x, y = _middle(number)
        parts.append(_dolly(x, y))
    for position, stacks in chips.items():
        parts.append(_stacks(scene, position, stacks, is_winner=number in position.numbers))
    return Drawing(WIDTH, height, Svg("".join(parts)))


def _middle(number: int) -> tuple[float, float]:
    if number == 0:
        return LEFT - 22, TOP + 1.5 * TALL
    column, row = divmod(number - 1, 3)
    return LEFT + (column + 0.5) * CELL, BOTTOM - (row + 0.5) * TALL


def _number(number: int, *, is_hit: bool) -> Svg:
    x, y = _middle(number)
    fill = colour_of(number)
    if number == 0:
        field = rectangle(LEFT - 44, TOP, 44, 3 * TALL, rx=10, fill=fill, stroke=PAPER)
    else:
        field = rectangle(
            x - CELL / 2, y - TALL / 2, CELL, TALL, fill=fill, stroke=PAPER, stroke_width=1.5
        )
        if colour_of(number) != INK:
            field = Svg(
                field
                + element(
                    "path",
                    d=f"M{x:g} {y - 23:g}l21 23l-21 23l-21 -23z",
                    fill="none",
                    stroke=PAPER,
                    stroke_width=0.7,
                )
            )
    left = x - 8 if is_hit and number else x
    shown = words_at(left, y - 1, str(number), size=18, bold=True, anchor="middle", fill=PAPER)
    return group(field, shown, data_colour="true")


def _dolly(x: float, y: float) -> Svg:
    return group(
        rectangle(
            x - CELL / 2 + 2, y - TALL / 2 + 2, CELL - 4, TALL - 4, stroke=PAPER, stroke_width=3
        ),
        element(
            "path",
            d=f"M{x + 7:g} {y - 1:g}h11l-2.500 -6c-1 -3 2 -5 2 -8.500"
            f"a5 5 0 0 0 -10 0c0 3.500 3 5.500 2 8.500z",
            fill=PAPER,
            stroke=INK,
        ),
    )


def _twelve(kind: str, which: int, number: int | None) -> Svg:
    has = number in TWELVES[kind][which]
    if kind == "dozen":
        x, y, width, height = LEFT + (which - 1) * 4 * CELL, BOTTOM, 4 * CELL, OUTSIDE
        text = f"{which * 12 - 11}\N{EN DASH}{which * 12}"
    else:
        x, y, width, height = RIGHT, BOTTOM - which * TALL, 46.0, TALL
        text = "2:1"
    return _outside(x, y, width, height, text, has=has)


def _even(scene: Scene, place: int, kind: str, number: int | None) -> Svg:
    return _outside(
        LEFT + place * 2 * CELL,
        BOTTOM + OUTSIDE,
        2 * CELL,
        OUTSIDE,
        RANGES.get(kind) or scene.named("bets", kind),
        has=number in EVEN_CHANCES[kind],
        kind=kind,
    )


def _outside(
    x: float, y: float, width: float, height: float, text: str, *, has: bool, kind: str = ""
) -> Svg:
    """Draw an outside field, with a tick if it contains the winning number."""
    parts = [rectangle(x, y, width, height, fill=PAPER, stroke=EDGE)]
    if kind in {"red", "black"}:
        fill = colour_of(1) if kind == "red" else INK
        path = f"M{x + 15:g} {y + 3:g}l6 6l-6 6l-6 -6z"
        parts.append(element("path", d=path, fill=fill, data_colour="true"))
    parts.append(
        words_at(
            x + width / 2,
            y + (13 if height < TALL else 18),
            text,
            size=11,
            anchor="middle",
            width_max=width - 34 if kind in {"red", "black"} else width - 6,
        )
    )
    if has:
        parts.append(placed(x + width - 17, y + 2, Drawing(15, 15, mark("win"))))
    return Svg("".join(parts))


def _named(scene: Scene, position: Position) -> str:
    which = position.label.removeprefix(position.kind).strip()
    return f"{scene.named('bets', position.kind)} {which}".strip()


def _stacks(scene: Scene, position: Position, stacks: Sequence[Stack], *, is_winner: bool) -> Svg:
    x, y = _place(position)
    apart = min(19.0, 40 / max(len(stacks) - 1, 1))
    first = x - apart * (len(stacks) - 1) / 2
    return Svg(
        "".join(
            group(
                chip(
                    number,
                    radius=8,
                    is_winner=is_winner,
                    said=f"{number}: {_named(scene, position)}, {scene.words.money(haler)}",
                ),
                transform=f"translate({first + apart * place:.1f} {y:.1f})",
                data_chips_of=number,
                data_place=f"{position.kind} {position.label}",
            )
            for place, (number, haler) in enumerate(stacks)
        )
    )


def _place(position: Position) -> tuple[float, float]:
    """Return the coordinates of the chips of a position."""
    numbers = position.numbers
    if position.kind in EVEN_CHANCES:
        return LEFT + (EVENS.index(position.kind) * 2 + 1) * CELL, BOTTOM + 1.5 * OUTSIDE + 8
    if position.kind == "dozen":
        return LEFT + ((numbers[0] - 1) / 12 * 4 + 2) * CELL, BOTTOM + OUTSIDE / 2 + 8
    if position.kind == "column":
        return RIGHT + 23, BOTTOM - (numbers[0] - 0.5) * TALL + 8
    if position.kind not in INSIDE:
        return LEFT - 22, BOTTOM + OUTSIDE
    middles = [_middle(number) for number in numbers if number]
    if not middles:
        return LEFT - 22, TOP + 1.5 * TALL + 18
    if position.kind == "straight":
        return middles[0][0], middles[0][1] + 14
    x = sum(x for x, _ in middles) / len(middles)
    y = sum(y for _, y in middles) / len(middles)
    if 0 in numbers:
        return LEFT, BOTTOM if position.kind in {"basket", "corner"} else y
    return x, BOTTOM if position.kind in {"street", "sixline"} else y
