"""What is to be done before a period closes: statements to fetch, write-offs to decide.

What comes in: the tables, a period and the day of the question. What goes out: for each issuer with
a statement in force, its days of the period without one, from its first statement on; and the
write-offs that wait for a second person. A day that is not over yet is not missing.
"""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from projections.store.period import Period
    from projections.store.tables import Store

__all__ = ["MissingDays", "missing_days", "pending_write_offs"]

IN_FORCE = """
SELECT issuer, first_day, last_day FROM statements(size = {size:Int64})
WHERE superseded_position = 0 ORDER BY issuer, first_day
"""
PENDING = """
SELECT write_off, finding, amount, by, reason, recorded_at
FROM WriteOffProposed
WHERE position < {size:Int64}
    AND write_off NOT IN (SELECT write_off FROM WriteOffConfirmed WHERE position < {size:Int64})
    AND write_off NOT IN (SELECT write_off FROM WriteOffDeclined WHERE position < {size:Int64})
ORDER BY position
LIMIT 100
"""


class MissingDays(NamedTuple):
    """Days of an issuer without a statement: their number, and the first and last of them."""

    issuer: str
    days: int
    first: date
    last: date


def missing_days(store: Store, period: Period, *, size: int, today: date) -> list[MissingDays]:
    """Return what is missing of a period, by the messages below ``size``."""
    spans: dict[str, list[tuple[date, date]]] = defaultdict(list)
    for row in store.rows(IN_FORCE, size=size):
        spans[row["issuer"]].append((row["first_day"], row["last_day"]))
    end = min(period.day_behind, today)
    found = []
    for issuer, of_issuer in spans.items():
        day, missing = max(period.first_day, of_issuer[0][0]), list[date]()
        while day < end:
            if not any(first <= day <= last for first, last in of_issuer):
                missing.append(day)
            day += timedelta(days=1)
        if missing:
            found.append(MissingDays(issuer, len(missing), missing[0], missing[-1]))
    return found


def pending_write_offs(store: Store, size: int) -> list[dict[str, Any]]:
    """Return the write-offs below ``size`` that wait for a second person, the oldest first."""
    return store.rows(PENDING, size=size)
