"""Edges of the side bets of blackjack and of insurance: counted from a full shoe.

Bets on the first cards are counted over all cards that can lie there. Bets on the dealer's final
hand are counted over all hands that the dealer can draw: whatever the players do in between, the
next card of a shuffled shoe is any of those left, so their play changes nothing.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations_with_replacement
from math import comb, prod
from typing import TYPE_CHECKING

from ledger.games import DECK, Card, Wager
from ledger.games.blackjack import ACE, Dealt, SideBet, best_total
from tools.plans._edge import STRATEGY, Edge

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.blackjack import BlackjackPlan

__all__ = ["blackjack_edges", "card_sets"]

_STAKE = 100_000_000
"""Large enough that no odds of a plan are rounded."""
_VALUES = (*(Card(str(pips), "S") for pips in range(2, 10)), Card("K", "S"), Card(ACE, "S"))
"""A card for each value; suits do not matter to the dealer's total."""
_TEN_VALUED = _VALUES.index(Card("K", "S"))
_ACE = _VALUES.index(Card(ACE, "S"))
_FIRST_CARDS = {"poker_hand": 3, "three_card_total": 3, "player_pair": 2, "dealer_pair": 2}


def blackjack_edges(plan: BlackjackPlan) -> list[Edge]:
    """Count the side bets and insurance; the main bet is only named."""
    decks = plan.seats.decks
    found = [Edge("main", None, STRATEGY)]
    for code, bet in plan.bet_rules.bets.items():
        if isinstance(bet, SideBet):
            count = _on_first_cards if bet.kind in _FIRST_CARDS else _on_dealer
            house = count(bet, decks, plan.dealer.draws_to)
            found.append(Edge(code, house, f"{decks} decks"))
    tens = 4 * 4 * decks
    unseen = len(DECK) * decks - 1
    won = Fraction(tens, unseen)
    insured = 1 - won * (plan.insurance.odds + 1)
    found.append(Edge("insurance", insured, f"{decks} decks, no card seen but the dealer's ace"))
    return found


def card_sets(cards: int, decks: int) -> Iterator[tuple[tuple[Card, ...], int]]:
    """Go through all sets of so many cards, with the number of ways to take them from the shoe."""
    for cards_dealt in combinations_with_replacement(DECK, cards):
        yield cards_dealt, prod(comb(decks, copies) for copies in Counter(cards_dealt).values())


def _on_first_cards(side: SideBet, decks: int, _draws_to: int) -> Fraction:
    """Count a bet on two cards, or on three whose order it does not look at."""
    cards = _FIRST_CARDS[side.kind]
    back = 0
    for dealt, ways in card_sets(cards, decks):
        dealer = dealt if side.kind == "dealer_pair" else dealt[-1:]
        back += ways * _payout(side, Dealt(dealt[:2], dealer, has_blackjack=False))
    return 1 - Fraction(back, _STAKE * comb(len(DECK) * decks, cards))


def _on_dealer(side: SideBet, decks: int, draws_to: int) -> Fraction:
    """Count a bet on the dealer's final hand, with and without a blackjack of the player."""
    left = [4 * decks] * len(_VALUES)
    left[_TEN_VALUED] *= 4
    back = Fraction(0)
    for dealer, share in _dealer_hands([], left, draws_to):
        unseen = sum(left) - len(dealer)
        drawn = Counter(dealer)
        aces = left[_ACE] - drawn[_VALUES[_ACE]]
        tens = left[_TEN_VALUED] - drawn[_VALUES[_TEN_VALUED]]
        blackjack = Fraction(2 * aces * tens, unseen * (unseen - 1))
        for has_blackjack, weight in ((True, blackjack), (False, 1 - blackjack)):
            own = (_VALUES[_ACE], _VALUES[_TEN_VALUED]) if has_blackjack else _VALUES[:2]
            back += share * weight * _payout(side, Dealt(own, tuple(dealer), has_blackjack))
    return 1 - back / _STAKE


def _dealer_hands(
    dealer: list[Card], left: list[int], draws_to: int
) -> Iterator[tuple[list[Card], Fraction]]:
    """Go through all final hands of the dealer by value, each with its probability."""
    if len(dealer) > 1 and best_total(dealer) > draws_to:
        yield dealer, Fraction(1)
        return
    drawn = Counter(dealer)
    unseen = sum(left) - len(dealer)
    for card, copies in zip(_VALUES, left, strict=True):
        remaining = copies - drawn[card]
        if remaining:
            for hand, share in _dealer_hands([*dealer, card], left, draws_to):
                yield hand, share * Fraction(remaining, unseen)


def _payout(side: SideBet, dealt: Dealt) -> int:
    return side.decide(Wager("w", "p", "side", _STAKE), dealt).payout_haler
