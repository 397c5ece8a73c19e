"""Who stands in for whom on a day, by the deputies that the chain names.

What comes in: the tables, the number of messages that count, and a day in Prague. What goes out:
the deputy of each person on that day. The last event whose days hold the day counts; one with an
empty deputy leaves the person without one.
"""

from __future__ import annotations

from datetime import date  # noqa: TC003 - read by the types of answers
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from projections.store.tables import Store

__all__ = ["Deputy", "deputies_on", "with_deputy"]

NAMED = """
SELECT absent, argMax(deputy, position) AS last_named, argMax(last_day, position) AS until
FROM DeputyNamed
WHERE position < {size:Int64} AND first_day <= {day:String} AND {day:String} <= last_day
GROUP BY absent
HAVING last_named != ''
"""


class Deputy(NamedTuple):
    """A deputy, and the last day on which it is one, as ISO 8601."""

    deputy: str
    last_day: str


def deputies_on(store: Store, size: int, day: date) -> dict[str, Deputy]:
    """Return the deputies of a day in Prague, by person."""
    rows = store.rows(NAMED, size=size, day=day.isoformat())
    return {row["absent"]: Deputy(row["last_named"], row["until"]) for row in rows}


def with_deputy(person: str, deputies: Mapping[str, Deputy]) -> tuple[str, ...]:
    """Return those who handle what is assigned to a person."""
    deputy = deputies.get(person)
    return (person,) if deputy is None else (person, deputy.deputy)
