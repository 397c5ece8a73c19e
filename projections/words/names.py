"""Names of what a chain holds: games, bets with their selections, cards, paragraphs.

What comes in: codes and values as they are recorded. What goes out: what a person calls them.
A code that no catalogue knows stands as it is recorded, so that a new one is still shown.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from projections.words.catalogue import Language, catalogue

if TYPE_CHECKING:
    from projections.words.catalogue import Words

__all__ = ["bet", "card", "named", "paragraph"]

SUITS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}


def named(words: Words, area: str, code: str) -> str:
    """Return the name of a code of one of the areas whose keys are codes."""
    return catalogue(words.language).get(f"{area}.{code}", code)


def bet(words: Words, code: str, selection: str = "", *, additional: bool = False) -> str:
    """Return a bet with its selection, such as ``split 17/20``.

    Args:
        words: of the reader's language.
        code: as recorded.
        selection: as recorded, JSON or empty.
        additional: an action added the bet to another, such as a split of blackjack.

    """
    name = named(words, "actions" if additional else "bets", code)
    chosen = json.loads(selection) if selection else None
    if chosen is None:
        return name
    if isinstance(chosen, dict):
        return words.text(
            "selections.neighbours",
            bet=name,
            number=str(chosen["number"]),
            each_side=str(chosen["each_side"]),
        )
    numbers = chosen if isinstance(chosen, list) else [chosen]
    return f"{name} {'/'.join(map(str, numbers))}"


def card(text: str) -> str:
    """Write a recorded card such as ``TD`` as ``10♦``; one that nobody saw as ``?``."""
    return text[:-1].replace("T", "10") + SUITS.get(text[-1:], "?")


def paragraph(words: Words, recorded: str) -> str:
    """Return a recorded paragraph as the language cites it; a heading stays as the source has it.

    Recorded are ``SAZKA annex Roulette (Synot) 25-26``, ``SAZKA 14(1)`` and such.
    """
    if words.language is Language.EN:
        return recorded
    return (
        recorded.replace("SAZKA annex ", "SAZKA, příloha ")
        .replace("Stastne kolo", "Šťastné kolo")
        .replace("Baccarat, ", "Baccarat: ")
    )
