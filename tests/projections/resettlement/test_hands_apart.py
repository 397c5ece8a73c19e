"""Hands and tournaments are followed apart from the write side.

Lawful evenings are followed alike by both; a write side with a fault in how it follows a hand or a
tournament records what the read side finds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from ledger.decisions.hands import play
from ledger.events import event_types as e
from ledger.log.memory import MemoryLog
from ledger.log.port import events_at
from ledger.rules.operator import shipped_rules
from ledger.state import hand as hand_state
from ledger.state import hand_record, tournament_record
from ledger.state.hand_turn import to_act
from projections.checks.hands import check_hand
from projections.checks.tournaments import check_tournament, tournament_histories_in
from projections.resettlement.hand import NOT_BETTING, PokerHand
from projections.resettlement.hand_settlement import outcome_of, settle_hand
from projections.resettlement.hands import hand_in
from projections.store.events import EventAt
from projections.store.operator import PublishedRules
from tests.projections.hand_cases import PokerRoom
from tests.projections.history_cases import Casino
from tools.simulator import CARD_ROOM, create, run

if TYPE_CHECKING:
    from pathlib import Path

    from ledger.log.port import Log
    from ledger.state.hand import HandState

PUBLISHED = PublishedRules((0,), (0,), (shipped_rules()["sazka"],), ("",))
HANDS = 12


def rounds_in(log: Log) -> dict[str, list[EventAt[Any]]]:
    found: dict[str, list[EventAt[Any]]] = {}
    for one in events_at(log, range(log.head().size)):
        if name := getattr(one.event, "round", ""):
            at = EventAt(one.position, one.envelope.recorded_at, one.event)
            found.setdefault(name, []).append(at)
    return {name: events for name, events in found.items() if hand_in(events)}


def test_both_sides_follow_lawful_hands_alike(tmp_path: Path) -> None:
    log = MemoryLog()
    ledger = create(log, tmp_path / "keys", seed=7)
    run(ledger, seed=7, hours=0.5, players=40, dealt=(), card_room=list(CARD_ROOM))
    settled = 0
    for events in rounds_in(log).values():
        ours, theirs = follow_both(events)
        if not any(isinstance(at.event, e.RoundResulted) for at in events):
            continue
        settled += 1
        assert outcome_of(ours) == hand_record.outcome_of(theirs)
        one, other = settle_hand(ours), hand_record.settle(theirs)
        assert [(pot.stakes, pot.due, pot.winners) for pot in one.pots] == [
            (pot.stakes, pot.due, pot.winners) for pot in other.pots
        ]
        assert (one.uncalled, one.rake) == (other.uncalled, other.rake)
        if one.points is not None and other.points is not None:
            assert one.points.amounts == other.points.amounts
    ledger.close()
    assert settled > HANDS


def follow_both(events: list[EventAt[Any]]) -> tuple[PokerHand, HandState]:
    """Follow one hand by both sides, and compare whose turn it is before each action."""
    ours: PokerHand | None = None
    theirs: HandState | None = None
    for at in events:
        if ours is None:
            ours = PokerHand(at.event) if isinstance(at.event, e.HandStarted) else None
        elif isinstance(at.event, e.RoundResulted):
            break
        else:
            if isinstance(at.event, e.HandAction) and at.event.action not in NOT_BETTING:
                assert theirs is not None
                assert ours.to_act() == to_act(theirs) == at.event.account
            ours.follow(at.event)
        theirs = hand_state.fold(theirs, at.event)
    assert ours is not None
    assert theirs is not None
    return ours, theirs


def odd_chip_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    share_out = hand_record.share_out

    def losing(haler: int, winners: list[str], unit: int) -> dict[str, int]:
        return {name: share - unit for name, share in share_out(haler, winners, unit).items()}

    monkeypatch.setattr(hand_record, "share_out", losing)


def cards_exchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome_of = hand_record.outcome_of

    def exchanged(hand: HandState) -> dict[str, Any]:
        outcome = outcome_of(hand)
        hands = outcome["hands"]
        return outcome | {"hands": hands | {"a": hands["b"], "b": hands["a"]}}

    monkeypatch.setattr(hand_record, "outcome_of", exchanged)


def turns_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play, "_fault_of_turn", lambda *_: None)


def places_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    places_of = tournament_record.places_of
    monkeypatch.setattr(tournament_record, "places_of", lambda state: places_of(state)[::-1])


FAULTS = {
    odd_chip_lost: "DUE_WRONG",
    cards_exchanged: "DUE_WRONG",
    turns_not_kept: "ACTION_OUT_OF_TURN",
    places_reversed: "PRIZE_WRONG",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda one: one.__name__)
def test_a_fault_of_the_write_side_is_found(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fault: Any
) -> None:
    assert FAULTS[fault] not in codes_of(tmp_path / "right")
    fault(monkeypatch)
    assert FAULTS[fault] in codes_of(tmp_path / "wrong")


def codes_of(folder: Path) -> set[str]:
    """Play a hand and a tournament; return the codes of what is found."""
    casino = Casino(folder)
    room, log = PokerRoom(casino), casino.log
    room.play("h")
    room.tournament()
    room.start("o")
    casino.do("act_in_hand", round="o", account="c", action="check", amount=0)
    hands = rounds_in(log).values()
    found = [
        one
        for events in hands
        if (history := hand_in(events))
        for one in check_hand(history, {}).findings
    ]
    events = [
        EventAt(one.position, one.envelope.recorded_at, one.event)
        for one in events_at(log, range(log.head().size))
        if getattr(one.event, "tournament", "")
    ]
    for history in tournament_histories_in(events):
        found += check_tournament(history, PUBLISHED)
    casino.close()
    return {one.code for one in found}
