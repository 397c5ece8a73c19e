"""Read the operator's rules in force from a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.events.event_types import OperatorRulesPublished
from ledger.log.port import Query, events_at
from ledger.rules.operator import decode_operator_rules

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.rules.operator import OperatorRules

__all__ = ["rules_in_force"]


def rules_in_force(log: Log) -> OperatorRules:
    """Return the rules of operation that a chain published last.

    Raises:
        InputError: the chain has none.

    """
    published = log.find(Query(types=(OperatorRulesPublished.__name__,)), limit=1, backwards=True)
    for recorded in events_at(log, published):
        if isinstance(recorded.event, OperatorRulesPublished):
            return decode_operator_rules(recorded.event.rules)
    raise InputError("the chain holds no rules of its operator (OperatorRulesPublished)")
