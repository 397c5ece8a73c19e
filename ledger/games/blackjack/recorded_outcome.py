"""Derive the outcome of blackjack from the studio's record: cards by hand, and the final hands.

A card for "1.1" lies on the first half of the split hand "1". Where all players share one box the
hands are called "shared", "shared.1" …, and the hand of each player consists of the first of these
cards, as many as that player's actions took.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import parse_cards
from ledger.games.api.contract import Code, SettlementError
from ledger.games.api.round_facts import BURN, DEALER, SHARED, ShownHand, faces
from ledger.games.blackjack.cards import CARDS_DEALT, TWENTY_ONE, best_total, half_names, is_natural
from ledger.games.blackjack.rules import Boxes

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.games.api.cards import Card
    from ledger.games.api.round_facts import RoundFacts
    from ledger.games.api.typed import Document

_HALVES = ("1", "2")


def outcome_from_facts(boxes: Boxes, facts: RoundFacts) -> Document:
    """Derive the dealer's cards and all final hands.

    Raises:
        SettlementError: OUTCOME_INCOMPLETE if a card was not seen, PLAYER_CARDS_MISMATCH if a hand
            was split with more than its pair.

    """
    if facts.is_empty:
        return {}
    owners = {"owners": dict(facts.owners)} if facts.owners else {}
    return {
        "dealer": faces(facts.dealt_to(DEALER), Phrase("THE_DEALER")),
        "hands": {
            name: faces(cards, Phrase("HAND_NAMED", hand=name))
            for name, cards in hands_dealt(boxes, facts).items()
        },
        **owners,
    }


def hands_dealt(boxes: Boxes, facts: RoundFacts) -> dict[str, list[str]]:
    """Return the hands as they lie, even during a round; an unknown card is "".

    Raises:
        SettlementError: PLAYER_CARDS_MISMATCH.

    """
    if boxes is Boxes.SHARED:
        hands: dict[str, list[str]] = {}
        for player in dict.fromkeys(wager.player for wager in facts.wagers):
            hands |= _hands_of(player, facts)
        return hands
    dealt = {name: cards for name, cards in facts.by_recipient().items() if _is_hand(name)}
    split = {action.fields.get("hand") for action in facts.actions if action.type == "split"}
    roots = dict.fromkeys(wager.box or "" for wager in facts.wagers)
    for name in dealt:
        stem = name
        while "." in stem:
            stem, _dot, half = stem.rpartition(".")
            if half in _HALVES:
                split.add(stem)
        roots[stem] = None
    return {
        name: cards
        for root in roots
        for name, cards in _finals(root, dealt.get(root, []), dealt, split)
    }


def dealt_after(boxes: Boxes, facts: RoundFacts, player: str, hand: str) -> int:
    """Return the number of cards dealt to a hand, without the card from the split pair."""
    name = SHARED + hand.removeprefix(player) if boxes is Boxes.SHARED else hand
    return len(facts.dealt_to(name))


def _is_hand(recipient: str) -> bool:
    return recipient not in {DEALER, BURN}


def _finals(
    name: str, cards: list[str], dealt: dict[str, list[str]], split: set[object]
) -> Iterator[tuple[str, list[str]]]:
    """Yield the final hands in the tree of splits; each half begins with a card of the pair."""
    if name not in split:
        yield name, cards
        return
    if len(cards) > CARDS_DEALT:
        raise SettlementError(
            Code.PLAYER_CARDS_MISMATCH, Phrase("CARDS_AT_SPLIT", hand=name, count=len(cards))
        )
    for half, child in enumerate(half_names(name)):
        yield from _finals(child, [*cards[half : half + 1], *dealt.get(child, [])], dealt, split)


def _hands_of(player: str, facts: RoundFacts) -> dict[str, list[str]]:
    """Return one player's hands of a shared box."""
    taken: dict[str, int] = {}
    split: set[object] = set()
    for action in facts.actions:
        hand = action.fields.get("hand")
        if action.player != player or not isinstance(hand, str):
            continue
        if action.type == "split":
            split.add(hand)
        elif action.type in {"hit", "double"}:
            taken[hand] = taken.get(hand, CARDS_DEALT) + 1
    dealt = {
        player + name.removeprefix(SHARED): cards for name, cards in facts.by_recipient().items()
    }
    begun = dealt.get(player, [])
    if player in split:
        begun = begun[:CARDS_DEALT]  # players who did not split may have drawn to the pair
    return {
        name: cards[: taken.get(name, CARDS_DEALT)]
        for name, cards in _finals(player, begun, dealt, split)
    }


def hands_shown(document: Document) -> Iterator[ShownHand]:
    """Yield the dealer's hand and all others with their totals."""
    hands = document.get("hands")
    whole = {DEALER: document.get(DEALER), **(hands if isinstance(hands, dict) else {})}
    for name, cards in whole.items():
        if isinstance(cards, list):
            is_split = "." in name
            yield ShownHand(name, tuple(cards), _worth(parse_cards(cards), is_split=is_split))


def in_words(document: Document) -> str:
    """Return a description of the result, such as "dealer 19"."""
    for hand in hands_shown(document):
        if hand.name == DEALER:
            return f"dealer {hand.words}"
    return "nobody played"


def _worth(cards: Sequence[Card], *, is_split: bool) -> str:
    total = best_total(cards)
    if total > TWENTY_ONE:
        return f"{total}, bust"
    if len(cards) == CARDS_DEALT and is_natural(cards) and not is_split:
        return "blackjack"
    return str(total)
