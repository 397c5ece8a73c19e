"""Explanations of amounts, one line each: paragraph, deciding facts, formula."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.facts.rendering import TERMINAL
from projections.words.explanations import formula_line, render_explanation
from tools.cli._output import echo

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger import games

__all__ = ["print_explanation"]


def print_explanation(
    rows: Iterable[tuple[str, games.Explanation | None]], *, in_chips: bool = False
) -> None:
    """Print a line for each amount with an explanation, under a heading if there is any."""
    told = [
        formula_line(TERMINAL, name, render_explanation(TERMINAL, explanation, in_chips=in_chips))
        for name, explanation in rows
        if explanation is not None
    ]
    if told:
        echo("Why", style="bold")
    for text in told:
        echo(text)
