"""Read the operator's rules from the tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.rules.operator import decode_operator_rules

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["operator_rules"]


def operator_rules(store: Store) -> OperatorRules:
    """Return the rules published last; SQL uses the view ``operator_figures`` instead.

    Raises:
        InputError: the chain has no rules.

    """
    rules = store.value("SELECT argMax(rules, position) FROM OperatorRulesPublished")
    if not rules:
        raise InputError("the chain holds no rules of its operator (OperatorRulesPublished)")
    return decode_operator_rules(rules)
