"""Playing cards in the recorded form of every card game: rank and suit, such as "TD".

Documents contain cards as text. `parse_cards` converts them to `Card` values when needed, and
`check_copies` rejects a card with more copies on the table than there are decks. Only 52 `Card`
objects exist, so comparing, hashing and counting them is cheap.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.typed import text_value_type

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

RANKS = "23456789TJQKA"
SUITS = "CDHS"


def _rank(text: str) -> str:
    if len(text) != 1 or text not in RANKS:
        message = f"must be one of {RANKS}"
        raise ValueError(message)
    return text


if TYPE_CHECKING:
    Rank = str
else:
    Rank = text_value_type(str, _rank)


@dataclass(frozen=True, slots=True)
class Card:
    """One card; `rank` is one of `RANKS`, `suit` one of `SUITS`."""

    rank: str
    suit: str

    def __str__(self) -> str:
        """Return the card in its recorded form."""
        return self.rank + self.suit


DECK = tuple(Card(rank, suit) for rank in RANKS for suit in SUITS)
_BY_TEXT: Mapping[str, Card] = {str(card): card for card in DECK}


def parse_card(text: str) -> Card:
    """Read one card; raises INVALID_CARD."""
    card = _BY_TEXT.get(text)
    if card is None:
        raise SettlementError(Code.INVALID_CARD, Phrase("NOT_A_CARD", card=text))
    return card


def parse_cards(texts: Iterable[str]) -> tuple[Card, ...]:
    """Read cards in their order; raises INVALID_CARD."""
    return tuple(parse_card(text) for text in texts)


def check_copies(cards: Iterable[Card], decks: int) -> None:
    """Refuse cards that `decks` decks cannot hold; raises TOO_MANY_COPIES.

    Each element counts as one physical card: a card that several players share is passed once.
    """
    for card, copies in Counter(cards).items():
        if copies > decks:
            raise SettlementError(
                Code.TOO_MANY_COPIES,
                Phrase("CARD_ABOVE_DECKS", card=card, count=copies, most=decks),
            )
