"""Wheel and cloth of European roulette: 37 pockets, one zero.

69GAMES Ruleta 4 and Czech Casinos, wheel, print the order of the pockets; SAZKA shows it as a
picture, and the sections it quotes agree. No plan lists the red numbers; they are the usual ones.

The grid positions here leave the zero out. The positions that touch the zero differ between plans
and are part of the plan data.
"""

from __future__ import annotations

from itertools import pairwise

POCKETS = range(37)
NUMBERS = range(1, 37)

WHEEL = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)

RED = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))

_COLUMNS = 3
_LAST = 36
_LAST_OF_FIRST_HALF = 18
_DOZEN = 12

ROWS = tuple((n, n + 1, n + 2) for n in NUMBERS if n % _COLUMNS == 1)

_SPLITS = (
    *((n, n + 1) for n in NUMBERS if n % _COLUMNS != 0),
    *((n, n + _COLUMNS) for n in NUMBERS if n + _COLUMNS <= _LAST),
)

_CORNERS = tuple(
    (n, n + 1, n + _COLUMNS, n + _COLUMNS + 1)
    for n in NUMBERS
    if n % _COLUMNS != 0 and n + _COLUMNS <= _LAST
)

INSIDE: dict[str, tuple[tuple[int, ...], ...]] = {
    "straight": tuple((n,) for n in POCKETS),
    "split": _SPLITS,
    "street": ROWS,
    "corner": _CORNERS,
    "basket": (),
    "sixline": tuple(upper + lower for upper, lower in pairwise(ROWS)),
}
"""Numbers of every position on the grid, by kind; a basket exists only where a plan adds it."""

EVEN_CHANCES: dict[str, tuple[int, ...]] = {
    "red": tuple(n for n in NUMBERS if n in RED),
    "black": tuple(n for n in NUMBERS if n not in RED),
    "odd": tuple(n for n in NUMBERS if n % 2 == 1),
    "even": tuple(n for n in NUMBERS if n % 2 == 0),
    "low": tuple(n for n in NUMBERS if n <= _LAST_OF_FIRST_HALF),
    "high": tuple(n for n in NUMBERS if n > _LAST_OF_FIRST_HALF),
}

TWELVES: dict[str, dict[int, tuple[int, ...]]] = {
    "dozen": {d: tuple(n for n in NUMBERS if (n - 1) // _DOZEN == d - 1) for d in (1, 2, 3)},
    "column": {c: tuple(n for n in NUMBERS if (n - c) % _COLUMNS == 0) for c in (1, 2, 3)},
}


def wheel_section(number: int, each_side: int) -> tuple[int, ...]:
    """Return a number and `each_side` pockets on both sides of it, in the order of the wheel."""
    middle = WHEEL.index(number)
    return tuple(WHEEL[(middle + step) % len(WHEEL)] for step in range(-each_side, each_side + 1))
