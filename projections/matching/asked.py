"""What is asked of matching: how far the chain counts, what is covered, how far days may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from projections.matching.coverage import Covering

__all__ = ["SPILLING", "MatchingScope"]

SPILL = 1_000_000_000
SPILLING = (
    f"\nSETTINGS max_bytes_before_external_group_by = {SPILL}, "
    f"max_bytes_before_external_sort = {SPILL}"
)
"""What keeps a question's memory from growing: behind so many bytes ClickHouse takes its disk."""


class MatchingScope(NamedTuple):
    """Messages below ``size`` count; ``today`` is the day of the last, windows are days.

    ``since`` is a moment before which no bet of a report was placed.
    """

    size: int
    today: int
    since: int
    bank: int
    payments: int
    covering: Covering

    def window_of(self, kind: str) -> int:
        """Return the days that may lie between our entry and a line of such an issuer."""
        return self.bank if kind == "BANK" else self.payments

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the questions."""
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
