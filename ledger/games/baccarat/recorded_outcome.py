"""Derive the outcome of baccarat from the studio's record of cards to "player" and "banker"."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import parse_cards
from ledger.games.api.round_facts import ShownHand, faces
from ledger.games.baccarat.coup import hand_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.api.round_facts import RoundFacts
    from ledger.games.api.typed import Document

_HANDS = ("player", "banker")


def outcome_from_facts(facts: RoundFacts) -> Document:
    """Derive both hands; raises OUTCOME_INCOMPLETE if a card was not seen."""
    if facts.is_empty:
        return {}
    return {hand: faces(facts.dealt_to(hand), Phrase(hand.upper())) for hand in _HANDS}


def hands_shown(document: Document) -> Iterator[ShownHand]:
    """Yield both hands with their points."""
    for hand in _HANDS:
        cards = document.get(hand)
        if isinstance(cards, list):
            yield ShownHand(hand, tuple(cards), str(hand_value(parse_cards(cards))))


def in_words(document: Document) -> str:
    """Return a description of the result, such as "Player 6, Banker 7"."""
    return ", ".join(f"{hand.name.title()} {hand.words}" for hand in hands_shown(document))
