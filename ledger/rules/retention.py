"""Retention periods for each class of personal fields and of facts.

The schema assigns a class to each personal field (``personal``) and to each event type
(``retention``). One key encrypts all data of a person, so the longest period determines when the
data are erased. Facts hold no personal data that are readable without the key, and no part of the
chain can be removed: the periods of facts are the minimum time for which the chain, and someone
able to read it, must exist. Years follow the calendar of Prague, and the last day counts
completely.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import datetime
from typing import Literal

from msgspec import Struct

from ledger.core.clock import PRAGUE, from_datetime, in_prague, midnight_after

__all__ = [
    "FACTS_KEPT",
    "KEPT",
    "RECORDS_KEPT",
    "RetentionPeriod",
    "end_of_period_key",
    "end_of_retention",
]


class RetentionPeriod(Struct, frozen=True):
    """A period in whole years, and its legal basis.

    ``seen`` is how the period is known: ``read`` in the text of the law, from the ``press``, or
    ``assumed``. The period of personal data runs from the end of the relationship: the closing of
    the person's last account, or the last movement of money after that. The period of a fact runs
    from its record.
    """

    years: int
    source: str
    seen: Literal["read", "press", "assumed"]


KEPT = {
    "identity": RetentionPeriod(10, "AML act", "press"),
    "contact": RetentionPeriod(3, "D466 2", "read"),
    "suspicion": RetentionPeriod(10, "AML act 16", "press"),
    "case": RetentionPeriod(3, "D466 2", "read"),
    "statement": RetentionPeriod(10, "AML act 16", "press"),
    "access": RetentionPeriod(3, "D466 2", "read"),
}
"""The period of each class of personal fields; see L-56 of docs/law-questions.md. The period of a
text encrypted with the key of a month runs from the end of the month."""

FACTS_KEPT = {
    "participant": RetentionPeriod(10, "AML act", "press"),
    "financial": RetentionPeriod(10, "AML act; D208", "press"),
    "game": RetentionPeriod(10, "D208; ZHH", "press"),
    "operation": RetentionPeriod(3, "D466 2", "read"),
    "chain": RetentionPeriod(10, "D208; as long as the records that it proves", "assumed"),
}
"""The shortest period of each class of event types, from the record; see L-23 and L-25."""

RECORDS_KEPT = RetentionPeriod(3, "D466 2", "read")
"""The period of recordings and documents outside the chain, from the day they were made; L-39 asks
whether recordings have a longer one."""


def end_of_retention(ended_at: int, years: int = 0) -> int:
    """Return the midnight from which data may be erased.

    Args:
        ended_at: timestamp (microseconds) of the end of the relationship, or of the record.
        years: the period; 0 means the period of personal data.

    """
    years = years or max(period.years for period in KEPT.values())
    local = in_prague(ended_at)
    try:
        last = local.replace(year=local.year + years)
    except ValueError:  # the 29th of February, in a year without one
        last = local.replace(year=local.year + years, month=3, day=1)
    return midnight_after(from_datetime(last.replace(hour=12, tzinfo=PRAGUE)))


def end_of_period_key(name: str) -> int:
    """Return the time (a midnight in Prague) from which the key of a month may be destroyed.

    Args:
        name: purpose and month, such as ``statement:2026-11``.

    """
    purpose, _, month = name.partition(":")
    year, number = map(int, month.split("-"))
    last = datetime(year, number, monthrange(year, number)[1], 12, tzinfo=PRAGUE)
    return end_of_retention(from_datetime(last), KEPT[purpose].years)
