"""Draw hands of cards: the cards of one recipient, their value, the actions.

The best five cards of a poker hand are drawn small below it, because board cards can belong to
several hands.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ledger import games
from ledger.games import RANKS
from ledger.games.poker import best_of, best_omaha
from projections.pictures.cards import TableCard, cards_in_row, small_cards
from projections.pictures.pieces import label
from projections.pictures.svg import SOFT, Drawing, below, group, side_by_side, words_at
from projections.words.names import card as card_name

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from ledger.games.poker import HandRank
    from projections.pictures.scene import Scene

__all__ = [
    "Best",
    "actions_line",
    "best_hand",
    "describe_cards",
    "hand_drawn",
    "poker_hand",
    "rank_words",
]

OMAHA_CARDS = 4
BOARD_CARDS = 5
BY = {
    "timeout": "pictures.by_timeout",
    "disconnect": "pictures.by_disconnect",
    "absent": "pictures.by_absent",
}


class Best(NamedTuple):
    """The best poker hand from some cards, with its rank."""

    rank: HandRank
    cards: tuple[str, ...]


def best_hand(own: Sequence[str], board: Sequence[str]) -> Best | None:
    """Rank a hand with a complete board; None if not all cards are known."""
    if not own or len(board) != BOARD_CARDS or not all(own) or not all(board):
        return None
    try:
        mine, shared = games.parse_cards(own), games.parse_cards(board)
    except games.SettlementError:
        return None
    if len({*mine, *shared}) < len(mine) + len(shared):
        return None
    rank = best_omaha(mine, shared) if len(mine) == OMAHA_CARDS else best_of(mine, shared)
    counted = Counter(card.rank for card in rank.cards)
    ordered = sorted(
        rank.cards, key=lambda card: (counted[card.rank], RANKS.index(card.rank)), reverse=True
    )
    return Best(rank, tuple(map(str, ordered)))


def hand_drawn(
    title: str,
    cards: Sequence[TableCard],
    *,
    width_max: float,
    worth: str = "",
    best: Collection[str] = (),
) -> Drawing:
    """Draw a hand with its name and, at the right, its value."""
    behind = len(worth) * 8.5
    head = group(
        words_at(0, 13, title, size=12, bold=True, width_max=width_max - behind),
        words_at(width_max, 13, worth, size=13, bold=True, anchor="end") if worth else group(),
    )
    return below(
        Drawing(width_max, 16, head), cards_in_row(cards, width_max=width_max, best=best), gap=3
    )


def poker_hand(
    scene: Scene, title: str, cards: Sequence[TableCard], board: Sequence[str], *, width_max: float
) -> Drawing:
    """Draw a poker hand, and its best five together with the board."""
    best = best_hand([card.card for card in cards], board)
    if best is None:
        return hand_drawn(title, cards, width_max=width_max)
    own = {card.card for card in cards}
    drawn = hand_drawn(title, cards, width_max=width_max, best=own & set(best.cards))
    name = rank_words(scene, best)
    return below(drawn, label(name, size=12, width_max=width_max), small_cards(best.cards), gap=2)


def rank_words(scene: Scene, best: Best) -> str:
    """Return the name of a kind of hand."""
    return scene.named("hands", best.rank.category.name.lower())


def actions_line(scene: Scene, account: str, hand: str | None, *, width_max: float) -> Drawing:
    """Describe a participant's actions on a hand, in order; with None, all actions."""
    done = [
        fact
        for fact in scene.facts("PlayerDecided")
        if fact["account"] == account and hand in {None, fact["hand"]}
    ]
    if not done:
        return side_by_side()
    text = ", ".join(_action_words(scene, fact) for fact in done)
    return Drawing(width_max, 15, words_at(0, 11, text, size=11, fill=SOFT, width_max=width_max))


def _action_words(scene: Scene, fact: dict[str, Any]) -> str:
    """Describe one action, and its actor if that was not the player."""
    said = scene.named("actions", fact["decision"])
    if fact["times"]:
        said = f"{said} {fact['times']}\N{MULTIPLICATION SIGN}"
    if fact["by"] in BY:
        said = f"{said} ({scene.text(BY[fact['by']])})"
    return said


def describe_cards(cards: Sequence[TableCard]) -> str:
    """Describe cards for screen readers."""
    return " ".join(card_name(card.card) for card in cards)
