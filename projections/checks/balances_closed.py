# needs = ["BalancesClosed"]
#
# [CLOSED_BALANCES_WRONG]
# name.en = "Closed balances wrong"
# name.cs = "Chybná uzávěrka zůstatků"
# text.en = "A closing differs from the balances at the end of its period: {detail:phrase}."
# text.cs = "Uzávěrka má jiné zůstatky než evidence na konci svého období: {detail}."
# paragraph = "decree 208/2017"

"""Compare recorded closings of balances with the postings (ADR 0058).

What comes in: the newest closings, and the postings before each. What goes out: a finding for a
closing that does not begin where its period ended, or whose count, sum or root differs. Older
closings were compared when they were among the newest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.phrases import Phrase
from ledger.tlog.balance_map import balances_root
from projections.findings.finding import DetectedFinding
from projections.store.as_of import size_at
from projections.store.period import read_period

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

CLOSINGS_MAX = 40
"""Newest closings that are compared; each takes a sum over the days before it."""
CLOSINGS = f"""
SELECT position, period, size, count, total, hex(root) AS root
FROM BalancesClosed
WHERE position < {{size:Int64}}
ORDER BY position DESC
LIMIT {CLOSINGS_MAX}"""  # noqa: S608 - an own number
BALANCES = """
SELECT account, sumIf(amount, kind IN ('wallet', 'reserved')) AS balance
FROM money_by_day(size = {size:Int64})
WHERE kind IN ('wallet', 'reserved', 'in_play', 'withdrawals', 'claims')
GROUP BY account"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find closings that are not those of the record."""
    for row in of.store.rows(CLOSINGS, size=of.size):
        balances = {
            one["account"]: one["balance"] for one in of.store.rows(BALANCES, size=row["size"])
        }
        right: dict[str, Any] = {
            "size": size_at(of.store, read_period(row["period"]).ends, row["position"]),
            "count": len(balances),
            "total": sum(balances.values()),
            "root": balances_root(balances).hex().upper(),
        }
        wrong = next((name for name, value in right.items() if row[name] != value), None)
        if wrong is not None:
            detail = Phrase(
                "FIELD_AGAINST", field=wrong, recorded=str(row[wrong]), right=str(right[wrong])
            )
            yield DetectedFinding(
                "CLOSED_BALANCES_WRONG",
                position=row["position"],
                detail=detail,
                about=row["period"],
            )
