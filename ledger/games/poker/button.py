"""Dealer button and blinds from hand to hand (69GAMES poker rules, course of the game).

The button is drawn for the first hand at a table of cash games; in a tournament it begins at the
occupied seat of the lowest number. After each hand the big blind moves to the next player, its old
owner owes the small one, and the button lies to the right of them: a button that cannot move
forward, as a player has gone, is held by the player before its empty place (dead button). With two
players the small blind is on the button, and no player is the big blind twice in a row.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.games.poker.pots import clockwise_after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["Positions", "drawn_button", "first_positions", "next_positions"]

HEADS_UP = 2
RANKS, SUITS = "23456789TJQKA", "CDHS"
"""Ascending; suits count in the draw of the button only."""


class Positions(NamedTuple):
    """Players of a hand, clockwise, its button and blinds; ``small`` is empty if none is owed."""

    seats: tuple[str, ...]
    button: str
    small: str
    big: str


def drawn_button(cards: Mapping[str, str]) -> str:
    """Return the player who drew the highest card, by rank and then by suit.

    Args:
        cards: a different card for each player, such as ``KD``.

    """
    return max(cards, key=lambda name: (RANKS.index(cards[name][0]), SUITS.index(cards[name][1])))


def first_positions(seats: Sequence[str], button: str) -> Positions:
    """Return the blinds of a hand whose button is known: the first two players to its left."""
    order = clockwise_after(seats, button)
    small, big = (order[1], order[0]) if len(order) == HEADS_UP else order[:2]
    return Positions(tuple(seats), button, small, big)


def next_positions(before: Positions, seats: Sequence[str]) -> Positions | None:
    """Return the positions of button and blinds in the next hand.

    Args:
        before: the last hand at the table that was played to its end.
        seats: at least two players of the next hand, clockwise.

    Returns:
        The positions; None if the big blind has left and new players have come, because the order
        between them is not recorded.

    """
    big = _next_big_blind(before, seats)
    if not big:
        return None
    if len(seats) == HEADS_UP:
        other = next(name for name in seats if name != big)
        return Positions(tuple(seats), other, other, big)
    small = before.big if before.big in seats else ""
    button = clockwise_after(seats, small or big)[-2]
    return Positions(tuple(seats), button, small, big)


def _next_big_blind(before: Positions, seats: Sequence[str]) -> str:
    if before.big in seats:
        return clockwise_after(seats, before.big)[0]
    if not set(seats) <= set(before.seats):
        return ""
    return next(name for name in clockwise_after(before.seats, before.big) if name in seats)
