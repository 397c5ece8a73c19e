"""Derive the outcomes of Casino Hold'em and Ultimate Texas Hold'em from the studio's record.

Cards go to "dealer", "board" and "burn"; to "shared" in Casino Hold'em, where all players have the
same two, and to the box in Ultimate Texas Hold'em. The dealer's cards stay face down if all
players folded; they are then left out of the outcome.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.cards import parse_cards
from ledger.games.api.round_facts import BOARD, BURN, DEALER, SHARED, ShownHand, faces, known
from ledger.games.casino_poker.common import BOARD_CARDS, HOLE_CARDS
from ledger.games.casino_poker.holdem_actions import HoldemAction
from ledger.games.poker.ranking import best_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.games.api.round_facts import RoundFacts
    from ledger.games.api.typed import Document


def holdem_outcome(facts: RoundFacts) -> Document:
    """Derive a round of Casino Hold'em; raises OUTCOME_INCOMPLETE if a needed card was not seen."""
    if facts.is_empty:
        return {}
    folded = {action.player for action in facts.actions if action.type == HoldemAction.FOLD}
    outcome: Document = {
        "player_cards": faces(facts.dealt_to(SHARED), Phrase("THE_BOX")),
        "board": faces(facts.dealt_to(BOARD), Phrase("THE_BOARD")),
    }
    dealer = facts.dealt_to(DEALER)
    if "" not in dealer or any(wager.player not in folded for wager in facts.wagers):
        outcome["dealer"] = faces(dealer, Phrase("THE_DEALER"))
    for card in known(facts.dealt_to(BURN))[:1]:
        outcome["burn"] = card
    return outcome


def ultimate_outcome(facts: RoundFacts) -> Document:
    """Derive a hand of Ultimate Texas Hold'em; raises OUTCOME_INCOMPLETE."""
    if facts.is_empty:
        return {}
    boxes = dict.fromkeys(wager.box or "" for wager in facts.wagers)
    outcome: Document = {
        "hands": {box: faces(facts.dealt_to(box), Phrase("BOX_NAMED", box=box)) for box in boxes},
        "dealer": faces(facts.dealt_to(DEALER), Phrase("THE_DEALER")),
        "board": faces(facts.dealt_to(BOARD), Phrase("THE_BOARD")),
    }
    burnt = known(facts.dealt_to(BURN))
    if burnt:
        outcome["burn"] = burnt
    return outcome


def hands_shown(document: Document) -> Iterator[ShownHand]:
    """Yield every hand with its best five cards together with the board."""
    board = _cards(document.get("board"))
    if "player_cards" in document:
        yield _shown("all players", _cards(document["player_cards"]), board)
    hands = document.get("hands")
    if isinstance(hands, dict):
        for box, cards in hands.items():
            yield _shown(f"box {box}", _cards(cards), board)
    if "dealer" in document:
        yield _shown(DEALER, _cards(document["dealer"]), board)
    if board:
        yield ShownHand(BOARD, board, "")


def in_words(document: Document) -> str:
    """Return a description of the result, such as "dealer: two pair"."""
    for hand in hands_shown(document):
        if hand.name == DEALER and hand.words:
            return f"dealer: {hand.words}"
    return "all folded" if document else "nobody played"


def _shown(name: str, cards: tuple[str, ...], board: tuple[str, ...]) -> ShownHand:
    is_whole = len(cards) == HOLE_CARDS and len(board) == BOARD_CARDS
    if not is_whole or len({*cards, *board}) < HOLE_CARDS + BOARD_CARDS:
        return ShownHand(name, cards, "")
    rank = best_of(parse_cards(cards), parse_cards(board))
    return ShownHand(name, cards, rank.category.name.lower().replace("_", " "))


def _cards(value: object) -> tuple[str, ...]:
    return tuple(value) if isinstance(value, list) else ()
