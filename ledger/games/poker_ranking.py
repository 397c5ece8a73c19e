"""Ranking of poker hands: five to seven cards, and Omaha with exactly two of the own cards.

The ranking itself is PokerKit's. What comes out is a `HandRank` that compares as players expect: a
stronger hand is greater, hands that split a pot are equal, suits never count. The five cards that
make the hand are kept, because some rules ask for the rank of a pair.

Callers see to it that all cards are different; `_cards.check_copies` refuses anything else.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from typing import TYPE_CHECKING

from ledger.games._cards import DECK, RANKS, Card

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pokerkit import Card as LibraryCard
    from pokerkit import Hand

_ROYAL = frozenset("TJQKA")


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


@dataclass(frozen=True, order=True, slots=True)
class HandRank:
    """How strong a hand is; only `strength` is compared, and only between hands of this module."""

    strength: int
    category: HandCategory = field(compare=False)
    cards: tuple[Card, ...] = field(compare=False)

    def is_at_least_pair_of(self, rank: str) -> bool:
        """Tell whether the hand is a pair of that rank, a higher pair or any stronger category."""
        if self.category is not HandCategory.ONE_PAIR:
            return self.category > HandCategory.ONE_PAIR
        paired = Counter(card.rank for card in self.cards).most_common(1)[0][0]
        return RANKS.index(paired) >= RANKS.index(rank)


def best_of(own: Sequence[Card], board: Sequence[Card] = ()) -> HandRank:
    """Rank the best five of five to seven different cards, however they are divided."""
    library = _library()
    return library.rank(library.high_hand, own, board)


def best_omaha(own: Sequence[Card], board: Sequence[Card]) -> HandRank:
    """Rank the best hand of exactly two of four own cards and three of the board."""
    library = _library()
    return library.rank(library.omaha_hand, own, board)


class _Library:
    """PokerKit, with its cards matched to ours."""

    def __init__(self) -> None:
        # A third of a second to import: only programs that rank a poker hand shall pay for it.
        import pokerkit  # noqa: PLC0415 - see above

        self.high_hand: type[Hand] = pokerkit.StandardHighHand
        self.omaha_hand: type[Hand] = pokerkit.OmahaHoldemHand
        self._theirs: dict[Card, LibraryCard] = {
            card: pokerkit.Card(pokerkit.Rank(card.rank), pokerkit.Suit(card.suit.lower()))
            for card in DECK
        }
        self._ours = {theirs: card for card, theirs in self._theirs.items()}
        self._categories = {
            label: HandCategory[label.name]
            for label in pokerkit.Label
            if label.name in HandCategory.__members__
        }

    def rank(self, kind: type[Hand], own: Sequence[Card], board: Sequence[Card]) -> HandRank:
        """Rank by one kind of hand of the library."""
        hand = kind.from_game(
            [self._theirs[card] for card in own], [self._theirs[card] for card in board]
        )
        cards = tuple(self._ours[card] for card in hand.cards)
        category = self._categories[hand.entry.label]
        if category is HandCategory.STRAIGHT_FLUSH and _ROYAL.issuperset(c.rank for c in cards):
            category = HandCategory.ROYAL_FLUSH
        return HandRank(hand.entry.index, category, cards)


@cache
def _library() -> _Library:
    return _Library()
