# needs = ["BalancesClosed"]
#
# [CLOSED_BALANCES_WRONG]
# name.en = "Closed balances wrong"
# name.cs = "Chybná uzávěrka zůstatků"
# text.en = "A closing differs from the balances at the end of its period: {detail:phrase}."
# text.cs = "Uzávěrka má jiné zůstatky než evidence na konci svého období: {detail}."
# paragraph = "decree 208/2017"

"""Compare recorded closings of balances with the postings (ADR 0058).

What comes in: the newest and the recent closings, and the postings before each. What goes out: a
finding for a closing of a period that was not over, that does not begin where it ended, or whose
count, sum or root differs. Older closings were compared when they were recent.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

from ledger.core.clock import MINUTE, in_prague
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.tlog.balance_map import balances_root
from projections.findings.finding import DetectedFinding
from projections.store.as_of import size_at
from projections.store.period import read_period

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.checks import CheckInput

__all__ = ["find"]

NEWEST = 40
"""Newest closings that are compared; each takes a sum over the days before it."""
RECENT = 45 * 24 * 60 * MINUTE
"""Closings so recent are compared, too, so that many later ones hide none."""
CLOSINGS = f"""
SELECT position, recorded_at, period, size, count, total, hex(root) AS root
FROM BalancesClosed
WHERE position < {{size:Int64}}
    AND (recorded_at >= {{since:Int64}} OR position IN (
        SELECT position FROM BalancesClosed WHERE position < {{size:Int64}}
        ORDER BY position DESC LIMIT {NEWEST}
    ))
ORDER BY position DESC"""  # noqa: S608 - an own number
BALANCES = """
SELECT account, sumIf(amount, kind IN ('wallet', 'reserved')) AS balance
FROM money_by_day(size = {size:Int64})
WHERE kind IN ('wallet', 'reserved', 'in_play', 'withdrawals', 'claims')
GROUP BY account"""


def find(of: CheckInput) -> Iterator[DetectedFinding]:
    """Find closings that are not those of the record."""
    for row in of.store.rows(CLOSINGS, size=of.size, since=of.now - RECENT):
        right = _right_values(of, row)
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


def _right_values(of: CheckInput, row: dict[str, Any]) -> dict[str, Any]:
    """Return what a closing should have; only a period, the last day over, if its own was not."""
    recorded = in_prague(row["recorded_at"]).date()
    try:
        period = read_period(row["period"])
    except InputError:
        period = None
    if period is None or period.kind == "quarter" or period.day_behind > recorded:
        return {"period": (recorded - timedelta(days=1)).isoformat()}
    balances = {one["account"]: one["balance"] for one in of.store.rows(BALANCES, size=row["size"])}
    return {
        "size": size_at(of.store, period.ends, row["position"]),
        "count": len(balances),
        "total": sum(balances.values()),
        "root": balances_root(balances).hex().upper(),
    }
