"""Whose chain it is: the rules of the operator that the first event names."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.encoding import decode
from ledger.rules.operator import rules_of

if TYPE_CHECKING:
    from ledger.log.port import ReadableLog
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["operator_rules", "operator_rules_in"]


def operator_rules(store: Store) -> OperatorRules:
    """Return the rules of the chain's operator; ``operator_figures`` has what SQL needs of them."""
    operator = store.value("SELECT operator FROM ChainOpened WHERE position = 0")
    return rules_of(operator or "")


def operator_rules_in(log: ReadableLog) -> OperatorRules:
    """Return the same from the chain itself."""
    opened = next((decode(message).event for _, message in log.read(0, 1)), None)
    return rules_of(getattr(opened, "operator", ""))
