"""Edges of the bets against a pay table of poker hands: all hands of five or seven cards, counted.

Hands are not dealt one by one. Without regard to suits, hands are multisets of ranks with a known
number of ways to suit them; hands with five cards of one suit are counted apart and taken out of
the others. With five suited cards neither a full house nor four of a kind is possible in seven.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

from ledger.games import DECK, RANKS
from ledger.games.poker import HandCategory
from tools.plans._edge import STRATEGY, Edge

if TYPE_CHECKING:
    from ledger.games.casino_poker import CasinoHoldemPlan, PayTable, UltimateHoldemPlan

__all__ = ["hand_counts", "holdem_edges", "ultimate_edges"]

_FIRST_FIVE, _ALL_SEVEN = 5, 7
_SUITED = 5
_SUITS = 4
_ALL_RANKS = range(len(RANKS))
_ACE = len(RANKS) - 1
_STRAIGHTS = [{*range(low, low + 5)} for low in range(len(RANKS) - 4)] + [{_ACE, 0, 1, 2, 3}]
_ROYAL = _STRAIGHTS[-2]

Counts = Counter[tuple[HandCategory, int]]
"""Number of hands by category and rank of the pair; the rank is -1 where there is no one pair."""


def holdem_edges(plan: CasinoHoldemPlan) -> list[Edge]:
    """Count the AA bet, for a player who always calls; ante and call are listed without an edge."""
    return [
        Edge("ante", None, STRATEGY),
        Edge("aa", _house(plan.aa, _FIRST_FIVE), "first five cards, if the player calls"),
    ]


def ultimate_edges(plan: UltimateHoldemPlan) -> list[Edge]:
    """Count the trips bet, which no decision of the player affects; list the others."""
    return [
        Edge("ante", None, STRATEGY),
        Edge("blind", None, STRATEGY),
        Edge("trips", _house(plan.trips, _ALL_SEVEN), "seven cards"),
    ]


@cache
def hand_counts(cards: int) -> Counts:
    """Count all hands of five, six or seven cards by their best five."""
    counted: Counts = Counter()
    for ranks in combinations_with_replacement(_ALL_RANKS, cards):
        copies = Counter(ranks)
        ways = prod(comb(_SUITS, count) for count in copies.values())
        if ways:
            counted[_unsuited(copies)] += ways
    for size in range(_SUITED, cards + 1):
        for suited in combinations(_ALL_RANKS, size):
            counted[_suited(frozenset(suited)), -1] += _SUITS * comb(
                len(DECK) - len(RANKS), cards - size
            )
            for kind, ways in _without_suits(suited, cards - size).items():
                counted[kind] -= _SUITS * ways
    return +counted


def _without_suits(suited: tuple[int, ...], others: int) -> Counts:
    """Classify suited hands by rank alone, to subtract them from the unsuited counts."""
    found: Counts = Counter()
    for ranks in combinations_with_replacement(_ALL_RANKS, others):
        ways = prod(comb(_SUITS - 1, count) for count in Counter(ranks).values())
        found[_unsuited(Counter((*suited, *ranks)))] += ways
    return found


def _suited(ranks: frozenset[int]) -> HandCategory:
    if ranks >= _ROYAL:
        return HandCategory.ROYAL_FLUSH
    if any(ranks >= straight for straight in _STRAIGHTS):
        return HandCategory.STRAIGHT_FLUSH
    return HandCategory.FLUSH


def _unsuited(copies: Counter[int]) -> tuple[HandCategory, int]:
    most, *rest = sorted(copies.values(), reverse=True)
    second = rest[0] if rest else 0
    match most, second:
        case 4, _:
            return HandCategory.FOUR_OF_A_KIND, -1
        case 3, 2 | 3:
            return HandCategory.FULL_HOUSE, -1
    if any(copies.keys() >= straight for straight in _STRAIGHTS):
        return HandCategory.STRAIGHT, -1
    match most, second:
        case 3, _:
            return HandCategory.THREE_OF_A_KIND, -1
        case 2, 2:
            return HandCategory.TWO_PAIR, -1
        case 2, _:
            return HandCategory.ONE_PAIR, next(rank for rank, count in copies.items() if count > 1)
    return HandCategory.HIGH_CARD, -1


def _house(table: PayTable, cards: int) -> Fraction:
    """Return the house edge of a pay table over all hands of a number of cards."""
    counted = hand_counts(cards)
    back = Fraction(0)
    for (category, pair), hands in counted.items():
        odds = table.odds.get(category)
        too_low = table.pair_min is not None and (
            category is HandCategory.HIGH_CARD
            or (category is HandCategory.ONE_PAIR and pair < RANKS.index(table.pair_min))
        )
        if odds is not None and not too_low:
            back += hands * (odds + 1)
    return 1 - back / comb(len(DECK), cards)
