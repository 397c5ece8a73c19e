"""Scope of a matching run: counted messages, statements in force, windows in days."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from projections.matching.coverage import Coverage

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
    read. ``bank`` and ``payments`` are the windows in days of a bank and of a payment provider.
    ``covering`` describes the statements in force.
    """

    size: int
    today: int
    since: int
    bank: int
    payments: int
    covering: Coverage

    def window_of(self, kind: str) -> int:
        """Return how many days may lie between an entry and a line of an issuer of this kind."""
        return self.bank if kind == "BANK" else self.payments

    @property
    def parameters(self) -> dict[str, Any]:
        """Query parameters of the matching queries."""
        return {
            "size": self.size,
            "today": self.today,
            "from": self.since,
            "bank": self.bank,
            "payments": self.payments,
            "spans": list(self.covering.spans),
            "statements": list(self.covering.periods),
            "parts": 1,
            "part": 0,
        }
