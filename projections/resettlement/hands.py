"""Hands among players, followed event by event in the order of the chain.

What comes in: rows of the event tables, or facts of one round. What goes out: courses of
hands with what was recorded of their settlement. The fold is that of the write side; what is
due is never believed but derived again (``_poker_judgement``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import schemas
from ledger.core import events as e
from ledger.state.hand import HandState
from ledger.state.hand import fold as fold_hand

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from projections.store.tables import Store

__all__ = ["HandCourse", "Placed", "event_of", "events_of", "follow", "hands", "hands_in"]

STEP = 50_000
"""Positions that are read at once."""
OF_HANDS = (
    "HandStarted",
    "HandAction",
    "CardDealt",
    "CardRevealed",
    "CardRecordCorrected",
    "HandsSet",
    "RoundResulted",
    "RoundVoided",
    "MisdealDeclared",
    "UncalledReturned",
    "PotAwarded",
    "PointsSettled",
    "RakeTaken",
)
CARDS = frozenset(
    {"CardDealt", "CardRevealed", "CardRecordCorrected", "RoundResulted", "RoundVoided"}
)
"""Events that other rounds have too."""


class Placed(NamedTuple):
    """An event with its position in the chain."""

    position: int
    event: Any


@dataclass(slots=True)
class HandCourse:
    """One hand so far: its facts, and what was recorded of its end.

    ``late`` are actions with money after the end.
    """

    round: str
    hand: HandState | None = None
    started_position: int = 0
    sets: list[Placed] = field(default_factory=list)
    resulted: Placed | None = None
    voided: Placed | None = None
    misdeal: Placed | None = None
    late: list[Placed] = field(default_factory=list)
    uncalled: list[Placed] = field(default_factory=list)
    pots: list[Placed] = field(default_factory=list)
    points: list[Placed] = field(default_factory=list)
    rake: list[Placed] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Has the hand a result or a void?"""
        return (self.resulted or self.voided or self.misdeal) is not None


def follow(course: HandCourse, position: int, event: e.Event) -> None:
    """Move the course of a hand forward by one of its events."""
    match event:
        case e.HandStarted():
            if course.hand is None:
                course.started_position = position
        case e.HandsSet():
            course.sets.append(Placed(position, event))
        case e.RoundResulted():
            course.resulted = course.resulted or Placed(position, event)
        case e.HandAction() if event.amount and (course.is_over or course.hand is None):
            course.late.append(Placed(position, event))
        case e.RoundVoided():
            course.voided = course.voided or Placed(position, event)
        case e.MisdealDeclared():
            course.misdeal = course.misdeal or Placed(position, event)
        case e.UncalledReturned():
            course.uncalled.append(Placed(position, event))
        case e.PotAwarded():
            course.pots.append(Placed(position, event))
        case e.PointsSettled():
            course.points.append(Placed(position, event))
        case e.RakeTaken():
            course.rake.append(Placed(position, event))
    if course.hand is None or not course.is_over:
        course.hand = fold_hand(course.hand, event)


def event_of(name: str, facts: Mapping[str, Any]) -> e.Event:
    """Make an event of a row of its table."""
    fields = {column: facts[column] for column in _columns(name)}
    return e.EVENTS[name](
        **{
            column: tuple(value) if isinstance(value, list) else value
            for column, value in fields.items()
        }
    )


@cache
def _columns(name: str) -> tuple[str, ...]:
    return tuple(fact["name"] for fact in schemas.newest()[name].facts)


def events_of(
    store: Store, names: Iterable[str], first: int, end: int, *, only: str = ""
) -> list[Placed]:
    """Read events of some types from a position to another, in the order of the chain.

    Args:
        store: the tables.
        names: event types.
        first: first position.
        end: position behind the last one.
        only: of types that other rounds have too, only those of hands among players.

    """
    found: list[Placed] = []
    for name in names:
        columns = ", ".join(f"`{column}`" for column in _columns(name))
        condition = only if name in CARDS else ""
        rows = store.rows(
            f"SELECT position, {columns} FROM {name} "  # noqa: S608 - own names
            f"WHERE position >= {{first:Int64}} AND position < {{end:Int64}} {condition}",
            first=first,
            end=end,
        )
        found += [Placed(row["position"], event_of(name, row)) for row in rows]
    found.sort(key=lambda placed: placed.position)
    return found


ONLY_HANDS = "AND round IN (SELECT round FROM HandStarted WHERE position < {end:Int64})"


def hands(store: Store, size: int) -> Iterator[HandCourse]:
    """Follow all hands below a position; give each when it is over and settled.

    What belongs to the end of a hand stands in one decision; a hand is given when the next
    one begins at the end of a step, or at the end.
    """
    if not store.value("SELECT count() FROM HandStarted WHERE position < {size:Int64}", size=size):
        return
    running: dict[str, HandCourse] = {}
    for first in range(0, size, STEP):
        end = min(first + STEP, size)
        for position, event in events_of(store, OF_HANDS, first, end, only=ONLY_HANDS):
            course = running.get(event.round)
            if course is None:
                course = running[event.round] = HandCourse(event.round)
            follow(course, position, event)
        over = [name for name, course in running.items() if _is_behind(course, end)]
        yield from (running.pop(name) for name in over)
    yield from running.values()


DECISION_MAX = 4_096
"""Positions behind a result within which its pots stand, with room."""


def _is_behind(course: HandCourse, end: int) -> bool:
    last = course.resulted or course.voided or course.misdeal
    return last is not None and last.position + DECISION_MAX < end


def hands_in(facts: Iterable[tuple[int, str, Mapping[str, Any]]], name: str) -> HandCourse | None:
    """Follow the hand of one round from its facts (position, event type, fields), if it is one."""
    course = HandCourse(name)
    for position, event, fields in facts:
        if event in OF_HANDS:
            follow(course, position, event_of(event, fields))
    return course if course.hand is not None else None
