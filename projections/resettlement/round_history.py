"""Replay rounds event by event in the order of the chain, independently of the write side.

What comes in: typed events, of all rounds from their tables or of one round. What goes out: the
input for settling the round again. The fold never rejects an event: the log records what happened.
It does not share code with the fold of the write side (``ledger.state.round``), so that a
difference between both reveals an error.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple, assert_never, get_args

from ledger import games
from ledger.core.phrases import Phrase
from ledger.events import event_types as e
from projections.resettlement.cards import OfTheCards, follow_card
from projections.resettlement.late_facts import last_late_facts
from projections.store.events import EventAt, read_steps

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from projections.store.tables import Store

__all__ = [
    "STUDIO_FACTS",
    "AdditionalWager",
    "BetHistory",
    "LateMovement",
    "OfTheWheel",
    "RoundHistory",
    "action_of",
    "replay_round",
    "replay_rounds",
    "round_of_last_spin",
]

OfOneBet = e.BetConcluded | e.BetVoided | e.BetSettled | e.BetWithdrawn | e.BetReturned
OfTheWheel = e.WheelSpun | e.SpinDeclaredInvalid | e.BallLanded | e.WheelStopped
OfTheWhole = e.RoundOpened | e.RoundReconstructed | e.RulingGiven | e.RoundResulted | e.RoundVoided
OfTheTable = e.ChipsLaid | e.BetImprisoned | e.PrisonDecided | e.BoxOwned
RoundEvent = (
    e.BetPlaced | OfOneBet | OfTheCards | e.PlayerDecided | OfTheWheel | OfTheWhole | OfTheTable
)
ROUND_EVENTS: tuple[type[e.Event], ...] = get_args(RoundEvent)
StudioFact = OfTheCards | OfTheWheel | e.PlayerDecided
STUDIO_FACTS: tuple[type[e.Event], ...] = get_args(StudioFact)
SPIN = Phrase("THE_SPIN")
BEGINS = (e.RoundOpened, e.BetPlaced, e.BetConcluded, e.RoundResulted, e.WheelSpun)
"""Events that start the history of an unknown round."""


@dataclass(slots=True)
class BetHistory:
    """One bet of a round: its placement, its end, and the event that returned it (``back``).

    ``chip`` is the value of one chip of the stake in haléř, ``imprisoned`` that of the chips that
    wait for the next spin; 0 if not recorded.
    """

    placed: e.BetPlaced
    is_given_back: bool = False
    is_concluded: bool = False
    is_voided: bool = False
    back: e.BetVoided | e.BetReturned | None = None
    settled: e.BetSettled | None = None
    settled_position: int = 0
    chip: int = 0
    imprisoned: int = 0


class LateMovement(NamedTuple):
    """Chips that moved after the number or a card of the round was known.

    ``amount`` is haléř, ``how`` the code of the phrase that describes the movement.
    """

    position: int
    account: str
    bet: str
    amount: int
    how: str


class AdditionalWager(NamedTuple):
    """An action that adds a stake, with the actions and the cards before it."""

    position: int
    action: games.Action
    before: tuple[games.Action, ...]
    cards: tuple[games.RecordedCard, ...]
    owners: dict[str, str]


@dataclass(slots=True)
class RoundHistory:
    """State of one round after the events so far.

    ``in_play`` counts concluded bets without settlement or void. ``spin`` is the state of the last
    spin (none, running, landed or invalid), ``turned`` the direction of its wheel,
    ``turned_before`` the direction in the table's previous valid spin, ``invalid_for`` the causes
    of invalid spins, ``next_number`` the number of the spin that decided imprisoned chips.
    ``owners`` are the players who decide for boxes of several players. ``cards`` (in the order of
    dealing) and ``actions`` are those before the result, ``additional`` the actions among them that
    add a stake, ``ruled_position`` the position of the last ruling before it. ``doubts`` describe
    contradictory records up to the result, ``late`` are facts of the studio after it; ``known`` are
    chips that moved too late.
    """

    round: str
    game: str = ""
    plan_version: str = ""
    table: str = ""
    is_streamed: bool = False
    closes_before_spin: bool = False
    opened_position: int = 0
    opened_at: int = 0
    bets: dict[str, BetHistory] = field(default_factory=dict)
    in_play: int = 0
    spin: str = "none"
    spin_position: int = 0
    turns: int = 0
    one_direction: bool = False
    turned: str = ""
    turned_before: str = ""
    invalid_for: set[str] = field(default_factory=set)
    number: int | None = None
    next_number: int | None = None
    owners: dict[str, str] = field(default_factory=dict)
    is_reconstructed: bool = False
    ruled_position: int = 0
    is_voided: bool = False
    resulted_position: int = 0
    outcome: str = ""
    landed: tuple[str, int | None] = ("none", None)
    stopped_at: str | None = None
    cards: dict[int, games.RecordedCard] = field(default_factory=dict)
    actions: list[games.Action] = field(default_factory=list)
    additional: list[AdditionalWager] = field(default_factory=list)
    doubts: set[Phrase] = field(default_factory=set)
    late: list[EventAt[StudioFact]] = field(default_factory=list)
    known: list[LateMovement] = field(default_factory=list)

    def take_result(self, position: int, outcome: str) -> None:
        """Take a result (JSON) for that of the round, with where the ball lies at that moment."""
        self.resulted_position, self.outcome = position, outcome
        self.landed = (self.spin, self.number)

    @property
    def is_finished(self) -> bool:
        """Return whether the round is void, or has a result and no open bets."""
        return self.is_voided or bool(self.resulted_position and self.in_play <= 0)

    @property
    def is_known(self) -> bool:
        """Return whether a part of the result is visible already: the number, or a dealt card."""
        return not self.resulted_position and (
            self.spin == "landed"
            or any(card.card and card.recipient != games.BURN for card in self.cards.values())
        )

    @property
    def is_spun_early(self) -> bool:
        """Return whether the wheel is spinning or landed, if bets close before the spin."""
        return self.closes_before_spin and self.spin in {"running", "landed"}

    @property
    def has_voided(self) -> bool:
        """Return whether any bet of the round was voided individually."""
        return any(bet.is_voided for bet in self.bets.values())


def replay_rounds(
    store: Store, size: int, *, since: int = 0, rounds: Collection[str] = ()
) -> Iterator[RoundHistory]:
    """Replay all rounds below a position; yield each one with a result once no bet is open.

    A round with facts of the studio after its result is yielded with the last of them; rounds that
    still have open bets are yielded at the end. With ``since``, only the rounds that begin at that
    position or later, and of the earlier ones those in ``rounds``.
    """
    kinds = [kind.__name__ for kind in STUDIO_FACTS]
    rounds_so_far = _Rounds(last_late_facts(store, kinds, size=size, since=since, rounds=rounds))
    wanted = dict.fromkeys((kind.__name__ for kind in ROUND_EVENTS), "")
    for _, events in read_steps(store, wanted, size=size, since=since, rounds=rounds):
        for at in events:
            history = rounds_so_far.take(at)
            if history is not None and history.resulted_position:
                yield history
    running = rounds_so_far.running.values()
    yield from (history for history in running if history.resulted_position)


def round_of_last_spin(events: Iterable[EventAt[Any]]) -> str:
    """Return the round of the last valid spin with a result; empty if there is none.

    A round name that was used again is handled as in :func:`replay_rounds`.
    """
    late, resulted, events = dict[str, int](), set[str](), list(events)
    for at in events:
        if isinstance(at.event, e.RoundResulted):
            resulted.add(at.event.round)
        elif isinstance(at.event, StudioFact) and at.event.round in resulted:
            late[at.event.round] = at.position
    rounds = _Rounds(late)
    for at in events:
        if isinstance(at.event, ROUND_EVENTS):
            rounds.take(at)
    return rounds.last_turned


class _Rounds:
    """Rounds replayed together; ``last_turned`` is that of the last valid spin with a result.

    ``late`` is the position of the last fact after the result of each round that has one.
    """

    def __init__(self, late: Mapping[str, int] | None = None) -> None:
        self.running: dict[str, RoundHistory] = {}
        self.last_turned = ""
        self._late = late or {}
        self._turned: dict[str, str] = {}

    def take(self, at: EventAt[Any]) -> RoundHistory | None:
        """Apply an event; return the round that it finished."""
        name = at.event.round
        history, over = self.running.get(name), None
        if history is not None and history.is_finished and isinstance(at.event, e.RoundOpened):
            history, over = None, history  # another round under the same name
        if history is None:
            if not isinstance(at.event, BEGINS):
                return None  # of a finished round; a view reports its violations
            history = self.running[name] = RoundHistory(name)
        _follow(history, at)
        if isinstance(at.event, e.RoundOpened):
            history.turned_before = self._turned.get(history.table, "")
        elif at.position == history.resulted_position and history.landed[0] == "landed":
            self._turned[history.table] = history.turned
            self.last_turned = name
        is_over = history.is_finished and at.position >= self._late.get(name, 0)
        return self.running.pop(name) if is_over else over


def replay_round(name: str, events: Iterable[EventAt[Any]]) -> RoundHistory:
    """Replay one round from its events; only events of banker games change anything."""
    history = RoundHistory(name)
    for at in events:
        if isinstance(at.event, ROUND_EVENTS):
            _follow(history, at)
    return history


def _follow(history: RoundHistory, at: EventAt[Any]) -> None:
    """Apply one event to the history of a round."""
    if history.resulted_position and isinstance(at.event, STUDIO_FACTS):
        history.late.append(at)
        return
    match at.event:
        case e.BetPlaced() as event:
            _place(history, at.position, event)
        case (
            e.BetConcluded()
            | e.BetVoided()
            | e.BetSettled()
            | e.BetWithdrawn()
            | e.BetReturned() as event
        ):
            _follow_bet(history, at.position, event)
        case e.CardDealt() | e.CardRevealed() | e.CardRecordCorrected() as event:
            follow_card(history.cards, history.doubts, event)
        case e.PlayerDecided() as event:
            _act(history, at.position, event)
        case e.WheelSpun() | e.SpinDeclaredInvalid() | e.BallLanded() | e.WheelStopped() as event:
            _follow_spin(history, at.position, event)
        case e.ChipsLaid() | e.BetImprisoned() | e.PrisonDecided() | e.BoxOwned() as event:
            _follow_table(history, event)
        case (
            e.RoundOpened()
            | e.RoundReconstructed()
            | e.RulingGiven()
            | e.RoundResulted()
            | e.RoundVoided() as event
        ):
            _follow_whole(history, at, event)
        case event:
            assert_never(event)


def _follow_whole(history: RoundHistory, at: EventAt[RoundEvent], event: OfTheWhole) -> None:
    match event:
        case e.RoundOpened():
            _open(history, at, event)
        case e.RoundReconstructed():
            if not history.resulted_position:
                history.is_reconstructed = event.succeeded
        case e.RulingGiven():
            if not history.resulted_position:
                history.ruled_position = at.position
        case e.RoundResulted():
            if not history.resulted_position:
                history.take_result(at.position, event.outcome)
        case e.RoundVoided():
            history.is_voided = not history.resulted_position


def _open(history: RoundHistory, at: EventAt[RoundEvent], event: e.RoundOpened) -> None:
    if not history.opened_position:
        history.game, history.plan_version = event.game, event.plan_version
        history.table, history.is_streamed = event.table, event.streamed
        history.opened_position, history.opened_at = at.position, at.recorded_at
        history.turned_before = event.wheel_turned
        history.closes_before_spin = _closes_before_spin(event)


def _closes_before_spin(event: e.RoundOpened) -> bool:
    try:
        return games.plan(event.game, event.plan_version).closes_before_spin
    except games.SettlementError:
        return False  # The check of the round reports an unknown plan.


def _follow_table(history: RoundHistory, event: OfTheTable) -> None:
    if isinstance(event, e.BoxOwned):
        history.owners = {**history.owners, event.box: event.account}
    elif isinstance(event, e.PrisonDecided):
        if history.next_number is None:
            history.next_number = event.next_number
    elif event.bet not in history.bets:
        return
    elif isinstance(event, e.BetImprisoned):
        history.bets[event.bet].imprisoned = event.chip
    else:
        history.bets[event.bet].chip = event.chip


def _place(history: RoundHistory, position: int, event: e.BetPlaced) -> None:
    history.bets.setdefault(event.bet, BetHistory(event))
    if not event.parent and (history.is_known or history.is_spun_early):
        history.known.append(
            LateMovement(position, event.account, event.bet, event.stake, "CHIPS_PLACED")
        )


def _follow_bet(history: RoundHistory, position: int, event: OfOneBet) -> None:
    bet = history.bets.get(event.bet)
    if bet is None:
        return
    is_open = bet.is_concluded and not (bet.is_voided or bet.settled)
    match event:
        case e.BetConcluded():
            if history.is_spun_early and not history.resulted_position:
                late = LateMovement(
                    position, event.account, event.bet, event.amount, "CHIPS_CONCLUDED"
                )
                history.known.append(late)
            history.in_play += not bet.is_concluded
            bet.is_concluded = True
        case e.BetVoided():
            history.in_play -= is_open
            bet.is_voided = bet.is_voided or is_open
            bet.back = bet.back or event
        case e.BetSettled():
            history.in_play -= is_open
            if bet.settled is None:
                bet.settled, bet.settled_position = event, position
        case e.BetWithdrawn() | e.BetReturned():
            if isinstance(event, e.BetWithdrawn) and (history.is_known or history.is_spun_early):
                late = LateMovement(
                    position, event.account, event.bet, event.amount, "CHIPS_TAKEN_BACK"
                )
                history.known.append(late)
            bet.is_given_back = True
            bet.back = bet.back or (event if isinstance(event, e.BetReturned) else None)
            if bet.placed.parent:
                _take_back(history, bet.placed)


def _take_back(history: RoundHistory, wager: e.BetPlaced) -> None:
    """Remove the action of an additional wager together with its chips."""
    gone = (wager.account, wager.bet_code)
    history.actions = [one for one in history.actions if (one.player, one.type) != gone]
    history.additional = [
        one for one in history.additional if (one.action.player, one.action.type) != gone
    ]


def action_of(event: e.PlayerDecided) -> games.Action:
    """Return a recorded action in the form of the games."""
    return games.recorded_action(
        event.account,
        event.decision,
        hand=event.hand,
        by=event.by,
        street=event.street,
        times=event.times,
        free=event.free,
        stake_haler=event.stake,
    )


def _act(history: RoundHistory, position: int, event: e.PlayerDecided) -> None:
    action = action_of(event)
    if action.type in games.ADDITIONAL_WAGERS:
        before, cards = tuple(history.actions), tuple(history.cards.values())
        history.additional.append(AdditionalWager(position, action, before, cards, history.owners))
    history.actions.append(action)


def _follow_spin(history: RoundHistory, position: int, event: OfTheWheel) -> None:
    moves, landed = history.spin in {"running", "landed"}, history.spin == "landed"
    match event:
        case e.WheelSpun():
            if moves:
                history.doubts.add(SPIN)
            history.spin, history.number, history.stopped_at = "running", None, None
            history.spin_position, history.turns = position, event.revolutions
            history.one_direction = event.wheel_direction == event.ball_direction
            history.turned = event.wheel_direction
        case e.SpinDeclaredInvalid():
            history.spin, history.number = "invalid", None
            history.doubts.discard(SPIN)
            history.invalid_for.add(event.cause)
        case e.BallLanded():
            if landed and history.number != event.number:
                history.doubts.add(SPIN)
            if moves:
                history.spin, history.number = "landed", event.number
        case e.WheelStopped():
            if landed and history.stopped_at != event.field:
                history.doubts.add(SPIN)
            if moves:
                history.spin, history.stopped_at = "landed", event.field
