"""Descriptions of tables, views and their columns in the reader's language."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.words.catalogue import Language
from projections.words.phrases import in_czech
from schemas.event_texts import column_descriptions

if TYPE_CHECKING:
    from projections.words.catalogue import Words

__all__ = ["translate_column", "translate_view"]


def translate_view(words: Words, name: str, meaning: str) -> str:
    """Return the description of a table or view."""
    if words.language is Language.EN:
        return meaning
    return in_czech("views").get(name) or words.text(f"events.{name}")


def translate_column(words: Words, meaning: str) -> str:
    """Return the description of a column of a table or view; ``meaning`` is its comment."""
    if words.language is Language.EN:
        return meaning
    return column_descriptions().get(meaning) or in_czech("columns")[meaning]
