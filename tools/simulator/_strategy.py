"""The strategy of a blackjack player: simplified basic strategy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.games import parse_cards
from ledger.games.blackjack import ACE, best_total, card_value

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["is_soft", "total", "wants_card", "wants_double", "wants_split"]

ALWAYS_SPLIT = frozenset("A8")
SPLIT_AGAINST_WEAK = frozenset("23679")
WEAK = range(2, 7)
DOUBLES = (10, 11)
STANDS_HARD, STANDS_SOFT, HITS_BELOW = 17, 18, 12
SOFT_DIFFERENCE = 10


def total(cards: Sequence[str]) -> int:
    """Count a hand."""
    return best_total(parse_cards(cards))


def is_soft(cards: Sequence[str]) -> bool:
    """Does an ace count 11?"""
    hard = sum(1 if card[0] == ACE else card_value(parse_cards([card])[0]) for card in cards)
    return total(cards) == hard + SOFT_DIFFERENCE


def _is_weak(open_card: str) -> bool:
    return card_value(parse_cards([open_card])[0]) in WEAK


def wants_card(cards: Sequence[str], open_card: str) -> bool:
    """Return whether to take another card."""
    count = total(cards)
    if is_soft(cards):
        return count < STANDS_SOFT
    return count < (HITS_BELOW if _is_weak(open_card) else STANDS_HARD)


def wants_double(cards: Sequence[str], open_card: str) -> bool:
    """Double two cards?"""
    return total(cards) in DOUBLES and card_value(parse_cards([open_card])[0]) < DOUBLES[0]


def wants_split(cards: Sequence[str], open_card: str) -> bool:
    """Split a pair of one rank?"""
    first, second = (card[0] for card in cards)
    if first != second:
        return False
    return first in ALWAYS_SPLIT or (first in SPLIT_AGAINST_WEAK and _is_weak(open_card))
