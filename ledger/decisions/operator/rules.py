"""The operator's rules of operation as facts of the chain.

The first decision of a chain publishes the operator's rules; a later one replaces them for all
later decisions. Rejected: rules that are incomplete, beyond the law, or equal to those in force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import InputError
from ledger.events.command import Command, Word
from ledger.rules.operator import NamedRules, OperatorRules, require_lawful

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from ledger.state.ledger_state import LedgerState

__all__ = ["PublishOperatorRules", "publish_operator_rules"]


class PublishOperatorRules(Command, frozen=True):
    """Put rules of operation into force; `gameledger rules show FILE --json` prints `rules`."""

    name: Word
    rules: dict[str, Any]


def publish_operator_rules(
    ledger_state: LedgerState, command: PublishOperatorRules, _: int
) -> list[e.Event]:
    """Decide :class:`PublishOperatorRules`."""
    try:
        rules = decoder_of(OperatorRules).plain(command.rules)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(f"rules {command.name}: {error}") from error
    require_lawful(rules, f"rules {command.name}")
    if rules == ledger_state.operator_state.rules:
        raise InputError(f"rules {command.name} are in force already: nothing to publish")
    return [NamedRules(command.name, rules).event]
