"""How long data are kept: a setting for each class of personal fields and of facts.

The schema says of each personal field which class it is of (``personal``), and of each event type
(``retention``). One key seals all data of a person, so the longest period decides when they go.
Facts hold no personal data that can be read without the key and stay with the chain, of which no
part can be taken out: their periods are how long the chain, and who can read it, must be there at
least. Years follow the calendar of Prague, and the last day counts whole.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger.core.clock import PRAGUE, from_datetime, in_prague, midnight_after

__all__ = ["ERASED_WITHIN_DAYS", "FACTS_KEPT", "KEPT", "RetentionPeriod", "end_of_retention"]


class RetentionPeriod(Struct, frozen=True):
    """A period in whole years, and what it rests on; ``seen`` says how far we read the text.

    That of personal data runs from the end of the relationship: the closing of the last account of
    the person, or the last money that moved on one after that. That of a fact runs from its record.
    """

    years: int
    source: str
    seen: Literal["read", "press", "assumed"]


KEPT = {
    "identity": RetentionPeriod(10, "AML act", "press"),
    "contact": RetentionPeriod(3, "D466 2", "read"),
    "suspicion": RetentionPeriod(10, "AML act 16", "press"),
}
"""The period of each class of personal fields; docs/law-questions.md asks for them at L-56."""

FACTS_KEPT = {
    "participant": RetentionPeriod(10, "AML act", "press"),
    "financial": RetentionPeriod(10, "AML act; D208", "press"),
    "game": RetentionPeriod(10, "D208; ZHH", "press"),
    "operation": RetentionPeriod(3, "D466 2", "read"),
    "chain": RetentionPeriod(
        10, "D208; what proves the others is kept as long as they are", "assumed"
    ),
}
"""The shortest period of each class of event types, from the record; L-23 and L-25 ask for them."""

ERASED_WITHIN_DAYS = 30
"""Days after the end of the period in which what is due is to be erased; assumed."""


def end_of_retention(ended_at: int) -> int:
    """Find the midnight from which on data may go, of a relationship that ended at a moment."""
    years = max(kept.years for kept in KEPT.values())
    local = in_prague(ended_at)
    try:
        last = local.replace(year=local.year + years)
    except ValueError:  # the 29th of February, in a year without one
        last = local.replace(year=local.year + years, month=3, day=1)
    return midnight_after(from_datetime(last.replace(hour=12, tzinfo=PRAGUE)))
