# settled = true
#
# [RESULT_ON_CONTRADICTION]
# name.en = "Result on a record that says two things"
# name.cs = "Výsledek podle záznamu, který si odporuje"
# text.en = "The result rests on a record that says two things: {detail:phrases}."
# text.cs = "Výsledek vychází ze záznamu, který si odporuje: {detail}."

"""Find facts that came after the result of their round and contradict it.

What comes in: rounds and hands with a result. What goes out: one finding a round, at the first such
fact. A fact that repeats the record, or that agrees with the result, is none; nor is a card burnt
afterwards. Nothing here relies on a recorded contradiction, so a fact that did not pass the write
side is judged in the same way.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.findings.finding import DetectedFinding
from projections.resettlement.cards import OfTheCards
from projections.resettlement.faults import fault_of
from projections.resettlement.late_facts import card_contradictions
from projections.resettlement.round_history import action_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from projections.resettlement.hand import PokerHand
    from projections.resettlement.hands import HandHistory
    from projections.resettlement.round_history import OfTheWheel, RoundHistory
    from projections.resettlement.settle import PlayedRound

__all__ = ["late_facts_of_hand", "late_facts_of_round", "unseen_fields"]

SHOW = "show"


def late_facts_of_round(history: RoundHistory, played: PlayedRound) -> Iterator[DetectedFinding]:
    """Find facts of the studio that came after the result and contradict it."""
    try:
        document = json.loads(history.outcome)
    except (ValueError, RecursionError):
        document = None
    result = document if isinstance(document, dict) else {}
    cards, first = dict(history.cards), 0
    of_cards, others = set[Phrase](), set[Phrase]()
    for at in history.late:
        if isinstance(at.event, OfTheCards):
            new = card_contradictions(cards, at.event)
            of_cards |= new
        else:
            new = _contradicts(history, result, at.event)
            others |= new
        first = first or (at.position if new else 0)
    if cards != history.cards:
        facts = dataclasses.replace(played.facts, cards=tuple(cards.values()))
        before = dict(unseen_fields(history, played, result))
        after = dict(unseen_fields(history, dataclasses.replace(played, facts=facts), result))
        if history.is_reconstructed and not after:
            of_cards = set()  # the record was wrong, and the reconstructed result is right
        elif not of_cards:
            of_cards = {what for name, what in after.items() if before.get(name) != what}
    if doubts := of_cards | others:
        yield _finding(history.round, first or history.late[0].position, doubts)


def _contradicts(
    history: RoundHistory, result: Mapping[str, object], event: OfTheWheel | e.PlayerDecided
) -> set[Phrase]:
    """Return what a spin, a ball, a stop or an action contradicts that came after the result."""
    spin, landed = history.landed
    match event:
        case e.BallLanded():
            agrees = event.number in {result.get("number", landed), landed}
            what = Phrase("BALL_ON", number=event.number)
        case e.WheelStopped():
            agrees = event.field in {result.get("field", history.stopped_at), history.stopped_at}
            what = Phrase("WHEEL_AT", field=event.field)
        case e.WheelSpun():
            same_way = event.wheel_direction == event.ball_direction
            spun = (history.turns, history.turned, history.one_direction)
            agrees = spun == (event.revolutions, event.wheel_direction, same_way)
            what = Phrase("THE_SPIN")
        case e.SpinDeclaredInvalid():
            agrees = spin not in {"running", "landed"}
            what = Phrase("THE_SPIN")
        case e.PlayerDecided():
            agrees = action_of(event) in history.actions
            what = Phrase("ACTION_OF_PLAYER", player=event.account)
    return set() if agrees else {what}


def late_facts_of_hand(history: HandHistory, hand: PokerHand) -> Iterator[DetectedFinding]:
    """Find facts of the play that came after the result and contradict it."""
    doubts, first, cards = set[Phrase](), 0, dict(hand.cards)
    for position, _, event in history.behind:
        match event:
            case e.HandAction():
                is_shown = event.action == SHOW or event.amount  # money is a finding of its own
                new = set() if is_shown else {_by("ACTION_OF_PLAYER", event)}
            case e.HandsSet():
                agrees = hand.sets.get(event.account) == event
                new = set() if agrees else {_by("ROWS_OF_PLAYER", event)}
            case e.CardsPlaced():
                agrees = event in hand.placements.get(event.account, ())
                new = set() if agrees else {_by("ROWS_OF_PLAYER", event)}
            case _:
                new = card_contradictions(cards, event)
        first, doubts = first or (position if new else 0), doubts | new
    if doubts:
        yield _finding(history.round, first, doubts)


def _by(code: str, event: e.HandAction | e.HandsSet | e.CardsPlaced) -> Phrase:
    return Phrase(code, player=event.account)


def unseen_fields(
    history: RoundHistory, played: PlayedRound, document: dict[str, object]
) -> Iterator[tuple[str, Phrase]]:
    """Compare the recorded outcome with that shown by the cards or the wheel, field by field."""
    plan, facts = played.plan, played.facts
    if history.has_voided:
        document = plan.outcome_for(document, facts.wagers)
    try:
        seen = plan.outcome_from_facts(facts)
    except games.SettlementError as error:
        yield "", fault_of(error)
        return
    if seen is None:
        return
    left_out = (plan.unseen_fields - seen.keys()) | (plan.optional_fields - document.keys())
    for name in sorted((seen.keys() | document.keys()) - left_out):
        if document.get(name) != seen.get(name):
            recorded, right = str(document.get(name)), str(seen.get(name))
            yield name, Phrase("FIELD_AGAINST", field=name, recorded=recorded, right=right)


def _finding(name: str, position: int, doubts: set[Phrase]) -> DetectedFinding:
    return DetectedFinding(
        "RESULT_ON_CONTRADICTION",
        position=position,
        round=name,
        detail=tuple(Phrase("AFTER_RESULT", what=what) for what in sorted(doubts, key=str)),
        about="after the result",
    )
