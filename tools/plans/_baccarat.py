"""Edges of baccarat: all orders of six cards from a full shoe, counted by value."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from ledger.games import DECK, RANKS, Card, Result
from ledger.games.baccarat import Coup, does_banker_draw, does_player_draw, result_of
from tools.plans._edge import Edge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.baccarat import BaccaratPlan

__all__ = ["Ending", "baccarat_edges", "coups"]

_COPIES = 4
_TENS = 4
"""Ranks that count nothing: ten, jack, queen, king."""
_PAIR_BETS = {
    "player_pair": (len(RANKS), False),
    "banker_pair": (len(RANKS), False),
    "any_pair": (len(RANKS), True),
    "perfect_pairs": (len(DECK), True),
}
"""How many kinds of cards make a pair with their own kind, and whether either hand is enough."""


class Ending(NamedTuple):
    """The values that the counted bets depend on: both totals and the number of cards."""

    player: int
    banker: int
    cards: int


def baccarat_edges(plan: BaccaratPlan) -> list[Edge]:
    """Count every bet of the plan."""
    endings = coups(plan.cards.decks)
    whole = endings.total()
    found = []
    for code, bet in plan.bets.items():
        if code in _PAIR_BETS:
            kinds, either = _PAIR_BETS[code]
            wins = _pair_share(plan.cards.decks, kinds, either=either)
            found.append(Edge(code, 1 - wins * (bet.odds + 1)))
            continue
        house = Fraction(0)
        for ending, weight in endings.items():
            match result_of(code, _example(ending)):
                case Result.WIN:
                    house -= weight * bet.odds
                case Result.LOSE:
                    house += weight
        found.append(Edge(code, house / whole))
    return found


def coups(decks: int) -> Counter[Ending]:
    """Count all orders of six cards by how the coup ends."""
    left = [_COPIES * _TENS * decks] + [_COPIES * decks] * 9
    found: Counter[Ending] = Counter()
    for player, first in _pairs(left):
        _take(left, player)
        for banker, second in _pairs(left):
            _take(left, banker)
            for ending, weight in _endings(sum(player) % 10, sum(banker) % 10, left):
                found[ending] += first * second * weight
            _take(left, banker, -1)
        _take(left, player, -1)
    return found


def _pairs(left: list[int]) -> Iterator[tuple[tuple[int, int], int]]:
    """Iterate over two cards by value, with the number of orders in which they can be dealt."""
    for one, two in combinations_with_replacement(range(10), 2):
        same = one == two
        yield (one, two), left[one] * (left[two] - 1 if same else 2 * left[two])


def _take(left: list[int], values: tuple[int, int], count: int = 1) -> None:
    for value in values:
        left[value] -= count


def _endings(player: int, banker: int, left: list[int]) -> Iterator[tuple[Ending, int]]:
    """Iterate over the next two cards of the shoe; cards that are not drawn only add weight."""
    shoe = sum(left)
    if not does_player_draw(player, banker):
        yield from _banker_endings(player, banker, None, left, (shoe - 1, shoe * (shoe - 1)))
        return
    for third, copies in enumerate(left):
        left[third] -= 1
        endings = _banker_endings(player, banker, third, left, (1, shoe - 1))
        for ending, weight in endings:
            yield ending, copies * weight
        left[third] += 1


def _banker_endings(
    player: int, banker: int, third: int | None, left: list[int], undrawn: tuple[int, int]
) -> Iterator[tuple[Ending, int]]:
    """Finish Banker's hand; `undrawn` weighs the cards behind a drawn and an undrawn one."""
    total = player if third is None else (player + third) % 10
    cards = 4 + (third is not None)
    if not does_banker_draw(player, banker, third):
        yield Ending(total, banker, cards), undrawn[1]
        return
    for last, copies in enumerate(left):
        yield Ending(total, (banker + last) % 10, cards + 1), copies * undrawn[0]


def _pair_share(decks: int, kinds: int, *, either: bool) -> Fraction:
    """Return the share of deals in which a hand, or ``either`` of both, begins with a pair."""
    cards = len(DECK) * decks
    copies = cards // kinds
    one = Fraction(copies - 1, cards - 1)
    if not either:
        return one
    of_the_same, of_another = (copies - 2) * (copies - 3), (kinds - 1) * copies * (copies - 1)
    other_too = Fraction(of_the_same + of_another, (cards - 2) * (cards - 3))
    return 2 * one - one * other_too


def _example(ending: Ending) -> Coup:
    """Return an example coup with these totals and card count, in any order of drawing."""
    return Coup(_hand(ending.player, 2), _hand(ending.banker, ending.cards - 2))


def _hand(total: int, cards: int) -> tuple[Card, ...]:
    rank = {0: "T", 1: "A"}.get(total, str(total))
    return (Card(rank, "S"), *(Card("K", "S") for _ in range(cards - 1)))
