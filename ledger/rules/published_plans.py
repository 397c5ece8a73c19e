"""Register the game plans that a chain published, before its rounds are settled again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ledger.events.event_types import RulesPublished
from ledger.games import register_plan
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from ledger.log.port import Log

__all__ = ["register_plans"]

_REGISTERED = WeakKeyDictionary["Log", int]()


def register_plans(log: Log) -> None:
    """Register the game plans that a chain published, and only new ones when it is called again.

    Raises:
        IntegrityError: as :func:`ledger.games.register_plan`.

    """
    query = Query(types=(RulesPublished.__name__,))
    published = log.find(query, after=_REGISTERED.get(log, -1))
    for recorded in events_at(log, published):
        event = recorded.event
        if isinstance(event, RulesPublished):
            register_plan(event.game, event.plan_version, event.document, event.document_digest)
    if published:
        _REGISTERED[log] = published[-1]
