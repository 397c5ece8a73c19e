"""Edges of the side bets of blackjack and of insurance: counted from a full shoe.

Bets on the first cards are counted over all cards that can lie there. Bets on the dealer's final
hand are counted over all hands that the dealer can draw: whatever the players do in between, the
next card of a shuffled shoe is any of those left, so their play changes nothing.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, perm, prod
from typing import TYPE_CHECKING

from ledger.games import DECK, RANKS, Card, Wager
from ledger.games.blackjack import ACE, SideBet, SideBetCards, best_total
from tools.plans._edge import STRATEGY, Edge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.blackjack import BlackjackPlan

__all__ = ["blackjack_edges"]

_STAKE = 100_000_000
"""Large enough that no odds of a plan are rounded."""
_VALUES = (*(Card(str(pips), "S") for pips in range(2, 10)), Card("K", "S"), Card(ACE, "S"))
"""A card for each value; suits do not matter to the dealer's total."""
_TEN_VALUED = _VALUES.index(Card("K", "S"))
_ACE = _VALUES.index(Card(ACE, "S"))
_SUITS = "SCDH"
_PAIRS, _TRIPLES = {"player_pair", "dealer_pair"}, {"poker_hand", "three_card_total"}


def blackjack_edges(plan: BlackjackPlan) -> list[Edge]:
    """Count the side bets and insurance; the main bet is listed without an edge."""
    decks = plan.seats.decks
    found = [Edge("main", None, STRATEGY)]
    for code, bet in plan.bet_rules.bets.items():
        if isinstance(bet, SideBet):
            count = _on_first_cards if bet.kind in _PAIRS | _TRIPLES else _on_dealer
            house = count(bet, decks, plan.dealer.draws_to)
            found.append(Edge(code, house, f"{decks} decks"))
    tens = 4 * 4 * decks
    unseen = len(DECK) * decks - 1
    won = Fraction(tens, unseen)
    insured = 1 - won * (plan.insurance.odds + 1)
    found.append(Edge("insurance", insured, f"{decks} decks, no card seen but the dealer's ace"))
    return found


def _pairs(decks: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Iterate over all sets of two cards, with the number of ways to take them from the shoe."""
    for pair in combinations_with_replacement(DECK, 2):
        yield pair, prod(comb(decks, copies) for copies in Counter(pair).values())


def _triples(decks: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Iterate over three cards by the values bets depend on: ranks, and whether of one suit.

    Cards of one suit are represented in one suit, all others in three.
    """
    for ranks in combinations_with_replacement(RANKS, 3):
        copies = Counter(ranks).values()
        suited = len(_SUITS) * prod(comb(decks, count) for count in copies)
        of_any = prod(comb(len(_SUITS) * decks, count) for count in copies)
        yield tuple(Card(rank, _SUITS[0]) for rank in ranks), suited
        yield tuple(map(Card, ranks, _SUITS)), of_any - suited


def _on_first_cards(side: SideBet, decks: int, _draws_to: int) -> Fraction:
    """Count a bet on two cards, or on three cards regardless of their order."""
    back = all_ways = 0
    for dealt, ways in _pairs(decks) if side.kind in _PAIRS else _triples(decks):
        dealer = dealt if side.kind == "dealer_pair" else dealt[-1:]
        back += ways * _payout(side, SideBetCards(dealt[:2], dealer, has_blackjack=False))
        all_ways += ways
    return 1 - Fraction(back, _STAKE * all_ways)


def _on_dealer(side: SideBet, decks: int, draws_to: int) -> Fraction:
    """Count a bet on the dealer's final hand, with and without a blackjack of the player.

    Such a bet depends on the total of the hand and its number of cards; aces and tens determine
    how often the player has a blackjack.
    """
    left = [4 * decks] * len(_VALUES)
    left[_TEN_VALUED] *= 4
    alike: Counter[tuple[int, int, int, int]] = Counter()
    shown: dict[tuple[int, int], tuple[Card, ...]] = {}
    for hand, ways in _dealer_hands(left, draws_to).items():
        cards = tuple(_VALUES[at] for at in hand)
        looked_at = len(cards), best_total(cards)
        shown[looked_at] = cards
        alike[*looked_at, hand.count(_ACE), hand.count(_TEN_VALUED)] += ways
    back = Fraction(0)
    for (size, total, aces, tens), ways in alike.items():
        unseen = sum(left) - size
        share = Fraction(ways, perm(sum(left), size))
        own_aces, own_tens = left[_ACE] - aces, left[_TEN_VALUED] - tens
        blackjack = Fraction(2 * own_aces * own_tens, unseen * (unseen - 1))
        for has_blackjack, weight in ((True, blackjack), (False, 1 - blackjack)):
            own = (_VALUES[_ACE], _VALUES[_TEN_VALUED]) if has_blackjack else _VALUES[:2]
            dealt = SideBetCards(own, shown[size, total], has_blackjack)
            back += share * weight * _payout(side, dealt)
    return 1 - back / _STAKE


def _dealer_hands(left: list[int], draws_to: int) -> dict[tuple[int, ...], int]:
    """Count the ways, card by card, to each final hand of the dealer.

    A hand is represented by the indices of its values, in order.
    """
    final: dict[tuple[int, ...], int] = {}
    drawing: dict[tuple[int, ...], int] = {(): 1}
    while drawing:
        ways: Counter[tuple[int, ...]] = Counter()
        for hand, before in drawing.items():
            for at, copies in enumerate(left):
                ways[tuple(sorted((*hand, at)))] += before * (copies - hand.count(at))
        drawing = {}
        for hand, count in ways.items():
            is_final = len(hand) > 1 and best_total([_VALUES[at] for at in hand]) > draws_to
            if count:
                (final if is_final else drawing)[hand] = count
    return final


def _payout(side: SideBet, dealt: SideBetCards) -> int:
    return side.decide(Wager("w", "p", "side", _STAKE), dealt).payout_haler
