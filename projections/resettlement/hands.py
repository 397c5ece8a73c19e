"""Hands among players, followed event by event in the order of the chain.

What comes in: typed events, of all hands from their tables or of one round. What goes out: courses
of hands with what was recorded of their settlement. The fold is that of the write side; what is
due is never believed but derived again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ledger.core import events as e
from ledger.state.hand import HandState
from ledger.state.hand import fold as fold_hand
from projections.store.events import EventAt, read_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from projections.store.tables import Store

__all__ = ["HandCourse", "hand_in", "hands"]

OF_A_HAND = "round IN (SELECT round FROM HandStarted WHERE position < {end:Int64})"
HAND_EVENTS = {
    "HandStarted": "",
    "HandAction": "",
    "CardDealt": OF_A_HAND,
    "CardRevealed": OF_A_HAND,
    "CardRecordCorrected": OF_A_HAND,
    "HandsSet": "",
    "RoundResulted": OF_A_HAND,
    "RoundVoided": OF_A_HAND,
    "MisdealDeclared": "",
    "UncalledReturned": "",
    "PotAwarded": "",
    "PointsSettled": "",
    "RakeTaken": "",
}
"""Event types of hands; of those that other rounds have too, only the hands' own are read."""


@dataclass(slots=True)
class HandCourse:
    """One hand so far: its facts, and what was recorded of its end.

    ``late`` are actions with money after the end.
    """

    round: str
    hand: HandState | None = None
    sets: list[EventAt[e.HandsSet]] = field(default_factory=list)
    resulted: EventAt[e.RoundResulted] | None = None
    voided: EventAt[e.RoundVoided] | None = None
    misdeal: EventAt[e.MisdealDeclared] | None = None
    late: list[EventAt[e.HandAction]] = field(default_factory=list)
    uncalled: list[EventAt[e.UncalledReturned]] = field(default_factory=list)
    pots: list[EventAt[e.PotAwarded]] = field(default_factory=list)
    points: list[EventAt[e.PointsSettled]] = field(default_factory=list)
    rake: list[EventAt[e.RakeTaken]] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Has the hand a result or a void?"""
        return (self.resulted or self.voided or self.misdeal) is not None


def hands(
    store: Store, size: int, *, since: int = 0, rounds: Collection[str] = ()
) -> Iterator[HandCourse]:
    """Follow all hands below a position; return each when it is over and settled.

    With ``since``, those that begin there or later, and of those from before the ones that
    ``rounds`` names.
    What belongs to the end of a hand stands in one decision; a hand is given at the end of a step
    that lies behind that decision, or at the end.
    """
    if not store.value("SELECT count() FROM HandStarted WHERE position < {size:Int64}", size=size):
        return
    running: dict[str, HandCourse] = {}
    for end, events in read_steps(store, HAND_EVENTS, size=size, since=since, rounds=rounds):
        for at in events:
            course = running.get(at.event.round)
            if course is None:
                course = running[at.event.round] = HandCourse(at.event.round)
            _follow(course, at)
        over = [name for name, course in running.items() if _is_behind(course, end)]
        yield from (running.pop(name) for name in over)
    yield from running.values()


DECISION_MAX = 4_096
"""Positions behind a result within which its pots stand, with room."""


def _is_behind(course: HandCourse, end: int) -> bool:
    last = course.resulted or course.voided or course.misdeal
    return last is not None and last.position + DECISION_MAX < end


def hand_in(events: Iterable[EventAt[Any]]) -> HandCourse | None:
    """Follow the hand of one round through its events, if it is one."""
    course = None
    for at in events:
        if at.event.type in HAND_EVENTS:
            course = course or HandCourse(at.event.round)
            _follow(course, at)
    return course if course is not None and course.hand is not None else None


def _follow(course: HandCourse, at: EventAt[Any]) -> None:
    """Move the course of a hand forward by one of its events."""
    match at.event:
        case e.HandAction(amount=amount) if amount and (course.is_over or course.hand is None):
            course.late.append(at)
        case e.HandsSet():
            course.sets.append(at)
        case e.RoundResulted():
            course.resulted = course.resulted or at
        case e.RoundVoided():
            course.voided = course.voided or at
        case e.MisdealDeclared():
            course.misdeal = course.misdeal or at
        case e.UncalledReturned():
            course.uncalled.append(at)
        case e.PotAwarded():
            course.pots.append(at)
        case e.PointsSettled():
            course.points.append(at)
        case e.RakeTaken():
            course.rake.append(at)
    if course.hand is None or not course.is_over:
        course.hand = fold_hand(course.hand, at.event)
