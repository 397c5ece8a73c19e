"""Ranking of poker hands: five to seven cards, and Omaha with exactly two of the own cards.

PokerKit ranks the hands. The result is a `HandRank`, ordered by strength: a stronger
hand is greater, hands that split a pot are equal, suits never count. It contains the five cards of
the hand, because some rules need the rank of a pair.

Callers ensure that all cards are different; `cards.check_copies` refuses duplicates.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING

from ledger.core.extras import require_module
from ledger.games.api.cards import DECK, RANKS, SUITS, Card
from ledger.games.api.facts import RankedHand, texts

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pokerkit import Card as LibraryCard

_ROYAL = frozenset("TJQKA")
_HAND, _OMAHA_OWN, _OMAHA_BOARD = 5, 2, 3

_Coded = tuple[int, int, Card]
# Three bits for each rank, enough to count four cards of it, and one bit for each suit.
_CODED: dict[Card, _Coded] = {
    card: (1 << 3 * RANKS.index(card.rank), 1 << SUITS.index(card.suit), card) for card in DECK
}


class HandCategory(IntEnum):
    """Kinds of hands, the strongest last; plan files use the names in lower case."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIR = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9


_STRAIGHTS = (HandCategory.STRAIGHT, HandCategory.STRAIGHT_FLUSH)
CATEGORIES = {category.name.lower(): category for category in HandCategory}


@dataclass(frozen=True, order=True, slots=True)
class HandRank:
    """Strength of a hand; only `strength` is compared, and only between hands of this module."""

    strength: int
    category: HandCategory = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)

    def shown(self) -> RankedHand:
        """Return the hand as in pay tables, with its cards in a dealer's order."""
        counts = Counter(card.rank for card in self.cards)
        has_low_ace = self.category in _STRAIGHTS and {"A", "2"} <= counts.keys()
        order = ("A" + RANKS[:-1]) if has_low_ace else RANKS
        laid = sorted(
            self.cards, key=lambda card: (counts[card.rank], order.index(card.rank)), reverse=True
        )
        return RankedHand(self.category.name.lower(), texts(laid))

    def is_at_least_pair_of(self, rank: str) -> bool:
        """Return whether the hand is a pair of that rank or higher, or any stronger category."""
        if self.category is not HandCategory.ONE_PAIR:
            return self.category > HandCategory.ONE_PAIR
        paired = Counter(card.rank for card in self.cards).most_common(1)[0][0]
        return RANKS.index(paired) >= RANKS.index(rank)


def best_of(own: Sequence[Card], board: Sequence[Card] = ()) -> HandRank:
    """Rank the best five of five to seven different cards, however they are divided."""
    return _library().best(combinations([_CODED[card] for card in (*own, *board)], _HAND))


def best_omaha(own: Sequence[Card], board: Sequence[Card]) -> HandRank:
    """Rank the best hand of exactly two of four own cards and three of the board."""
    mine = [_CODED[card] for card in own]
    shared = list(combinations([_CODED[card] for card in board], _OMAHA_BOARD))
    return _library().best(
        (*two, *three) for two in combinations(mine, _OMAHA_OWN) for three in shared
    )


class _Library:
    """PokerKit, with a mapping between its cards and ours.

    Its ranking of five cards depends on their ranks and on whether they are suited. There are 7,462
    such kinds of hands; each is computed once and cached.
    """

    def __init__(self) -> None:
        # A third of a second to import: only programs that rank a poker hand pay for it.
        require_module("pokerkit")
        import pokerkit  # noqa: PLC0415 - see above

        self._lookup = pokerkit.StandardHighHand.lookup
        self._theirs: dict[Card, LibraryCard] = {
            card: pokerkit.Card(pokerkit.Rank(card.rank), pokerkit.Suit(card.suit.lower()))
            for card in DECK
        }
        self._categories = {
            label: HandCategory[label.name]
            for label in pokerkit.Label
            if label.name in HandCategory.__members__
        }
        self._known: dict[tuple[int, bool], tuple[int, HandCategory]] = {}

    def best(self, hands: Iterable[Sequence[_Coded]]) -> HandRank:
        """Rank the strongest of some hands of five cards each, at least one."""
        known = self._known
        best: Sequence[_Coded] = ()
        strongest, category = -1, HandCategory.HIGH_CARD
        for hand in hands:
            one, two, three, four, five = hand
            kind = (
                one[0] + two[0] + three[0] + four[0] + five[0],
                one[1] & two[1] & three[1] & four[1] & five[1] != 0,
            )
            found = known.get(kind)
            if found is None:
                found = known[kind] = self._look_up([card for _, _, card in hand])
            if found[0] > strongest:
                (strongest, category), best = found, hand
        return HandRank(strongest, category, tuple(card for _, _, card in best))

    def _look_up(self, cards: Sequence[Card]) -> tuple[int, HandCategory]:
        entry = self._lookup.get_entry([self._theirs[card] for card in cards])
        category = self._categories[entry.label]
        if category is HandCategory.STRAIGHT_FLUSH and _ROYAL.issuperset(c.rank for c in cards):
            category = HandCategory.ROYAL_FLUSH
        return entry.index, category


@cache
def _library() -> _Library:
    return _Library()
