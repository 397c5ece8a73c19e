"""Read the operator's rules from the tables."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import InputError
from ledger.rules.operator import decode_operator_rules

if TYPE_CHECKING:
    from ledger.rules.operator import OperatorRules
    from projections.store.tables import Store

__all__ = ["PublishedRules", "operator_rules", "published_rules"]


class PublishedRules(NamedTuple):
    """All rules that a chain published, in order, with position and moment of each publication.

    Later rules judge later play only; the first ones also judge what was recorded before them.
    ``texts`` are the rules as they were published.
    """

    positions: tuple[int, ...]
    moments: tuple[int, ...]
    rules: tuple[OperatorRules, ...]
    texts: tuple[str, ...]

    @property
    def last(self) -> OperatorRules:
        """The rules published last."""
        return self.rules[-1]

    def at_moment(self, moment: int) -> OperatorRules:
        """Return the rules in force at a moment, in microseconds."""
        return self.rules[max(bisect_right(self.moments, moment) - 1, 0)]

    def at_position(self, position: int) -> OperatorRules:
        """Return the rules in force at a position."""
        return self.rules[max(bisect_right(self.positions, position) - 1, 0)]


def published_rules(store: Store) -> PublishedRules:
    """Return all rules of the chain; SQL uses the view ``operator_figures`` instead.

    Raises:
        InputError: the chain has no rules.

    """
    rows = list(
        store.rows(
            "SELECT position, recorded_at, rules FROM OperatorRulesPublished ORDER BY position"
        )
    )
    if not rows:
        raise InputError("the chain holds no rules of its operator (OperatorRulesPublished)")
    return PublishedRules(
        tuple(row["position"] for row in rows),
        tuple(row["recorded_at"] for row in rows),
        tuple(decode_operator_rules(row["rules"]) for row in rows),
        tuple(row["rules"] for row in rows),
    )


def operator_rules(store: Store) -> OperatorRules:
    """Return the rules published last.

    Raises:
        InputError: the chain has no rules.

    """
    return published_rules(store).last
