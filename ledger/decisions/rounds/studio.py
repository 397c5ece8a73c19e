"""Studio events: cards are dealt, wheels are spun, balls and wheels come to rest.

A studio event is recorded even when it contradicts the record; the same decision also records the
contradiction. As long as the record of a card or the spin is contradictory, no result can be
recorded: the record is corrected, or the round is reconstructed or voided.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger import games
from ledger.core.phrases import Phrase, encode_parameters
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, OptionalWord

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundState

Card = Annotated[str, Meta(pattern=r"^([2-9TJQKA][CDHS])?\Z")]
FaceCard = Annotated[str, Meta(pattern=r"^[2-9TJQKA][CDHS]\Z")]
Index = Annotated[int, Meta(ge=0, le=1000)]
Direction = Literal["clockwise", "counterclockwise"]


class DealCard(Command, frozen=True):
    """Record a dealt card; ``card`` stays empty while it lies face down.

    ``recipient`` is ``dealer``, ``board`` (of all players), ``burn``, in baccarat ``player`` or
    ``banker``, else a hand such as ``1`` or ``1.2``; where all share one box ``shared``,
    ``shared.1`` …, and each card is dealt once for all. In a hand among players it is an account.
    """

    round: Id
    index: Index
    recipient: Name
    face_up: bool
    card: Card = ""


class RevealCard(Command, frozen=True):
    """Record that a face-down card was turned."""

    round: Id
    index: Index
    card: FaceCard


class CorrectCard(Command, frozen=True):
    """Correct the record of a card."""

    round: Id
    index: Index
    actual: FaceCard
    by: Name


class SpinWheel(Command, frozen=True):
    """Record that wheel and ball were set in motion; ``revolutions`` are the ball's full turns.

    A wheel of fortune has no ball: ``ball_direction`` is left out, and the turns are the wheel's.
    """

    round: Id
    wheel_direction: Direction
    revolutions: Annotated[int, Meta(ge=0, le=1000)]
    ball_direction: Direction | Literal[""] = ""


class InvalidateSpin(Command, frozen=True):
    """Declare a spin invalid; it is repeated and the bets stay.

    If the plan voids the round for the cause, nothing is spun again: ``void_round`` follows.
    """

    round: Id
    cause: Literal[
        "too_few_revolutions",
        "wrong_direction",
        "wheel_stopped",
        "ball_left_wheel",
        "foreign_object",
    ]


class LandBall(Command, frozen=True):
    """Record that the ball came to rest."""

    round: Id
    number: Annotated[int, Meta(ge=0, le=36)]


class StopWheel(Command, frozen=True):
    """Record that a wheel of fortune stopped: at a field, or between two without ``field``."""

    round: Id
    field: OptionalWord = ""


def deal_card(ledger_state: LedgerState, command: DealCard, _: int) -> list[e.Event]:
    """Decide :class:`DealCard`."""
    state = ledger_state.round(command.round)
    fact = command.as_event(e.CardDealt, shoe=ledger_state.operator_state.tables[state.table].shoe)
    if command.index in state.cards:
        return _contradiction(fact, Phrase("CARD_TWICE", number=command.index))
    if command.face_up and not command.card:
        return _contradiction(fact, Phrase("CARD_UNREAD", number=command.index))
    return _card_fact(ledger_state, state, fact, command.card)


def reveal_card(ledger_state: LedgerState, command: RevealCard, _: int) -> list[e.Event]:
    """Decide :class:`RevealCard`."""
    state = ledger_state.round(command.round)
    fact = command.as_event(e.CardRevealed)
    if command.index not in state.cards:
        return _contradiction(fact, Phrase("CARD_UNKNOWN", number=command.index))
    known = state.cards[command.index].card
    if known not in {"", command.card}:
        return _contradiction(fact, Phrase("CARD_DIFFERS", number=command.index))
    return _card_fact(ledger_state, state, fact, "" if known else command.card)


def _card_fact(
    ledger_state: LedgerState, state: RoundState, fact: e.Event, card: str
) -> list[e.Event]:
    """Return the events for a newly seen card, with a contradiction if it exists too often."""
    copies = sum(known.card == card for known in state.cards.values()) + 1
    decks = ledger_state.operator_state.tables[state.table].decks
    if not _is_too_often(card, copies, decks):
        return _studio_fact(state, fact)
    phrase = Phrase("CARD_TOO_OFTEN", card=card, count=copies, decks=decks)
    return _contradiction(fact, phrase)


def require_agreement(ledger_state: LedgerState, state: RoundState) -> None:
    """Refuse a result as long as studio events contradict each other (SAZKA 14(1)).

    Raises:
        RefusedError: RESULT_CONTRADICTS, with the contradiction and the next step.

    """
    if state.doubts:
        doubts = tuple(sorted(state.doubts, key=str))
        raise RefusedError("RESULT_CONTRADICTS", reason=Phrase("RECORD_DIFFERS", doubts=doubts))
    decks = ledger_state.operator_state.tables[state.table].decks
    cards = Counter(dealt.card for dealt in state.cards.values() if dealt.card)
    for card, copies in cards.most_common(1):
        if _is_too_often(card, copies, decks):
            reason = Phrase("CARD_TOO_OFTEN_IN_RESULT", card=card, count=copies, decks=decks)
            raise RefusedError("RESULT_CONTRADICTS", reason=reason)


def _is_too_often(card: str, copies: int, decks: int) -> bool:
    """Return whether there are more copies of a card than decks in the shoe."""
    return bool(card and decks) and copies > decks


@refuses("RESULT_STANDS")
def correct_card(ledger_state: LedgerState, command: CorrectCard, _: int) -> list[e.Event]:
    """Decide :class:`CorrectCard`."""
    state = ledger_state.round(command.round)
    if state.is_finished or state.status == "resulted":
        raise RefusedError("RESULT_STANDS")
    if command.index not in state.cards:
        fact = command.as_event(e.CardRecordCorrected, recorded="")
        return _contradiction(fact, Phrase("CARD_UNKNOWN", number=command.index))
    return [command.as_event(e.CardRecordCorrected, recorded=state.cards[command.index].card)]


def spin_wheel(ledger_state: LedgerState, command: SpinWheel, _: int) -> list[e.Event]:
    """Decide :class:`SpinWheel`; a roulette may be spun before or after the close."""
    state = ledger_state.round(command.round)
    plan = games.plan(state.game, state.plan_version)
    fact = command.as_event(e.WheelSpun)
    if state.status not in {"open", "closed"}:
        return _contradiction(fact, Phrase("ROUND_OVER", status=state.status))
    if state.spin in {"running", "landed"}:
        return _contradiction(fact, Phrase("SPIN_TWICE"))
    if state.status == "open" and plan.closes_before_spin:
        return _contradiction(fact, Phrase("BEFORE_CLOSE"))
    if plan.voiding_causes & state.invalid_for:
        return _contradiction(fact, Phrase("SPIN_NOT_VALID", reason=Phrase("NO_SPIN_ENDED_ROUND")))
    fault = plan.spin_fault(
        command.revolutions,
        against=command.ball_direction != command.wheel_direction,
        again=command.wheel_direction == state.turned_before,
    )
    if fault is None:
        return [fact]
    return _contradiction(fact, Phrase("SPIN_NOT_VALID", reason=fault))


@refuses("NO_VALID_SPIN", "RESULT_STANDS", "SPIN_IS_VALID")
def invalidate_spin(ledger_state: LedgerState, command: InvalidateSpin, _: int) -> list[e.Event]:
    """Decide :class:`InvalidateSpin`.

    A number that fell is not exchanged for another one: once the ball is at rest, neither turns nor
    directions are a cause if the recorded ones are those of a valid spin.
    """
    state = ledger_state.round(command.round)
    if state.spin not in {"running", "landed"}:
        raise RefusedError("NO_VALID_SPIN")
    if state.status not in {"open", "closed"}:
        raise RefusedError("RESULT_STANDS")
    require_invalid_spin(state, command.cause)
    return [e.SpinDeclaredInvalid(round=command.round, cause=command.cause)]


def require_invalid_spin(state: RoundState, cause: str) -> None:
    """Refuse a cause, or a ground of a void, that the record of a spin at rest contradicts.

    Once an invalid spin has ended the round, whatever was spun afterwards does not count.

    Raises:
        RefusedError: SPIN_IS_VALID.

    """
    plan = games.plan(state.game, state.plan_version)
    is_ended = bool(plan.voiding_causes & state.invalid_for)
    if (
        state.spin == "landed"
        and not is_ended
        and plan.refutes(
            cause,
            state.turns,
            against=state.against,
            again=state.turned == state.turned_before,
            stopped_at=state.stopped_at,
        )
    ):
        raise RefusedError("SPIN_IS_VALID", count=state.turns, due=plan.turns_needed)


def land_ball(ledger_state: LedgerState, command: LandBall, _: int) -> list[e.Event]:
    """Decide :class:`LandBall`."""
    state = ledger_state.round(command.round)
    fact = e.BallLanded(round=command.round, number=command.number)
    if state.spin == "none":
        return _contradiction(fact, Phrase("BALL_WITHOUT_SPIN"))
    if state.spin == "landed":
        return _contradiction(fact, Phrase("BALL_TWICE", number=state.number))
    return _studio_fact(state, fact)


def stop_wheel(ledger_state: LedgerState, command: StopWheel, _: int) -> list[e.Event]:
    """Decide :class:`StopWheel`."""
    state = ledger_state.round(command.round)
    plan = games.plan(state.game, state.plan_version)
    fact = e.WheelStopped(round=command.round, field=command.field)
    if state.spin == "none":
        return _contradiction(fact, Phrase("STOP_WITHOUT_SPIN"))
    if state.spin == "landed":
        return _contradiction(fact, Phrase("STOP_TWICE", field=state.stopped_at))
    if not command.field:
        return _contradiction(fact, Phrase("FIELD_NOT_TOLD"))
    try:
        plan.describe(command.field, None)
    except games.SettlementError:
        return _contradiction(fact, Phrase("FIELD_UNKNOWN", field=command.field))
    return _studio_fact(state, fact)


def _studio_fact(state: RoundState, fact: e.Event) -> list[e.Event]:
    if state.status == "open":
        return _contradiction(fact, Phrase("BEFORE_CLOSE"))
    if state.status != "closed":
        return _contradiction(fact, Phrase("ROUND_OVER", status=state.status))
    return [fact]


def _contradiction(fact: e.Event, phrase: Phrase) -> list[e.Event]:
    """Return an event together with the event that records its contradiction."""
    contradiction = e.ContradictionRecorded(
        round=fact.round,  # type: ignore[attr-defined]
        about=type(fact).__name__,
        code=phrase.code,
        parameters=encode_parameters(phrase.parameters),
    )
    return [fact, contradiction]
