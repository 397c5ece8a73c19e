"""Draw playing cards: faces by shape and colour of their suit, backs, and their order of dealing.

The number below a card is its position in the order of dealing. A card of the best hand has a bar
beneath and a thick edge; a corrected one a folded corner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from projections.pictures.svg import (
    INK,
    LINE,
    PAPER,
    RED,
    SOFT,
    Drawing,
    Svg,
    element,
    group,
    line,
    rectangle,
    side_by_side,
    words_at,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["CARD_WIDTH", "TableCard", "card_drawn", "cards_in_row", "small_cards"]

CARD_WIDTH, CARD_HEIGHT, BELOW = 38.0, 54.0, 13.0
SUITS = {
    "C": "M10 1.2a4.2 4.2 0 0 1 3.3 6.8a4.3 4.3 0 1 1-2.3 6.4c.1 2 .9 3.4 2.2 4.4h-6.4c1.3-1 "
    "2.1-2.4 2.2-4.4a4.3 4.3 0 1 1-2.3-6.4a4.2 4.2 0 0 1 3.3-6.8z",
    "D": "M10 .8l6.6 9.2l-6.6 9.2l-6.6-9.2z",
    "H": "M10 18.8c-7.5-5.6-9-9-9-12.2c0-3 2.100-5 4.700-5c2 0 3.500 1 4.300 2.900c.8-1.900 "
    "2.300-2.900 4.300-2.900c2.600 0 4.700 2 4.700 5c0 3.200-1.500 6.600-9 12.200z",
    "S": "M10 .8c1 3.600 8 6.600 8 11.200c0 2.500-1.800 4-3.800 4c-1.400 0-2.500-.6-3.200-1.700"
    "c.1 1.900.9 3.400 2.200 4.500h-6.400c1.300-1.100 2.100-2.600 2.200-4.500c-.7 1.100-1.800 "
    "1.700-3.200 1.700c-2 0-3.800-1.500-3.800-4c0-4.600 7-7.600 8-11.200z",
}
REDS = frozenset("DH")
BACK = "".join(f"M{x} 5L{x - 10} 49M{x - 10} 5L{x} 49" for x in (15, 24, 33))


class TableCard(NamedTuple):
    """A card on the table: its index in the deal, its recipient, its face (empty if unseen).

    The index starts from 0 and is negative if unknown. ``was`` is the recorded face before a
    correction, empty without one.
    """

    place: int
    recipient: str
    card: str
    was: str = ""


def _rank(card: str) -> str:
    return "10" if card[0] == "T" else card[0]


def card_drawn(card: TableCard, *, is_best: bool = False) -> Drawing:
    """Draw one card with its number in the deal."""
    edge = rectangle(
        0.5,
        0.5,
        CARD_WIDTH - 1,
        CARD_HEIGHT - 1,
        rx=4,
        fill=PAPER,
        stroke=INK,
        stroke_width=2.2 if is_best else 1,
    )
    face = _face(card.card) if card.card else element("path", d=BACK, stroke=SOFT, fill="none")
    corner = element("path", d="M26 .5L37.500 12V.5z", fill=INK) if card.was else Svg("")
    bar = (
        rectangle(3, CARD_HEIGHT + 1.5, CARD_WIDTH - 6, 2.5, fill=INK, stroke=None)
        if is_best
        else Svg("")
    )
    number = str(card.place) if card.place >= 0 else ""
    place = words_at(CARD_WIDTH / 2, CARD_HEIGHT + 12, number, size=9, anchor="middle", fill=SOFT)
    body = group(
        edge,
        face,
        corner,
        bar,
        place,
        data_card=card.place if card.place >= 0 else None,
        data_face=card.card,
    )
    return Drawing(CARD_WIDTH, CARD_HEIGHT + BELOW, body)


def _face(card: str) -> Svg:
    colour = RED if card[1:] in REDS else INK
    if card[1:] not in SUITS:
        return words_at(4, 18, card, width_max=CARD_WIDTH - 8, size=12)
    return Svg(
        words_at(4, 18, _rank(card), size=17, bold=True, fill=colour)
        + _suit(card, 12, 25, 1.15, colour)
    )


def _suit(card: str, x: float, y: float, scale: float, colour: str) -> Svg:
    return element(
        "path", d=SUITS[card[1:]], fill=colour, transform=f"translate({x} {y}) scale({scale})"
    )


def cards_in_row(
    cards: Sequence[TableCard], *, width_max: float, best: Collection[str] = ()
) -> Drawing:
    """Draw cards in a row; they overlap if the width requires it."""
    if not cards:
        return Drawing(0, 0, Svg(""))
    step = CARD_WIDTH + 4
    if len(cards) > 1:
        step = min(step, (width_max - CARD_WIDTH) / (len(cards) - 1))
    return side_by_side(
        *(card_drawn(card, is_best=card.card in best) for card in cards), gap=step - CARD_WIDTH
    )


def small_cards(cards: Sequence[str]) -> Drawing:
    """Draw small cards that refer to cards drawn elsewhere."""
    return side_by_side(*map(_small, cards), gap=2)


def _small(card: str) -> Drawing:
    edge = rectangle(0.5, 0.5, 29, 17, rx=3, fill=PAPER, stroke=LINE)
    if card[1:] not in SUITS:
        return Drawing(30, 18, Svg(edge + line(6, 9, 24, 9)))
    colour = RED if card[1:] in REDS else INK
    rank = words_at(10, 13.5, _rank(card), size=12, bold=True, anchor="middle", fill=colour)
    return Drawing(30, 18, Svg(edge + rank + _suit(card, 17.5, 4, 0.5, colour)))
