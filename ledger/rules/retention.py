"""How long data of a person are kept: a setting for each class of personal fields.

The schema says of each personal field which class it is of (``personal``). One key seals all data
of a person, so the longest period decides when they go. Facts of games and money hold no personal
data and stay with the chain. Years follow the calendar of Prague, and the last day counts whole.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ledger.core.clock import PRAGUE, from_datetime, in_prague, midnight_after

__all__ = ["ERASED_WITHIN_DAYS", "KEPT", "Kept", "end_of_retention"]


class Kept(Struct, frozen=True):
    """A period in whole years from the end of the relationship, and what it rests on.

    The relationship ends with the last account of the person, or with the last money that moved on
    one after that. ``seen`` says how far we read the text.
    """

    years: int
    source: str
    seen: Literal["read", "press", "assumed"]


KEPT = {
    "identity": Kept(10, "AML act", "press"),
    "contact": Kept(3, "D466 2", "read"),
}
"""The period of each class of personal fields; docs/law-questions.md asks for them at L-56."""

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
