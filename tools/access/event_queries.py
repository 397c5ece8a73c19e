"""Build the log query of an event list, limited by the rights of its reader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from ledger.log.port import Query
from tools.access.scopes import types_for

if TYPE_CHECKING:
    from tools.access.scopes import Scope

__all__ = ["event_query", "event_types"]


def event_types(scopes: frozenset[Scope]) -> tuple[str, ...]:
    """Return the event types visible with the given scopes, in order."""
    return tuple(sorted(types_for(scopes) or e.EVENTS))


def event_query(scopes: frozenset[Scope], event: str, tag: str) -> Query:
    """Return the query for events of a type and a tag; an empty text matches all visible events.

    Raises:
        InputError: there is no such type, or the scopes do not include it.

    """
    if event and event not in event_types(scopes):
        raise InputError(Phrase("EVENT_TYPE_HIDDEN", event=event))
    return Query(types=(event,) if event else types_for(scopes), tags=(tag,) if tag else ())
