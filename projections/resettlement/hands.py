"""Replay hands among players, event by event in the order of the chain.

What comes in: typed events, of all hands from their tables or of one round. What goes out:
histories of hands with their recorded settlement. Recorded amounts due are not trusted, but
computed again.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, get_args

from ledger.events import event_types as e
from projections.resettlement.cards import OfTheCards
from projections.resettlement.hand import PokerHand
from projections.resettlement.late_facts import last_late_facts
from projections.store.events import EventAt, read_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from projections.store.tables import Store

__all__ = ["HandHistory", "hand_in", "replay_finished_hands"]

OF_A_HAND = "round IN (SELECT round FROM HandStarted WHERE position < {end:Int64})"
HAND_EVENTS = {
    "HandStarted": "",
    "HandAction": "",
    "CardDealt": OF_A_HAND,
    "CardRevealed": OF_A_HAND,
    "CardRecordCorrected": OF_A_HAND,
    "HandsSet": "",
    "CardsPlaced": "",
    "RoundResulted": OF_A_HAND,
    "RoundVoided": OF_A_HAND,
    "MisdealDeclared": "",
    "UncalledReturned": "",
    "PotAwarded": "",
    "PointsSettled": "",
    "RakeTaken": "",
}
"""Event types of hands; of those shared with other rounds, only the hands' own are read."""
PlayFact = OfTheCards | e.HandAction | e.HandsSet | e.CardsPlaced
PLAY_FACTS: tuple[type[e.Event], ...] = get_args(PlayFact)


@dataclass(slots=True)
class HandHistory:
    """One hand and the record of its end.

    ``late`` are actions with money after the end, ``behind`` all other facts of the play after the
    result, ``out_of_turn`` the actions of a player whose turn it was not, ``shown_early`` those of
    a player who showed before another one had to. ``over_limit`` are bets that break ``limit``,
    which the tournament announced, each with the reason.
    """

    round: str
    limit: str = ""
    hand: PokerHand | None = None
    sets: list[EventAt[e.HandsSet]] = field(default_factory=list)
    resulted: EventAt[e.RoundResulted] | None = None
    voided: EventAt[e.RoundVoided] | None = None
    misdeal: EventAt[e.MisdealDeclared] | None = None
    late: list[EventAt[e.HandAction]] = field(default_factory=list)
    behind: list[EventAt[PlayFact]] = field(default_factory=list)
    out_of_turn: list[EventAt[e.HandAction]] = field(default_factory=list)
    shown_early: list[EventAt[e.HandAction]] = field(default_factory=list)
    over_limit: list[EventAt[e.HandAction]] = field(default_factory=list)
    uncalled: list[EventAt[e.UncalledReturned]] = field(default_factory=list)
    pots: list[EventAt[e.PotAwarded]] = field(default_factory=list)
    points: list[EventAt[e.PointsSettled]] = field(default_factory=list)
    rake: list[EventAt[e.RakeTaken]] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Return whether the hand has a result or a void."""
        return (self.resulted or self.voided or self.misdeal) is not None


def replay_finished_hands(
    store: Store, size: int, *, since: int = 0, rounds: Collection[str] = ()
) -> Iterator[HandHistory]:
    """Replay the hands below a position; yield each one when it is finished and settled.

    With ``since``, only the hands that begin at that position or later, and of the earlier ones
    those in ``rounds``. All events that end a hand are in one decision; the hand is yielded at the
    end of a step after that decision and after its last event, or at the end.
    """
    if not store.value("SELECT count() FROM HandStarted WHERE position < {size:Int64}", size=size):
        return
    running: dict[str, HandHistory] = {}
    late = last_late_facts(
        store, HAND_EVENTS, size=size, since=since, rounds=rounds, behind=DECISION_MAX
    )
    limits = {
        row["tournament"]: row["limit"]
        for row in store.rows(
            "SELECT tournament, limit FROM TournamentAnnounced WHERE position < {size:Int64}",
            size=size,
        )
    }
    for end, events in read_steps(store, HAND_EVENTS, size=size, since=since, rounds=rounds):
        for at in events:
            history = running.get(at.event.round)
            if history is None:
                history = running[at.event.round] = HandHistory(at.event.round)
            if isinstance(at.event, e.HandStarted):
                history.limit = limits.get(at.event.tournament, "")
            _follow(history, at)
        over = [
            name
            for name, history in running.items()
            if _is_behind(history, end) and late.get(name, 0) < end
        ]
        yield from (running.pop(name) for name in over)
    yield from running.values()


DECISION_MAX = 4_096
"""Number of positions after a result that surely contain its pots."""


def _is_behind(history: HandHistory, end: int) -> bool:
    last = history.resulted or history.voided or history.misdeal
    return last is not None and last.position + DECISION_MAX < end


def hand_in(events: Iterable[EventAt[Any]]) -> HandHistory | None:
    """Replay the hand of one round from its events; None if the round is not a hand."""
    history = None
    for at in events:
        if at.event.type in HAND_EVENTS:
            history = history or HandHistory(at.event.round)
            _follow(history, at)
    return history if history is not None and history.hand is not None else None


def _act(history: HandHistory, at: EventAt[e.HandAction]) -> None:
    """Record an action that is out of place."""
    act, hand = at.event, history.hand
    if act.amount and (history.is_over or hand is None):
        history.late.append(at)
    elif hand is not None:
        if hand.is_out_of_turn(act):
            history.out_of_turn.append(at)
        if hand.is_shown_before_another(act):
            history.shown_early.append(at)
        if hand.is_over_limit(act, history.limit):
            history.over_limit.append(at)


def _follow(history: HandHistory, at: EventAt[Any]) -> None:
    """Apply one event to the history of a hand."""
    match at.event:
        case e.HandAction():
            _act(history, at)
        case e.HandsSet():
            history.sets.append(at)
        case e.RoundResulted():
            history.resulted = history.resulted or at
        case e.RoundVoided():
            history.voided = history.voided or at
        case e.MisdealDeclared():
            history.misdeal = history.misdeal or at
        case e.UncalledReturned():
            history.uncalled.append(at)
        case e.PotAwarded():
            history.pots.append(at)
        case e.PointsSettled():
            history.points.append(at)
        case e.RakeTaken():
            history.rake.append(at)
    if history.hand is None:
        history.hand = PokerHand(at.event) if isinstance(at.event, e.HandStarted) else None
    elif not history.is_over:
        history.hand.follow(at.event)
    elif history.resulted is not None and isinstance(at.event, PLAY_FACTS):
        history.behind.append(at)
