"""Register the game plans that a chain published, before its rounds are settled again."""

from __future__ import annotations

from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from ledger.events.event_types import RulesPublished
from ledger.games import ChainPlans
from ledger.log.port import Query, events_at

if TYPE_CHECKING:
    from ledger.log.port import Log

__all__ = ["register_plans"]

_REGISTERED = WeakKeyDictionary["Log", tuple[int, ChainPlans]]()


def register_plans(log: Log) -> None:
    """Register the game plans that a chain published, and only new ones when it is called again.

    Raises:
        IntegrityError: as :meth:`ledger.games.ChainPlans.register`.

    """
    query = Query(types=(RulesPublished.__name__,))
    after, plans = _REGISTERED.get(log) or (-1, ChainPlans())
    published = log.find(query, after=after)
    for recorded in events_at(log, published):
        event = recorded.event
        if isinstance(event, RulesPublished):
            plans.register(event.game, event.plan_version, event.document, event.document_digest)
    if published:
        _REGISTERED[log] = published[-1], plans
