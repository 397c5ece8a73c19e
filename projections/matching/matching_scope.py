"""Scope of a matching run: counted messages, statements in force, rules by day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from projections.matching.rules import rules_on

if TYPE_CHECKING:
    from projections.matching.coverage import Coverage
    from projections.matching.rules import MatchingRules

__all__ = ["SPILLING", "MatchingScope"]

SPILL = 1_000_000_000
SPILLING = (
    f"\nSETTINGS max_bytes_before_external_group_by = {SPILL}, "
    f"max_bytes_before_external_sort = {SPILL}"
)
"""Query settings that bound memory: beyond ``SPILL`` bytes ClickHouse groups and sorts on disk."""


class MatchingScope(NamedTuple):
    """Scope of one matching run.

    Messages below position ``size`` count. ``today`` is the day of the last of them, counted from
    1970-01-01 in Prague. ``since`` (microseconds) is a lower bound: bets recorded before it are not
    read. ``rules`` are those of all days, the last ones first. ``covering`` describes the
    statements in force.
    """

    size: int
    today: int
    since: int
    rules: tuple[MatchingRules, ...]
    covering: Coverage

    def rules_on(self, day: int) -> MatchingRules:
        """Return the rules by which the lines and entries of a day are matched."""
        return rules_on(self.rules, day)

    def recorded_rules(self, first_day: int, last_day: int) -> tuple[MatchingRules, ...]:
        """Return the recorded rules of the days from the first to the last one, in their order."""
        within = [one.first_day for one in self.rules if first_day < one.first_day <= last_day]
        found = dict.fromkeys(self.rules_on(day) for day in (first_day, *reversed(within)))
        return tuple(one for one in found if one.position >= 0)

    @property
    def parameters(self) -> dict[str, Any]:
        """Query parameters of the matching queries."""
        return {
            "size": self.size,
            "today": self.today,
            "from": self.since,
            "rules": [(one.first_day, one.bank_days, one.payments_days) for one in self.rules],
            "spans": list(self.covering.spans),
            "statements": list(self.covering.periods),
            "parts": 1,
            "part": 0,
        }
