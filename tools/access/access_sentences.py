"""What a reader asked for, in words, for the pages and lists of accesses."""

from __future__ import annotations

import json
from collections import defaultdict
from contextlib import suppress
from typing import TYPE_CHECKING

from projections.words.names import named

if TYPE_CHECKING:
    from projections.words.catalogue import Words
    from tools.access.accesses import Access

__all__ = ["access_sentence", "parameters_in_words"]


def access_sentence(words: Words, access: Access) -> str:
    """Describe an access in words; a route without a description is shown as it is."""
    method, _, path = access.what.partition(" ")
    if not path:
        return named(words, "events", method) or method
    about = {"name": access.account or access.round or "?"}
    with suppress(ValueError):
        given = json.loads(access.parameters or "{}")
        about |= {key: str(value) for key, value in given.items()}
    path = path.removeprefix("/api")
    of = path.removeprefix("/changes")
    try:
        what = words.text(f"asked.{of}", **defaultdict(str, about))
        what = what if of == path else words.text("access.changes_of", what=what)
        return words.text("access.asked_for", what=what)
    except LookupError:
        return access.what


def parameters_in_words(parameters: str) -> str:
    """Return the parameters of a request with their values, as an address has them."""
    try:
        given = json.loads(parameters or "{}")
    except ValueError:
        return parameters
    return ", ".join(f"{name}={value}" for name, value in given.items())
