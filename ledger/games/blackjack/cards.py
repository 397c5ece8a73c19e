"""Card totals of blackjack and the recorded cards of a table.

A hand is named after its box; splitting the hand "1" creates "1.1", which keeps the first card, and
"1.2", which takes the second. Only final hands are recorded, so `TableCards` derives the first
cards of a hand from the halves into which it was split.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import RANKS, check_copies
from ledger.games.api.contract import Code, SettlementError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from ledger.games.api.cards import Card

TWENTY_ONE = 21
TEN = 10
ACE = "A"
CARDS_DEALT = 2
_ACE_EXTRA = 10
_VALUES: Mapping[str, int] = {
    rank: int(rank) if rank.isdigit() else 1 + _ACE_EXTRA if rank == ACE else TEN for rank in RANKS
}
_SPLITS_NAMED_MAX = 8
_HALVES = ("1", "2")


def card_value(card: Card) -> int:
    """Return the value of a card, with an ace counted as 11."""
    return _VALUES[card.rank]


def begins_natural(card: Card) -> bool:
    """Return whether a card may become a blackjack: an ace or a ten-valued card."""
    return card_value(card) >= TEN


def best_total(cards: Sequence[Card]) -> int:
    """Return the total of a hand; one ace counts 11 if the total stays within 21."""
    hard, has_ace = 0, False
    for card in cards:
        if card.rank == ACE:
            has_ace = True
            hard += 1
        else:
            hard += _VALUES[card.rank]
    return hard + _ACE_EXTRA if has_ace and hard + _ACE_EXTRA <= TWENTY_ONE else hard


def is_natural(cards: Sequence[Card]) -> bool:
    """Return whether the hand begins with an ace and a ten-valued card, in any order."""
    return len(cards) >= CARDS_DEALT and best_total(cards[:CARDS_DEALT]) == TWENTY_ONE


def half_names(hand: str) -> tuple[str, str]:
    """Return the names of the two hands after a split."""
    return f"{hand}.1", f"{hand}.2"


def box_of(hand: str, boxes: Collection[str]) -> str | None:
    """Return the box to which a hand of that name belongs; None if there is none."""
    stem = hand
    for _ in range(_SPLITS_NAMED_MAX):
        if stem in boxes:
            return stem
        stem, dot, half = stem.rpartition(".")
        if not dot or half not in _HALVES:
            return None
    return None


@dataclass(frozen=True, slots=True)
class TableCards:
    """Recorded cards of a round: the dealer's, and those of every final hand.

    `names` lists the recorded hands of each box; under the key None, hands of boxes without a bet.
    """

    dealer: tuple[Card, ...] = ()
    hands: Mapping[str, tuple[Card, ...]] = field(default_factory=dict)
    names: Mapping[str | None, Sequence[str]] = field(default_factory=dict)

    def card(self, hand: str, index: int) -> Card | None:
        """Return a card of a hand that was final or split later; None if none is recorded."""
        if hand in self.hands:
            cards = self.hands[hand]
            return cards[index] if index < len(cards) else None
        return self._first_card(half_names(hand)[index]) if index < CARDS_DEALT else None

    def first_cards(self, box: str) -> tuple[Card, ...]:
        """Return the cards dealt to a box before any action."""
        cards = (self.card(box, index) for index in range(CARDS_DEALT))
        return tuple(card for card in cards if card is not None)

    def check_copies(self, decks: int, *, shared: bool) -> None:
        """Refuse a card with more copies than there are decks.

        If the players share a box, each of its cards is one physical card for all of them.

        Raises:
            SettlementError: TOO_MANY_COPIES.

        """
        hands = self._shared_hands() if shared else self.hands.values()
        check_copies((card for cards in (self.dealer, *hands) for card in cards), decks)

    def check_shared(self, boxes: Iterable[str]) -> None:
        """Refuse hands of a shared box that cannot result from the same cards.

        If a half of a pair was not recorded, no other hand is contradicted; the check of the
        actions reports it.

        Raises:
            SettlementError: SHARED_CARDS_MISMATCH.

        """
        begun: tuple[Card | None, ...] = (None,) * CARDS_DEALT
        longest: dict[str, tuple[Card, ...]] = {}
        for box in boxes:
            first = tuple(self.card(box, index) for index in range(CARDS_DEALT))
            begins_so = all(
                a is None or b is None or a == b for a, b in zip(begun, first, strict=True)
            )
            begun = tuple(a or b for a, b in zip(begun, first, strict=True))
            for name in self.names.get(box, ()):
                cards = self.hands[name]
                part = name.removeprefix(box)
                known = longest.get(part, ())
                if not begins_so or any(a != b for a, b in zip(known, cards, strict=False)):
                    raise SettlementError(
                        Code.SHARED_CARDS_MISMATCH,
                        Phrase("HAND_WITHOUT_SHARED_CARDS", hand=name),
                    )
                longest[part] = max(known, cards, key=len)

    def _first_card(self, hand: str) -> Card | None:
        for _ in range(_SPLITS_NAMED_MAX):
            cards = self.hands.get(hand)
            if cards:
                return cards[0]
            hand, _second = half_names(hand)
        return None

    def _shared_hands(self) -> Iterator[tuple[Card, ...]]:
        """Yield the cards of the shared box, each physical card once.

        If only some players split, the cards of the pair still count once.
        """
        longest: dict[str, tuple[Card, ...]] = {}
        for box, names in self.names.items():
            for name in names:
                part = name.removeprefix(box or "")
                longest[part] = max(longest.get(part, ()), self.hands[name], key=len)
        halves = half_names("") if "" in longest else ()
        for part, cards in longest.items():
            yield cards[1:] if part in halves else cards


def lay_cards(
    dealer: tuple[Card, ...], hands: Mapping[str, tuple[Card, ...]], boxes: Collection[str]
) -> TableCards:
    """Return the recorded hands, grouped by the boxes that had bets."""
    names: dict[str | None, list[str]] = {}
    for hand in hands:
        names.setdefault(box_of(hand, boxes), []).append(hand)
    return TableCards(dealer, hands, names)
