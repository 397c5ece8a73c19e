"""Ranking of hands: every class of five-card hands, random seven-card and Omaha hands.

Oracles are a ranking by counting in `banker_cases` and, where it is installed, a second library
whose method is another one (perfect hashing).
"""

from __future__ import annotations

import random
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, pairwise
from math import comb, prod
from typing import TYPE_CHECKING

import phevaluator
import pytest

from ledger import games
from ledger.games.api.cards import parse_cards
from ledger.games.casino_poker.holdem import CasinoHoldemPlan
from ledger.games.poker.ranking import HandCategory, HandRank, best_of, best_omaha
from tests.ledger.games.banker_cases import DECK, RANKS, strength_of_five

if TYPE_CHECKING:
    from ledger.games.casino_poker.common import PayTable

COUNTED = {
    "ROYAL_FLUSH": 4,
    "STRAIGHT_FLUSH": 36,
    "FOUR_OF_A_KIND": 624,
    "FULL_HOUSE": 3_744,
    "FLUSH": 5_108,
    "STRAIGHT": 10_200,
    "THREE_OF_A_KIND": 54_912,
    "TWO_PAIR": 123_552,
    "ONE_PAIR": 1_098_240,
    "HIGH_CARD": 1_302_540,
}
HANDS_IN_ALL = comb(52, 5)


def five_card_classes() -> list[tuple[tuple[str, ...], int]]:
    """Give one hand of each of the 7462 classes with the number of hands in it."""
    found = []
    for ranks in combinations_with_replacement(range(13), 5):
        counts = [ranks.count(rank) for rank in sorted(set(ranks))]
        if max(counts) > 4:
            continue
        hands = prod(comb(4, count) for count in counts)
        suits = {rank: iter("CDHS") for rank in ranks}
        mixed = [RANKS[rank] + next(suits[rank]) for rank in ranks]
        if len(counts) == 5:
            mixed[4] = mixed[4][0] + "D"
            found.append((tuple(RANKS[rank] + "S" for rank in ranks), 4))
            hands -= 4
        found.append((tuple(mixed), hands))
    return found


CLASSES = five_card_classes()


@pytest.fixture(scope="module")
def ranked() -> list[tuple[tuple[str, ...], int, HandRank]]:
    return [(cards, count, best_of(parse_cards(cards))) for cards, count in CLASSES]


def test_all_hands_of_five_fall_into_the_counted_categories(
    ranked: list[tuple[tuple[str, ...], int, HandRank]],
) -> None:
    assert len(ranked) == len({hand.strength for _, _, hand in ranked}) == 7462
    assert sum(count for _, count, _ in ranked) == HANDS_IN_ALL
    for name, expected in COUNTED.items():
        assert expected == sum(n for _, n, hand in ranked if hand.category.name == name)


def test_classes_are_ordered_as_by_counting(
    ranked: list[tuple[tuple[str, ...], int, HandRank]],
) -> None:
    by_library = sorted(ranked, key=lambda entry: entry[2])
    by_counting = sorted(ranked, key=lambda entry: strength_of_five(entry[0]))
    assert by_library == by_counting
    for cards, _, hand in ranked:
        category = min(hand.category, HandCategory.STRAIGHT_FLUSH)
        assert category == strength_of_five(cards)[0]


def test_the_aa_bet_costs_the_player_what_its_table_says(
    ranked: list[tuple[tuple[str, ...], int, HandRank]],
) -> None:
    """Five cards are dealt before the decision, so the table can be weighed exactly."""
    plan = games.plan("sazka.casino_holdem")
    assert isinstance(plan, CasinoHoldemPlan)
    table: PayTable = plan.aa
    paying = losing = 0
    net = Fraction(0)
    for _, count, hand in ranked:
        odds = table.odds_of(hand)
        net += -count if odds is None else count * odds
        paying += 0 if odds is None else count
        losing += count if odds is None else 0
    # A thirteenth of all pairs are pairs of aces.
    assert paying == 4 + 36 + 624 + 3_744 + 5_108 + 10_200 + 54_912 + 123_552 + 1_098_240 // 13
    assert losing == HANDS_IN_ALL - paying
    expected = 100 * 4 + 50 * 36 + 40 * 624 + 30 * 3_744 + 20 * 5_108 + 7 * 273_144 - losing
    assert net == expected
    assert f"{float(net / HANDS_IN_ALL):.4f}" == "-0.0626"


@pytest.mark.parametrize("size", [6, 7])
def test_the_best_five_of_more_cards_are_found(size: int) -> None:
    drawer = random.Random(size)
    hands = [drawer.sample(DECK, size) for _ in range(1500)]
    ranks = [best_of(parse_cards(cards[:2]), parse_cards(cards[2:])) for cards in hands]
    strengths = [max(map(strength_of_five, combinations(cards, 5))) for cards in hands]
    order = sorted(range(len(hands)), key=lambda n: strengths[n])
    for lower, higher in pairwise(order):
        assert (ranks[lower] < ranks[higher]) == (strengths[lower] < strengths[higher])
        assert (ranks[lower] == ranks[higher]) == (strengths[lower] == strengths[higher])
    for hand, strength in zip(ranks, strengths, strict=True):
        assert strength_of_five(tuple(map(str, hand.cards))) == strength


def test_omaha_takes_exactly_two_own_cards() -> None:
    drawer = random.Random(4)
    for _ in range(400):
        cards = drawer.sample(DECK, 9)
        hand = best_omaha(parse_cards(cards[:4]), parse_cards(cards[4:]))
        expected = max(
            strength_of_five((*own, *board))
            for own in combinations(cards[:4], 2)
            for board in combinations(cards[4:], 3)
        )
        assert strength_of_five(tuple(map(str, hand.cards))) == expected
        assert len({str(card) for card in hand.cards} & set(cards[:4])) == 2


def test_a_second_library_agrees_on_every_class_and_on_many_random_hands() -> None:
    drawer = random.Random(7)
    hands = [list(cards) for cards, _ in CLASSES]
    hands += [drawer.sample(DECK, drawer.choice([5, 6, 7, 7, 7])) for _ in range(10_000)]
    pairs = {}
    for cards in hands:
        mine = best_of(parse_cards(cards)).strength
        theirs = phevaluator.evaluate_cards(*(card[0] + card[1].lower() for card in cards))
        assert pairs.setdefault(theirs, mine) == mine
    assert len(pairs) == 7462
    by_theirs = [pairs[theirs] for theirs in sorted(pairs, reverse=True)]
    assert by_theirs == sorted(by_theirs)


@pytest.mark.parametrize(
    ("cards", "rank", "expected"),
    [
        ("4S 4D 2C 3C 9D", "4", True),
        ("3S 3D AC KC QD", "4", False),
        ("AS KD QC JC 9D", "2", False),
        ("2S 2D AC KC QD", "2", True),
        ("KS KD QC JC 9D", "A", False),
        ("AS AD QC JC 9D", "A", True),
        ("2S 2D 3C 3D 4D", "A", True),
        ("2S 3D 4C 5D AD", "A", True),
        ("2S 2D AC AD KD QD JD", "A", True),
        ("4S 4D 9C TD KD 2D 3H", "4", True),
    ],
)
def test_a_pair_of_some_rank_or_better(cards: str, rank: str, expected: object) -> None:
    assert best_of(parse_cards(cards.split())).is_at_least_pair_of(rank) is expected
