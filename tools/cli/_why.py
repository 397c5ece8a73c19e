"""Why amounts are due, one line each: paragraph, what decided, formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.words.catalogue import Language, Words
from projections.words.explanations import line, tell
from tools.cli._output import say

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger import games

__all__ = ["WORDS", "say_why"]

WORDS = Words(Language.EN)


def say_why(
    rows: Iterable[tuple[str, games.Explanation | None]], *, in_chips: bool = False
) -> None:
    """Write a line for each that has an explanation, under a heading if there is any."""
    told = [
        line(WORDS, name, tell(WORDS, explanation, in_chips=in_chips))
        for name, explanation in rows
        if explanation is not None
    ]
    if told:
        say("Why", style="bold")
    for text in told:
        say(text)
