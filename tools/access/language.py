"""The language of a reader: chosen on a page, or else that of the browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.words.catalogue import Language, Words

if TYPE_CHECKING:
    from starlette.requests import Request

__all__ = ["LANGUAGE", "language_of", "words_of"]

LANGUAGE = "gameledger-language"
"""The cookie with the language that a reader chose."""


def words_of(request: Request) -> Words:
    """Return the texts of the reader's language."""
    return Words(language_of(request))


def language_of(request: Request) -> Language:
    """Return the chosen language, or else that of the browser; English if neither is known."""
    chosen = request.cookies.get(LANGUAGE)
    if chosen not in set(Language):
        first = request.headers.get("Accept-Language", "").strip().lower()[:2]
        chosen = Language.CS if first in {"cs", "sk"} else Language.EN
    return Language(chosen)
