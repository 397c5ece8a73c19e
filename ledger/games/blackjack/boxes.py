"""Boxes and hands of a blackjack round while its actions are replayed.

A `BlackjackHand` is a node in the tree of splits of its box. It takes its cards from the record one
by one as the actions need them. A card that was not recorded is None; then every check of the hand
accepts the action, because either the later comparison of cards and actions reports the missing
card, or the round is void and has no cards.

Stakes stay with the first half of a split hand. If several players bet on a box, each of them
has a stake only on hands for which that player paid, or that carry the player's token.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.games.blackjack.cards import (
    ACE,
    CARDS_DEALT,
    TEN,
    TWENTY_ONE,
    TableCards,
    best_total,
    card_value,
    half_names,
    is_natural,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.api.cards import Card
    from ledger.games.api.contract import Wager
    from ledger.games.blackjack.rules import PlayRules

_FREE_DOUBLE_TOTALS = (9, 10, 11)


@dataclass(frozen=True, slots=True)
class ExtraStake:
    """A stake or a token that an action added to a main wager.

    If `hand` is None, it is insurance, which belongs to the box. A token has a stake of 0.
    """

    id: str
    wager: Wager
    stake_haler: int
    hand: BlackjackHand | None
    is_split: bool = False

    @property
    def is_token(self) -> bool:
        """Return whether it is a token instead of money."""
        return self.stake_haler == 0


class BlackjackHand:
    """One hand, final or split later.

    `doubled` are the players who doubled; `split` maps each player who split to whether it was
    free.
    """

    __slots__ = ("cards", "doubled", "half", "halves", "is_stood", "name", "parent", "split")

    def __init__(
        self, name: str, table: TableCards, parent: BlackjackHand | None = None, half: int = 0
    ) -> None:
        """Start with the two dealt cards; `half` is 0 or 1 in a split hand."""
        self.name = name
        self.parent = parent
        self.half = half
        self.cards = [table.card(name, index) for index in range(CARDS_DEALT)]
        if parent is not None and self.cards[0] is None:
            self.cards[0] = parent.cards[half]
        self.is_stood = False
        self.doubled: set[str] = set()
        self.split: dict[str, bool] = {}
        self.halves: tuple[BlackjackHand, BlackjackHand] | None = None

    @property
    def known_cards(self) -> list[Card] | None:
        """All cards of the hand, or None if one of them was not recorded."""
        cards = [card for card in self.cards if card is not None]
        return cards if len(cards) == len(self.cards) else None

    @property
    def total(self) -> int | None:
        """Return the best total; None if a card was not recorded."""
        cards = self.known_cards
        return None if cards is None else best_total(cards)

    @property
    def is_bust(self) -> bool:
        """Return whether the hand is known to exceed 21."""
        return (self.total or 0) > TWENTY_ONE

    @property
    def is_blackjack(self) -> bool:
        """Return whether the hand is a blackjack, which no split hand can be."""
        cards = self.known_cards
        return (
            self.parent is None
            and cards is not None
            and len(cards) == CARDS_DEALT
            and is_natural(cards)
        )

    @property
    def is_split_ace(self) -> bool:
        """Return whether the hand began with one of two split aces."""
        return self.parent is not None and self.cards[0] is not None and self.cards[0].rank == ACE

    @property
    def is_pair(self) -> bool:
        """Return whether the hand is two cards of one point value; True if a card is not known."""
        cards = self.known_cards
        return len(self.cards) == CARDS_DEALT and (
            cards is None or card_value(cards[0]) == card_value(cards[1])
        )

    @property
    def is_pair_of_tens(self) -> bool:
        """Return whether the pair is known to be of ten-valued cards."""
        first = self.cards[0]
        return first is not None and card_value(first) == TEN

    @property
    def allows_free_double(self) -> bool:
        """Return whether the first two cards total 9 to 11 without an ace; True if not known."""
        cards = [card for card in self.cards[:CARDS_DEALT] if card is not None]
        return len(cards) < CARDS_DEALT or (
            all(card.rank != ACE for card in cards) and best_total(cards) in _FREE_DOUBLE_TOTALS
        )

    def has_won_at_once(self, rules: PlayRules) -> bool:
        """Return whether the hand wins by its number of cards."""
        needed = rules.automatic_win_cards
        return needed is not None and len(self.cards) >= needed and not self.is_bust

    def is_closed(self, rules: PlayRules) -> bool:
        """Return whether the hand takes no further card; split aces may still be split again."""
        return (
            self.is_stood
            or bool(self.doubled)
            or self.halves is not None
            or self.is_bust
            or self.is_blackjack
            or self.is_split_ace
            or (self.total == TWENTY_ONE and not rules.hits_on_21)
            or self.has_won_at_once(rules)
        )

    def final(self) -> BlackjackHand:
        """Return the final hand on which a stake on this hand is settled."""
        hand = self
        while hand.halves is not None:
            hand = hand.halves[0]
        return hand


class Box:
    """A box with its players and hands; `mains` in the order of the wagers."""

    __slots__ = (
        "extras",
        "hands",
        "has_hit",
        "has_moved",
        "insured",
        "mains",
        "name",
        "owner",
        "paid_early",
        "root",
        "table",
    )

    def __init__(self, name: str, mains: dict[str, Wager], owner: str, table: TableCards) -> None:
        """Seat the players of `mains`, with the cards of the table if there are any."""
        self.name = name
        self.mains = mains
        self.owner = owner
        self.table = table
        self.root = BlackjackHand(name, table)
        self.hands = {name: self.root}
        self.has_moved = False
        self.has_hit = False
        self.insured: dict[str, list[int]] = {}
        self.paid_early: set[str] = set()
        self.extras: list[ExtraStake] = []

    @property
    def has_blackjack(self) -> bool:
        """Return whether the box has a blackjack."""
        return self.root.halves is None and self.root.is_blackjack

    @property
    def splits(self) -> int:
        """Number of splits so far."""
        return len(self.hands) // 2

    def final_hands(self) -> Iterator[BlackjackHand]:
        """Yield the hands that were not split."""
        return (hand for hand in self.hands.values() if hand.halves is None)

    def draw(self, hand: BlackjackHand) -> None:
        """Give the hand its next recorded card."""
        hand.cards.append(self.table.card(hand.name, len(hand.cards)))

    def split(self, hand: BlackjackHand) -> None:
        """Split a hand in two."""
        first, second = (
            BlackjackHand(name, self.table, hand, half)
            for half, name in enumerate(half_names(hand.name))
        )
        hand.halves = (first, second)
        self.hands |= {first.name: first, second.name: second}

    def has_stake(self, player: str, hand: BlackjackHand) -> bool:
        """Return whether a player has money or a token on a hand."""
        while hand.parent is not None:
            if hand.half == 1:
                return player in hand.parent.split
            hand = hand.parent
        return player in self.mains

    def is_free_hand(self, player: str, hand: BlackjackHand) -> bool:
        """Return whether a hand is the original one, or results from a free split of this player.

        If the player did not join the split, the owner's choice applies.
        """
        if hand.parent is None:
            return True
        split = hand.parent.split
        return split.get(player, split[self.owner])

    def own_money_haler(self, player: str) -> int:
        """Return a player's money on the hands of the box, without tokens and insurance."""
        main = self.mains[player]
        return main.stake_haler + sum(
            extra.stake_haler
            for extra in self.extras
            if extra.wager is main and extra.hand is not None
        )
