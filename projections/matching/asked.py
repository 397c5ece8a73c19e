"""What is asked of matching: how far the chain counts, what is covered, how far days may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from projections.matching.coverage import Covering

__all__ = ["SPILL", "Asked"]

SPILL = 200_000_000
"""Bytes of one grouping or sorting that ClickHouse may hold in memory; the rest is on its disk."""


class Asked(NamedTuple):
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
        }
