"""The course of a round: opening, seats, connections, and what happens in the studio.

A studio fact is recorded even when it contradicts the record; the contradiction stands
beside it in the same decision, and the round can be reconstructed or voided.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger import events as e
from ledger import games
from ledger.command import Command, Id, Text
from ledger.errors import InputError
from ledger.games.roulette import RoulettePlan
from ledger.house.setup import open_table_of
from ledger.refusals import RefusedError

if TYPE_CHECKING:
    from ledger.accounts.state import AccountState
    from ledger.rounds.state import RoundState
    from ledger.world import World

Card = Annotated[str, Meta(pattern=r"^([2-9TJQKA][CDHS])?\Z")]
FaceCard = Annotated[str, Meta(pattern=r"^[2-9TJQKA][CDHS]\Z")]
Index = Annotated[int, Meta(ge=0, le=1000)]
Direction = Literal["clockwise", "counterclockwise"]


class OpenRound(Command, frozen=True):
    """Open a round at a table; bets are allowed from here."""

    round: Id
    table: Id


class TakeSeat(Command, frozen=True):
    """A participant joins a table."""

    account: Id
    table: Id


class LeaveSeat(Command, frozen=True):
    """A participant leaves a table."""

    account: Id
    table: Id


class Disconnect(Command, frozen=True):
    """The connection of a participant at a table broke."""

    account: Id
    table: Id


class Reconnect(Command, frozen=True):
    """The connection of a participant at a table is back."""

    account: Id
    table: Id


class DealCard(Command, frozen=True):
    """A card was dealt; ``card`` stays empty while it lies face down."""

    round: Id
    index: Index
    recipient: Text
    face_up: bool
    card: Card = ""


class RevealCard(Command, frozen=True):
    """A face-down card was turned."""

    round: Id
    index: Index
    card: FaceCard


class CorrectCard(Command, frozen=True):
    """The record of a card was wrong."""

    round: Id
    index: Index
    actual: FaceCard
    by: Text


class Decide(Command, frozen=True):
    """A player decided, or a time limit or disconnection did in the player's place."""

    account: Id
    round: Id
    box: Text
    hand: Text
    decision: Text
    by: Literal["player", "timeout", "disconnect"] = "player"


class SpinWheel(Command, frozen=True):
    """Wheel and ball were set in motion; ``revolutions`` are the ball's full turns."""

    round: Id
    wheel_direction: Direction
    ball_direction: Direction
    revolutions: Annotated[int, Meta(ge=0, le=1000)]


class InvalidateSpin(Command, frozen=True):
    """The spin does not count and is repeated; the bets stay."""

    round: Id
    cause: Literal[
        "too_few_revolutions",
        "wrong_direction",
        "wheel_stopped",
        "ball_left_wheel",
        "foreign_object",
    ]


class LandBall(Command, frozen=True):
    """The ball came to rest."""

    round: Id
    number: Annotated[int, Meta(ge=0, le=36)]


def open_round(world: World, command: OpenRound, now: int) -> list[e.Event]:
    """Decide :class:`OpenRound`."""
    table = open_table_of(world, command.table)
    game = world.house.games[table.game]
    if world.round_or_new(command.round).status != "unknown":
        raise InputError(f"round {command.round} exists already")
    if not game.launched or game.withdrawn:
        raise RefusedError("GAME_NOT_OFFERED")
    if game.suspended:
        raise RefusedError("GAME_SUSPENDED")
    if table.suspended:
        raise RefusedError("TABLE_SUSPENDED")
    if table.round:
        raise RefusedError("ROUND_RUNNING", round=table.round)
    version = game.plan_version(now)
    if not version:
        raise RefusedError("NO_RULES_IN_FORCE")
    return [
        e.RoundOpened(
            round=command.round,
            table=command.table,
            game=table.game,
            plan_version=version,
            dealer=table.dealer,
            shoe=table.shoe,
            streamed=table.streamed,
        )
    ]


def take_seat(world: World, command: TakeSeat, _: int) -> list[e.Event]:
    """Decide :class:`TakeSeat`; one streamed table at a time (SAZKA 5a(2))."""
    account = world.account(command.account)
    table = open_table_of(world, command.table)
    if command.table in account.tables:
        raise InputError(f"account {command.account} is at table {command.table} already")
    if account.session_mode != "full":
        raise RefusedError("NOT_LOGGED_IN")
    if table.streamed:
        elsewhere = _streamed_table_of(world, account, command.table)
        if elsewhere:
            raise RefusedError("OTHER_TABLE", table=elsewhere)
    return [e.SeatTaken(account=command.account, table=command.table)]


def _streamed_table_of(world: World, account: AccountState, but: str) -> str:
    """Name the other streamed table at which an account sits or has open bets."""
    for name in (*account.tables, *(bet.table for bet in account.bets.values())):
        if name != but and world.house.tables[name].streamed:
            return name
    return ""


def leave_seat(world: World, command: LeaveSeat, _: int) -> list[e.Event]:
    """Decide :class:`LeaveSeat`; chips that are no bet yet go back."""
    account = world.account(command.account)
    _assert_seated(account, command.table)
    back = _chips_back(world, account, command.table, cause="left", paragraph="SAZKA 2")
    return [*back, e.SeatLeft(account=command.account, table=command.table)]


def disconnect(world: World, command: Disconnect, _: int) -> list[e.Event]:
    """Decide :class:`Disconnect`: before the close the chips go back, after it bets stand."""
    account = world.account(command.account)
    _assert_seated(account, command.table)
    if command.table in account.disconnected:
        raise InputError(f"account {command.account} is disconnected already")
    running = world.house.tables[command.table].round
    is_open = bool(running) and world.round(running).status == "open"
    gone = e.PlayerDisconnected(
        account=command.account,
        round=running,
        table=command.table,
        phase="before_close" if is_open else "after_close",
    )
    paragraph = "SAZKA 14(2); annex, disconnection"
    return [
        gone,
        *_chips_back(world, account, command.table, cause="disconnected", paragraph=paragraph),
    ]


def _chips_back(
    world: World, account: AccountState, table: str, *, cause: str, paragraph: str
) -> list[e.Event]:
    running = world.house.tables[table].round
    if not running:
        return []
    return [
        e.BetReturned(
            bet=name,
            account=account.account,
            round=running,
            amount=bet.stake,
            cause=cause,
            paragraph=paragraph,
        )
        for name, bet in world.round(running).bets_of(account.account, "placed")
    ]


def reconnect(world: World, command: Reconnect, _: int) -> list[e.Event]:
    """Decide :class:`Reconnect`."""
    account = world.account(command.account)
    if command.table not in account.disconnected:
        raise InputError(f"account {command.account} is not disconnected from {command.table}")
    running = world.house.tables[command.table].round
    return [e.PlayerReconnected(account=command.account, round=running, table=command.table)]


def _assert_seated(account: AccountState, table: str) -> None:
    if table not in account.tables:
        raise InputError(f"account {account.account} is not at table {table}")


def deal_card(world: World, command: DealCard, _: int) -> list[e.Event]:
    """Decide :class:`DealCard`."""
    state = world.round(command.round)
    fact = e.CardDealt(
        round=command.round,
        shoe=world.house.tables[state.table].shoe,
        index=command.index,
        recipient=command.recipient,
        face_up=command.face_up,
        card=command.card,
    )
    if command.index in state.cards:
        return _beside(fact, "CARD_TWICE", f"Card {command.index} was recorded before.")
    if command.face_up and not command.card:
        return _beside(fact, "CARD_UNREAD", f"Card {command.index} lies face up and has no value.")
    return _studio_fact(state, fact)


def reveal_card(world: World, command: RevealCard, _: int) -> list[e.Event]:
    """Decide :class:`RevealCard`."""
    state = world.round(command.round)
    fact = e.CardRevealed(round=command.round, index=command.index, card=command.card)
    if command.index not in state.cards:
        return _beside(fact, "CARD_UNKNOWN", f"Card {command.index} was not dealt.")
    if state.cards[command.index] not in {"", command.card}:
        return _beside(fact, "CARD_DIFFERS", f"Card {command.index} was recorded otherwise.")
    return _studio_fact(state, fact)


def correct_card(world: World, command: CorrectCard, _: int) -> list[e.Event]:
    """Decide :class:`CorrectCard`."""
    state = world.round(command.round)
    if command.index not in state.cards:
        raise InputError(f"card {command.index} of round {command.round} was not dealt")
    if state.is_finished or state.status == "resulted":
        raise RefusedError("RESULT_STANDS")
    return [
        e.CardRecordCorrected(
            round=command.round,
            index=command.index,
            recorded=state.cards[command.index],
            actual=command.actual,
            by=command.by,
        )
    ]


def decide(world: World, command: Decide, _: int) -> list[e.Event]:
    """Decide :class:`Decide`."""
    state = world.round(command.round)
    world.account(command.account)
    if state.status != "closed":
        raise RefusedError("WRONG_ORDER", what="A player's decision", status=state.status)
    return [
        e.PlayerDecided(
            round=command.round,
            account=command.account,
            box=command.box,
            hand=command.hand,
            decision=command.decision,
            by=command.by,
        )
    ]


def spin_wheel(world: World, command: SpinWheel, _: int) -> list[e.Event]:
    """Decide :class:`SpinWheel`; the wheel is set in motion before the close."""
    state = world.round(command.round)
    fact = e.WheelSpun(
        round=command.round,
        wheel_direction=command.wheel_direction,
        ball_direction=command.ball_direction,
        revolutions=command.revolutions,
    )
    if state.status not in {"open", "closed"}:
        return _beside(fact, "ROUND_OVER", f"The round is {state.status}.")
    if state.spin in {"running", "landed"}:
        return _beside(fact, "SPIN_TWICE", "A spin of the round is valid so far.")
    against = command.ball_direction != command.wheel_direction
    fault = spin_fault(state, command.revolutions, against=against)
    return _beside(fact, "SPIN_NOT_VALID", fault) if fault else [fact]


def spin_fault(state: RoundState, turns: int, *, against: bool) -> str:
    """Say why a spin is not valid under a plan that has such spins made again, or nothing.

    Where a plan leaves it to the inspector, the recorded decision counts.
    """
    plan = games.plan(state.game, state.plan_version)
    if not isinstance(plan, RoulettePlan):
        return ""
    if "too_few_revolutions" in plan.repeated_spins and turns < plan.turns_needed:
        return f"The ball went round {turns} times, {plan.turns_needed} are needed."
    if "wrong_direction" in plan.repeated_spins and not against:
        return "The ball went the way of the wheel."
    return ""


def invalidate_spin(world: World, command: InvalidateSpin, _: int) -> list[e.Event]:
    """Decide :class:`InvalidateSpin`."""
    state = world.round(command.round)
    if state.spin not in {"running", "landed"}:
        raise RefusedError("NO_VALID_SPIN")
    if state.status not in {"open", "closed"}:
        raise RefusedError("RESULT_STANDS")
    return [e.SpinDeclaredInvalid(round=command.round, cause=command.cause)]


def land_ball(world: World, command: LandBall, _: int) -> list[e.Event]:
    """Decide :class:`LandBall`."""
    state = world.round(command.round)
    fact = e.BallLanded(round=command.round, number=command.number)
    if state.spin == "none":
        return _beside(fact, "BALL_WITHOUT_SPIN", "No spin of the round is recorded.")
    if state.spin == "landed":
        return _beside(fact, "BALL_TWICE", f"The ball landed on {state.number} before.")
    return _studio_fact(state, fact)


def _studio_fact(state: RoundState, fact: e.Event) -> list[e.Event]:
    if state.status == "open":
        return _beside(fact, "BEFORE_CLOSE", "Bets are not closed.")
    if state.status != "closed":
        return _beside(fact, "ROUND_OVER", f"The round is {state.status}.")
    return [fact]


def _beside(fact: e.Event, code: str, sentence: str) -> list[e.Event]:
    """Record a fact and, beside it, what is wrong with it."""
    contradiction = e.ContradictionRecorded(
        round=fact.round,  # type: ignore[attr-defined]
        about=type(fact).__name__,
        code=code,
        sentence=sentence,
    )
    return [fact, contradiction]
