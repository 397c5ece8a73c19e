"""A second reading of the layout of roulette, and the bets that follow from it.

The oracle knows the cloth only as a grid of cells and the wheel only as a printed order. It uses
the fact that on every position a chip and its winnings make 36 chips divided by the numbers that
the position covers.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import Any

SYNOT, EVOLUTION = "sazka.roulette_synot", "sazka.roulette_evolution"
SIXTY_NINE, CZECH = "69games.roulette", "czech_casinos.american_roulette"
ALL = (SYNOT, EVOLUTION, SIXTY_NINE, CZECH)

PRINTED_WHEEL = (
    "0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 "
    "12 35 3 26"
)
WHEEL = [int(n) for n in PRINTED_WHEEL.split()]
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}

Chips = list[frozenset[int]]


def cell(n: int) -> tuple[int, int]:
    return (n + 2) // 3, (n - 1) % 3


def touches(a: int, b: int) -> bool:
    if a == 0:
        return b in (1, 2, 3)
    (row_a, column_a), (row_b, column_b) = cell(a), cell(b)
    return abs(row_a - row_b) + abs(column_a - column_b) == 1


def is_block(numbers: tuple[int, ...], rows: int, columns: int) -> bool:
    cells = {cell(n) for n in numbers if n > 0}
    if len(cells) != rows * columns or 0 in numbers:
        return False
    height = max(r for r, _ in cells) - min(r for r, _ in cells) + 1
    width = max(c for _, c in cells) - min(c for _, c in cells) + 1
    return (height, width) == (rows, columns)


@cache
def inside(game: str) -> dict[str, set[frozenset[int]]]:
    corners = {s for s in combinations(range(37), 4) if is_block(s, 2, 2)}
    if game in {SIXTY_NINE, CZECH}:
        corners.add((0, 1, 2, 3))
    found: dict[str, set[Any]] = {
        "straight": {(n,) for n in range(37)},
        "split": {s for s in combinations(range(37), 2) if touches(*s)},
        "street": {s for s in combinations(range(37), 3) if is_block(s, 1, 3)}
        | {(0, 1, 2), (0, 2, 3)},
        "corner": corners,
        "sixline": {
            tuple(range(n, n + 6)) for n in range(1, 32) if is_block((*range(n, n + 6),), 2, 3)
        },
    }
    return {code: {frozenset(s) for s in sets} for code, sets in found.items()}


def numbers_of(text: str) -> Chips:
    return [frozenset(int(n) for n in chip.split("/")) for chip in text.split()]


SERIES = {
    "tiers": numbers_of("5/8 10/11 13/16 23/24 27/30 33/36"),
    "voisins": numbers_of("0/2/3 0/2/3 25/26/28/29 25/26/28/29 4/7 12/15 18/21 19/22 32/35"),
    "orphelins": numbers_of("1 6/9 14/17 17/20 31/34"),
    "zero": numbers_of("26 0/3 12/15 32/35"),
}
SYNOT_SERIES = {
    "jeu_7_9": numbers_of("19 27 7/8 8/9 17/18 28/29"),
    "orphelins_plein": numbers_of("1 6 9 14 17 20 31 34"),
}
CHEVAL = {
    0: "0/3 10/13 20/23 30/33",
    1: "1/4 11/14 21/24 31/34",
    2: "2/5 12/15 22/25 32/35",
    3: "3/6 13/16 23/26 33/36",
    4: "4/7 14/17 24/27 34",
    5: "5/8 15/18 25/28 35",
    6: "6/9 16/19 26/29 36",
    7: "7/10 17/20 27/30",
    8: "8/11 18/21 28/31",
    9: "9/12 19/22 29/32",
}


def neighbours(number: int, each_side: int) -> Chips:
    around = WHEEL * 3
    middle = 37 + WHEEL.index(number)
    return [frozenset((n,)) for n in around[middle - each_side : middle + each_side + 1]]


def outside() -> dict[str, list[tuple[Any, Chips]]]:
    numbers = range(1, 37)
    found: dict[str, list[tuple[Any, Chips]]] = {
        "red": [(None, [frozenset(RED)])],
        "black": [(None, [frozenset(numbers) - RED])],
        "odd": [(None, [frozenset(range(1, 37, 2))])],
        "even": [(None, [frozenset(range(2, 37, 2))])],
        "low": [(None, [frozenset(range(1, 19))])],
        "high": [(None, [frozenset(range(19, 37))])],
    }
    found["dozen"] = [(d, [frozenset(range(12 * d - 11, 12 * d + 1))]) for d in (1, 2, 3)]
    found["column"] = [(c, [frozenset(range(c, 37, 3))]) for c in (1, 2, 3)]
    return found


@cache
def oracle(game: str) -> dict[str, list[tuple[Any, Chips]]]:
    """List every bet of a game: code, selection as in a request, numbers under each chip."""
    positions = inside(game)
    bets = outside()
    for code, sets in positions.items():
        bets[code] = [(sorted(s, reverse=True), [s]) for s in sets]
    for code, chips in SERIES.items():
        bets[code] = [(None, chips)]
    sides = range(0 if game == EVOLUTION else 1, 10)
    bets["neighbours"] = [
        ({"number": n, "each_side": s}, neighbours(n, s)) for n in range(37) for s in sides
    ]
    if game in {SYNOT, EVOLUTION}:
        every = [s for sets in positions.values() for s in sets]
        bets["complete"] = [(n, [s for s in every if n in s]) for n in range(37)]
        bets["finales_plein"] = [
            (d, [frozenset((n,)) for n in range(37) if str(n)[-1] == str(d)]) for d in range(10)
        ]
    if game == EVOLUTION:
        bets["finale_cheval"] = [(d, numbers_of(chips)) for d, chips in CHEVAL.items()]
    if game == SYNOT:
        first_four = frozenset((0, 1, 2, 3))
        bets["basket"] = [(None, [first_four]), ([2, 0, 3, 1], [first_four])]
        bets["semi_complete"] = [
            (n, [s for s in every if n in s and len(s) in {1, 2, 4}]) for n in range(37)
        ]
        bets |= {code: [(None, chips)] for code, chips in SYNOT_SERIES.items()}
    return bets
