"""Who stands in for whom and when, by the deputies that the chain names.

What comes in: the tables, the number of messages that count, and a day in Prague. What goes out:
the deputy of each person on that day, and those from that day on. The last event whose days hold a
day counts; one with an empty deputy leaves the person without one.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from projections.store.tables import Store

__all__ = ["Deputy", "deputies_from", "deputies_on", "first_on", "standing", "with_deputy"]

NAMED = """
SELECT absent, deputy, first_day, last_day
FROM DeputyNamed WHERE position < {size:Int64}
ORDER BY position
"""
A_DAY = timedelta(days=1)


class Deputy(NamedTuple):
    """A deputy, and the first and last day on which it is one, as ISO 8601."""

    deputy: str
    first_day: str
    last_day: str


def deputies_from(store: Store, size: int, day: date) -> dict[str, list[Deputy]]:
    """Return those who stand in on a day in Prague or later, by person and in their order."""
    return standing(store.rows(NAMED, size=size), day)


def standing(rows: Iterable[Mapping[str, str]], day: date) -> dict[str, list[Deputy]]:
    """Return who stands in on a day or later, by the facts of events in their order."""
    found: dict[str, list[Deputy]] = {}
    for row in rows:
        named = Deputy(row["deputy"], row["first_day"], row["last_day"])
        others = [part for one in found.get(row["absent"], ()) for part in _without(one, named)]
        found[row["absent"]] = sorted([*others, named], key=lambda one: one.first_day)
    ending_later = {
        person: [one for one in deputies if one.deputy and one.last_day >= day.isoformat()]
        for person, deputies in found.items()
    }
    return {person: deputies for person, deputies in ending_later.items() if deputies}


def _without(one: Deputy, later: Deputy) -> Iterator[Deputy]:
    """Yield the parts of the days of a deputy that a later event leaves."""
    if one.first_day < later.first_day:
        before = str(date.fromisoformat(later.first_day) - A_DAY)
        yield one._replace(last_day=min(one.last_day, before))
    if one.last_day > later.last_day:
        behind = str(date.fromisoformat(later.last_day) + A_DAY)
        yield one._replace(first_day=max(one.first_day, behind))


def deputies_on(store: Store, size: int, day: date) -> dict[str, Deputy]:
    """Return the deputies of a day in Prague, by person."""
    return first_on(deputies_from(store, size, day), day)


def first_on(standing_in: Mapping[str, list[Deputy]], day: date) -> dict[str, Deputy]:
    """Return the deputies of a day, by person, of those that stand in on that day or later."""
    return {
        person: deputies[0]
        for person, deputies in standing_in.items()
        if deputies[0].first_day <= day.isoformat()
    }


def with_deputy(person: str, deputies: Mapping[str, Deputy]) -> tuple[str, ...]:
    """Return those who handle what is assigned to a person."""
    deputy = deputies.get(person)
    return (person,) if deputy is None else (person, deputy.deputy)
