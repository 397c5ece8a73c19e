"""Checks at the end of a blackjack round: cards match the actions, the dealer follows the rule.

The dealer draws to 16 and stands on every 17. The dealer had to do so if a hand was undecided or a
side bet depended on it. Otherwise the recorded hand may either be complete or end with the
mandatory cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.blackjack.cards import CARDS_DEALT, begins_natural, best_total

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.blackjack.boxes import BlackjackHand, Box
    from ledger.games.blackjack.cards import TableCards
    from ledger.games.blackjack.rules import DealerRules, PlayRules


def check_cards_fit(table: TableCards, boxes: Iterable[Box]) -> None:
    """Refuse recorded hands that cannot result from the actions on the boxes.

    Raises:
        SettlementError: PLAYER_CARDS_MISMATCH.

    """
    for name in table.names.get(None, ()):
        raise SettlementError(
            Code.PLAYER_CARDS_MISMATCH, Phrase("HAND_WITHOUT_MAIN_BET", hand=name)
        )
    for box in boxes:
        played = {hand.name: len(hand.cards) for hand in box.final_hands()}
        recorded = {name: len(table.hands[name]) for name in table.names.get(box.name, ())}
        if played != recorded:
            raise SettlementError(
                Code.PLAYER_CARDS_MISMATCH,
                Phrase("BOX_CARDS_DIFFER", box=box.name),
            )


def is_undecided(hand: BlackjackHand, play: PlayRules) -> bool:
    """Return whether a final hand depends on the dealer's total."""
    return not (hand.is_bust or hand.is_blackjack or hand.has_won_at_once(play))


def cards_needed_min(
    rules: DealerRules, open_card: Card, boxes: Iterable[Box], live_players: Iterable[str]
) -> int:
    """Return the number of cards that the dealer takes even if no hand is undecided.

    If the dealer's second card is drawn after the players, one card. But two, if a blackjack that
    was not paid early stands against an ace or a ten, or if insurance was taken.
    """
    threatens = begins_natural(open_card)
    players = frozenset(live_players)
    for box in boxes:
        live = players.intersection(box.mains)
        if not live.isdisjoint(box.insured):
            return CARDS_DEALT
        if threatens and box.has_blackjack and not live <= box.paid_early:
            return CARDS_DEALT
    return rules.cards_dealt


def check_dealer(
    rules: DealerRules,
    cards: Sequence[Card],
    *,
    cards_max: int,
    must_finish: bool,
) -> None:
    """Refuse a dealer who drew or stopped against the rule.

    Args:
        rules: the plan's rules.
        cards: the dealer's hand, with the mandatory cards.
        cards_max: maximum number of cards of an incomplete hand.
        must_finish: whether a bet depends on the final total.

    Raises:
        SettlementError: DRAW_RULE_VIOLATION.

    """
    for count in range(CARDS_DEALT, len(cards)):
        if best_total(cards[:count]) > rules.draws_to:
            raise SettlementError(
                Code.DRAW_RULE_VIOLATION,
                Phrase("DEALER_DREW_TOO_MANY", total=best_total(cards[:count])),
            )
    is_finished = best_total(cards) > rules.draws_to
    if not is_finished and (must_finish or len(cards) > cards_max):
        raise SettlementError(
            Code.DRAW_RULE_VIOLATION, Phrase("DEALER_STOPPED_EARLY", total=best_total(cards))
        )
