"""Build the log query of an event list, limited by the rights of its reader."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import schemas
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.log.port import Query
from tools.access.scopes import types_for

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tools.access.scopes import Scope

__all__ = ["event_query", "event_types", "require_kinds"]


def event_types(scopes: frozenset[Scope]) -> tuple[str, ...]:
    """Return the event types visible with the given scopes, in order."""
    return tuple(sorted(types_for(scopes) or e.EVENTS))


def event_query(scopes: frozenset[Scope], event: str, tag: str) -> Query:
    """Return the query for events of a type and a tag; an empty text matches all visible events.

    Raises:
        InputError: there is no such type, the scopes do not include it, or the text is no tag.

    """
    require_kinds((tag,) if tag else ())
    if event and event not in event_types(scopes):
        raise InputError(Phrase("EVENT_TYPE_HIDDEN", event=event))
    return Query(types=(event,) if event else types_for(scopes), tags=(tag,) if tag else ())


def require_kinds(tags: Iterable[str]) -> None:
    """Refuse tags that no event can have: an empty answer would look like an all-clear.

    Raises:
        InputError: a tag has no name, or no kind that a schema declares.

    """
    for tag in tags:
        kind, _, name = tag.partition(":")
        if not name or kind not in _kinds():
            raise InputError(Phrase("TAG_MALFORMED", tag=tag))


@cache
def _kinds() -> frozenset[str]:
    facts = (fact for schema in schemas.newest().values() for fact in schema.facts)
    return frozenset(fact["tag"] for fact in facts if "tag" in fact)
