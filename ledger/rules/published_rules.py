"""Read the operator's rules in force from a chain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.events.event_types import OperatorRulesPublished
from ledger.log.checkpoints import cosigned_size
from ledger.log.port import Query, events_at
from ledger.rules.operator import decode_operator_rules

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.rules.operator import OperatorRules

__all__ = ["AuthorityCopy", "authority_copy", "rules_in_force"]


@dataclass(frozen=True, slots=True)
class AuthorityCopy:
    """The copy of the authority: its mirror, and of how many messages it signed to hold them.

    ``announced`` is the size of the last checkpoint of the log.
    """

    mirror: str
    held: int
    announced: int


def authority_copy(log: Log, *, announced: int, before: int | None = None) -> AuthorityCopy | None:
    """Return the copy by the mirror that the rules name; None if they name none.

    Args:
        log: any log.
        announced: size of its last checkpoint.
        before: only what was recorded before this position.

    """
    try:
        mirror = rules_in_force(log, before=before).mirror
    except InputError:
        return None
    if not mirror:
        return None
    key = mirror.public_key
    return AuthorityCopy(key.name, cosigned_size(log, key, before=before), announced)


def rules_in_force(log: Log, *, before: int | None = None) -> OperatorRules:
    """Return the rules of operation that a chain published last, or before a position.

    Raises:
        InputError: the chain has none.

    """
    query = Query(types=(OperatorRulesPublished.__name__,))
    published = log.find(query, before=before, limit=1, backwards=True)
    for recorded in events_at(log, published):
        if isinstance(recorded.event, OperatorRulesPublished):
            return decode_operator_rules(recorded.event.rules)
    raise InputError("the chain holds no rules of its operator (OperatorRulesPublished)")
