"""Rules of matching by day: those that the chain records, and before them the operator's figures.

What comes in: the tables, the number of messages that count, and the operator's figures. What goes
out: the rules of all days. Guaranteed: a line or an entry is matched by the rules of its own day,
and a chain that records none is matched by the figures of its operator, without a tolerance.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

from projections.matching.coverage import EPOCH

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.rules.operator import Figures
    from projections.store.tables import Store

__all__ = ["MatchingRules", "matching_rules", "rules_on"]

RECORDED = """
SELECT position, first_day, bank_days, payments_days, tolerance, by_amount, by
FROM MatchingRulesSet
WHERE position < {size:Int64}
ORDER BY first_day DESC, position DESC
"""


class MatchingRules(NamedTuple):
    """Rules from a day on, which is counted from 1970-01-01 in Prague.

    The windows are days, ``tolerance`` is haléř. ``by_amount``: a line without a reference is
    matched by its amount and day. ``position`` and ``by`` are those of the record; -1 and empty for
    the operator's figures.
    """

    first_day: int
    bank_days: int
    payments_days: int
    tolerance: int = 0
    by_amount: bool = True
    position: int = -1
    by: str = ""

    @property
    def begins(self) -> date:
        """The first day."""
        return EPOCH + timedelta(days=self.first_day)

    def window_of(self, kind: str) -> int:
        """Return how many days may lie between an entry and a line of an issuer of this kind."""
        return self.bank_days if kind == "BANK" else self.payments_days


def matching_rules(store: Store, size: int, figures: Figures) -> tuple[MatchingRules, ...]:
    """Return the rules of all days, those with the last first day first."""
    recorded = [
        MatchingRules(**{**row, "first_day": (date.fromisoformat(row["first_day"]) - EPOCH).days})
        for row in store.rows(RECORDED, size=size)
    ]
    return (*recorded, MatchingRules(0, figures.bank_days.value, figures.payments_days.value))


def rules_on(rules: Iterable[MatchingRules], day: int) -> MatchingRules:
    """Return the rules of a day; ``rules`` are those of all days, the last ones first."""
    return next(one for one in rules if one.first_day <= day)
