"""Side bets on the first cards, proved on all cards that can lie there.

Every set of two or three cards is taken from the shoe as often as it can be; how often each price
is paid must be the number that follows from counting suits, ranks and totals by formula.
"""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, permutations
from math import comb, prod

import pytest

from ledger import games
from ledger.games.api.cards import DECK, Card
from ledger.games.blackjack.plan import BlackjackPlan
from ledger.games.blackjack.side_bets import SideBet, SideBetCards
from tests.ledger.games.blackjack_cases import (
    ALL_BETS,
    EVOLUTION,
    INFINITE,
    SIXTY_NINE,
    SYNOT,
    lines_of,
    request,
)

DECKS = 8
TRIPLES = comb(52 * DECKS, 3)
STAKE = 10_000
SUITED_TRIPS = 52 * comb(DECKS, 3)
TRIPS = 13 * comb(4 * DECKS, 3) - SUITED_TRIPS
# Ace low, ace high and all between: twelve sequences of three ranks.
STRAIGHT_FLUSHES = 12 * 4 * DECKS**3
STRAIGHTS = 12 * (4 * DECKS) ** 3 - STRAIGHT_FLUSHES
FLUSHES = 4 * comb(13 * DECKS, 3) - STRAIGHT_FLUSHES - SUITED_TRIPS


def totals(copies: int) -> Counter[int]:
    """Count three cards of so many copies a rank by best total; three sevens are left out."""
    found: Counter[int] = Counter()
    for points in combinations_with_replacement(range(1, 11), 3):
        ways = prod(
            comb(copies * (4 if value == 10 else 1), count)
            for value, count in Counter(points).items()
        )
        soft = sum(points) + 10
        best = soft if 1 in points and soft <= 21 else soft - 10
        if points != (7, 7, 7):
            found[best] += ways
    return found


ANY, ONE_SUIT = totals(4 * DECKS), totals(DECKS)
SUITED_21, SEVENS = 4 * ONE_SUIT[21], comb(4 * DECKS, 3)
SUITED_SEVENS, SUITED_678 = 4 * comb(DECKS, 3), 4 * DECKS**3
POKER = {
    100: SUITED_TRIPS,
    40: STRAIGHT_FLUSHES,
    30: TRIPS,
    10: STRAIGHTS,
    5: FLUSHES,
}
TOP3 = {270: SUITED_TRIPS, 180: STRAIGHT_FLUSHES, 90: TRIPS}
HOT3 = {100: SEVENS, 20: SUITED_21, 4: ANY[21] - SUITED_21, 2: ANY[20], 1: ANY[19]}
LUCKY = {
    200: SUITED_SEVENS,
    100: SUITED_678,
    50: SEVENS - SUITED_SEVENS,
    25: (4 * DECKS) ** 3 - SUITED_678,
    15: SUITED_21 - SUITED_678,
    3: ANY[21] - SUITED_21 - ((4 * DECKS) ** 3 - SUITED_678),
    2: ANY[20] + ANY[19],
}


def side_bet(game: str, bet: str) -> SideBet:
    plan = games.plan(game)
    assert isinstance(plan, BlackjackPlan)
    side = plan.bet_rules.bets[bet]
    assert isinstance(side, SideBet)
    return side


@cache
def card_sets(cards: int, decks: int) -> list[tuple[tuple[Card, ...], int]]:
    return [
        (laid, prod(comb(decks, count) for count in Counter(laid).values()))
        for laid in combinations_with_replacement(DECK, cards)
    ]


def count_prices(side: SideBet, cards: int, decks: int) -> dict[int, int]:
    """Count how often each price is paid; the dealer's first card is the last one."""
    found: Counter[int] = Counter()
    for laid, ways in card_sets(cards, decks):
        dealer = laid if side.kind == "dealer_pair" else laid[-1:]
        line = side.decide(games.Wager("w", "p", "x", STAKE), SideBetCards(laid[:2], dealer, False))
        found[line.payout_haler // STAKE - 1] += ways
        assert line.payout_haler % STAKE == 0
    assert found.total() == comb(52 * decks, cards)
    del found[-1]
    return dict(found)


@pytest.mark.parametrize(
    ("bet", "listed", "expected"),
    [
        ("21+3", [SYNOT, ALL_BETS, INFINITE, EVOLUTION], POKER),
        ("top3", [SYNOT, ALL_BETS], TOP3),
        ("hot3", [INFINITE], HOT3),
        ("lucky_lucky", [ALL_BETS], LUCKY),
    ],
)
def test_three_cards_pay_as_often_as_counted(
    bet: str, listed: list[str], expected: dict[int, int]
) -> None:
    for game in listed:
        assert count_prices(side_bet(game, bet), 3, DECKS) == expected


def test_the_counted_frequencies_are_these() -> None:
    """The formulas above, checked against figures worked out by hand."""
    assert TRIPLES == 11_912_160
    assert list(POKER.values()) == [2_912, 24_576, 61_568, 368_640, 700_928]
    assert list(HOT3.values()) == [4_960, 65_408, 994_944, 896_512, 864_768]
    assert list(LUCKY.values()) == [224, 2_048, 4_736, 30_720, 63_360, 964_224, 1_761_280]


@pytest.mark.parametrize(
    ("game", "bet", "decks", "prices"),
    [
        (SYNOT, "player_pair", 8, (25, 12, 6)),
        (SYNOT, "dealer_pair", 8, (25, 12, 6)),
        (ALL_BETS, "player_pair", 8, (25, 12, 6)),
        (ALL_BETS, "dealer_pair", 8, (25, 12, 6)),
        (INFINITE, "perfect_pairs", 8, (25, 12, 6)),
        (EVOLUTION, "perfect_pairs", 8, (25, 12, 6)),
        (SIXTY_NINE, "perfect_pairs", 6, (25, 10, 5)),
    ],
)
def test_pairs_pay_as_often_as_counted(
    game: str, bet: str, decks: int, prices: tuple[int, int, int]
) -> None:
    identical, coloured, mixed = prices
    assert count_prices(side_bet(game, bet), 2, decks) == {
        identical: 52 * comb(decks, 2),
        coloured: 13 * 2 * decks**2,
        mixed: 13 * 4 * decks**2,
    }


def test_the_order_of_three_cards_does_not_matter() -> None:
    """A sample of rounds, each with its cards in all six orders, settled as whole requests."""
    drawer = random.Random(21)
    bets = ["21+3", "top3", "lucky_lucky"]
    for _ in range(150):
        cards = [str(card) for card in drawer.choices(DECK, k=3)]
        found = set()
        for one, two, three in permutations(cards):
            document = request(
                ALL_BETS,
                ["p1 p1 main", *(f"p1 p1 {bet}" for bet in bets)],
                [],
                {"p1": f"{one} {two}"},
                f"{three} TD" if three[0] in "789TJQKA" else f"{three} TD 7C",
            )
            lines = lines_of(document)
            found.add(tuple(lines[f"p1-p1-{bet}"] for bet in bets))
        assert len(found) == 1, cards
