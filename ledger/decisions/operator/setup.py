"""Commands of the operator: games, plans, casinos, tables, dealers, shoes."""

from __future__ import annotations

from datetime import datetime
from hashlib import sha256
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger import games
from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import (
    EMPTY_OR_NOT_BLANK,
    Command,
    DottedId,
    Id,
    Name,
    OptionalName,
    OptionalText,
    Text,
    Word,
)
from ledger.state.operator_state import limits_for_games

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.operator_state import Game, Table

Moment = Annotated[datetime, Meta(tz=True)]
GameId = DottedId
Haler = Annotated[int, Meta(ge=0, le=10**15)]


class ListGame(Command, frozen=True):
    """List a game of the licence; ``category`` is a live game's value of HraKategorie."""

    game: GameId
    name: Name
    category: Literal["i", "j", "k", "m"] = "m"


class LaunchGame(Command, frozen=True):
    """Start operating a listed game."""

    game: GameId


class WithdrawGame(Command, frozen=True):
    """Stop offering a game permanently."""

    game: GameId
    reason: Text


PlanDocument = Annotated[str, Meta(max_length=games.PLAN_BYTES_MAX, pattern=EMPTY_OR_NOT_BLANK)]


class PublishRules(Command, frozen=True):
    """Put a version of the game plan into force from a moment on.

    ``document`` is the whole plan, TOML; without it the plan must be known already: it ships, or
    the chain holds it. `gameledger plan publish` sends both.
    """

    game: GameId
    plan_version: Word
    effective_from: Moment
    document: PlanDocument = ""


class OpenCasino(Command, frozen=True):
    """Register a place with tables: a casino, or a studio in one."""

    place: Id
    name: Name
    kind: Literal["studio", "casino"]
    address: Name


class BeginCasinoHours(Command, frozen=True):
    """Record the opening of a casino's doors."""

    place: Id


class EndCasinoHours(Command, frozen=True):
    """Record the closing of a casino's doors."""

    place: Id


class OpenTable(Command, frozen=True):
    """Take a table into operation; a streamed one is in a studio (SAZKA 5a(1))."""

    table: Id
    registration: Name
    game: GameId
    place: Id
    streamed: bool


class CloseTable(Command, frozen=True):
    """Take a table out of operation, between rounds."""

    table: Id
    reason: Text


class SetTableLimits(Command, frozen=True):
    """Set limits of a table: ``stakes`` gives [smallest, largest] in haléř by bet code.

    They apply to rounds that open later. ``effective_from`` may lie ahead; a moment of the past
    counts as now.
    """

    table: Id
    stakes: Annotated[dict[Word, tuple[Haler, Haler]], Meta(max_length=50)]
    round_maximum: Haler = 0
    effective_from: Moment | None = None


class LoadShoe(Command, frozen=True):
    """Record a shuffled shoe at a table; ``cut`` cards lie behind the cut card.

    Its burnt cards are dealt in the next round, to the recipient ``burn``.
    """

    shoe: Id
    table: Id
    decks: Annotated[int, Meta(ge=1, le=8)]
    shuffle_method: Name
    cut: Annotated[int, Meta(ge=0, le=416)]
    cut_by: OptionalName = ""


class SeatDealer(Command, frozen=True):
    """Record that a dealer takes over a table."""

    table: Id
    dealer: Id


class SuspendTable(Command, frozen=True):
    """Stop accepting bets at a table; no reason is required (SAZKA 13(6))."""

    table: Id
    cause: OptionalText = ""


class ResumeTable(Command, frozen=True):
    """Resume accepting bets at a table."""

    table: Id
    cause: Text


class AnnounceFault(Command, frozen=True):
    """Record that participants at a table were informed of a fault and of their stakes."""

    table: Id
    channels: Annotated[list[Literal["voice", "chat", "screen"]], Meta(min_length=1, max_length=3)]
    wording: Text
    by: Name


class SuspendGame(Command, frozen=True):
    """Stop accepting bets on a game; no reason is required (SAZKA 13(6))."""

    game: GameId
    cause: OptionalText = ""


class ResumeGame(Command, frozen=True):
    """Resume accepting bets on a game."""

    game: GameId
    cause: Text


def list_game(ledger_state: LedgerState, command: ListGame, _: int) -> list[e.Event]:
    """Decide :class:`ListGame`."""
    if command.game in ledger_state.operator_state.games:
        raise InputError(f"game {command.game} is listed already")
    return [command.as_event(e.GameListed)]


def launch_game(ledger_state: LedgerState, command: LaunchGame, _: int) -> list[e.Event]:
    """Decide :class:`LaunchGame`."""
    _game(ledger_state, command.game)
    return [e.GameLaunched(game=command.game)]


def withdraw_game(ledger_state: LedgerState, command: WithdrawGame, _: int) -> list[e.Event]:
    """Decide :class:`WithdrawGame`."""
    _game(ledger_state, command.game)
    return [e.GameWithdrawn(game=command.game, reason=command.reason)]


@refuses("PLAN_UNKNOWN")
def publish_rules(ledger_state: LedgerState, command: PublishRules, _: int) -> list[e.Event]:
    """Decide :class:`PublishRules`; the whole plan is recorded."""
    _game(ledger_state, command.game)
    document, header = command.document, _plan_of(command).header
    if not document:
        document = games.document(command.game, command.plan_version)
    return [
        command.as_event(
            e.RulesPublished,
            effective_from=from_datetime(command.effective_from),
            document_digest=sha256(document.encode()).hexdigest(),
            rules=f"{header.name}: {header.source}",
            document=document,
        )
    ]


def _plan_of(command: PublishRules) -> games.GamePlan:
    """Return the plan of a command: the document in it, or a plan that is known already."""
    try:
        known = games.plan(command.game, command.plan_version)
    except games.UnknownGameError as error:
        if command.document:
            return _new_plan(command)
        raise RefusedError("PLAN_UNKNOWN", plan_version=command.plan_version) from error
    same = games.document(command.game, command.plan_version)
    if command.document not in {"", same}:
        raise InputError(
            f"document: {command.game} has another plan of version {command.plan_version}: give "
            "the new one a version of its own"
        )
    return known


def _new_plan(command: PublishRules) -> games.GamePlan:
    plan = games.read_new_plan(command.document.encode(), "document")
    for name, value in (("game", command.game), ("version", command.plan_version)):
        if (inside := getattr(plan.header, name)) != value:
            raise InputError(f"document.{name} is {inside} and not {value}")
    return plan


def open_casino(ledger_state: LedgerState, command: OpenCasino, _: int) -> list[e.Event]:
    """Decide :class:`OpenCasino`."""
    if command.place in ledger_state.operator_state.places:
        raise InputError(f"place {command.place} is named already")
    return [command.as_event(e.CasinoOpened)]


def begin_casino_hours(
    ledger_state: LedgerState, command: BeginCasinoHours, _: int
) -> list[e.Event]:
    """Decide :class:`BeginCasinoHours`."""
    _require_casino(ledger_state, command.place)
    if command.place in ledger_state.operator_state.places_open:
        raise InputError(f"the doors of {command.place} are open already")
    return [e.CasinoHoursBegan(place=command.place)]


def end_casino_hours(ledger_state: LedgerState, command: EndCasinoHours, _: int) -> list[e.Event]:
    """Decide :class:`EndCasinoHours`."""
    _require_casino(ledger_state, command.place)
    if command.place not in ledger_state.operator_state.places_open:
        raise InputError(f"the doors of {command.place} are closed already")
    return [e.CasinoHoursEnded(place=command.place)]


def _require_casino(ledger_state: LedgerState, place: str) -> None:
    if ledger_state.operator_state.places.get(place) != "casino":
        raise InputError(f"there is no casino {place}; name it with open_casino first")


@refuses("TABLE_KIND_WRONG")
def open_table(ledger_state: LedgerState, command: OpenTable, _: int) -> list[e.Event]:
    """Decide :class:`OpenTable`; the newest published plan determines whether it is streamed."""
    for _, version in _game(ledger_state, command.game).plans[-1:]:
        require_kind(command.game, version, streamed=command.streamed)
    kind = ledger_state.operator_state.places.get(command.place)
    if kind is None:
        raise InputError(f"place {command.place} is unknown; name it with open_casino first")
    if command.streamed and kind != "studio":
        raise InputError(f"a streamed table stands in a studio, {command.place} is a {kind}")
    known = ledger_state.operator_state.tables.get(command.table)
    if known is not None and known.open:
        raise InputError(f"table {command.table} is open already")
    if known is not None and known.streamed != command.streamed:
        # A person sitting at it would be at two streamed tables, against SAZKA 5a(2).
        raise InputError(f"table {command.table} was of the other kind: give this one a new name")
    if known is not None:
        _require_no_section_of_other_game(ledger_state, known.place, command)
    return [command.as_event(e.TableOpened)]


def _require_no_section_of_other_game(
    ledger_state: LedgerState, place: str, command: OpenTable
) -> None:
    """Reject another game or casino in an open section: its result is that of one game."""
    floor = ledger_state.floor(place)
    for name in floor.open_sections:
        game = ledger_state.section_opened(name).game
        is_same = (game, place) == (command.game, command.place)
        if floor.sections[name].station == command.table and not is_same:
            raise InputError(
                f"section {name} of table {command.table} is open for {game} in {place}: close "
                "the section before the table gets another game or place"
            )


def require_kind(game: str, version: str, *, streamed: bool) -> None:
    """Refuse a table that is streamed although the plan's is not, or the reverse.

    The limit of 120 minutes of continuous play depends on it.

    Raises:
        RefusedError: TABLE_KIND_WRONG.

    """
    by_plan = games.plan(game, version).header.streamed
    if by_plan != streamed:
        kind = Phrase("STREAMED" if by_plan else "LAND_BASED")
        raise RefusedError("TABLE_KIND_WRONG", kind=kind)


@refuses("TABLE_NOT_OPEN", "ROUND_RUNNING")
def close_table(ledger_state: LedgerState, command: CloseTable, _: int) -> list[e.Event]:
    """Decide :class:`CloseTable`."""
    table = open_table_of(ledger_state, command.table)
    if table.round:
        raise RefusedError("ROUND_RUNNING", round=table.round)
    return [e.TableClosed(table=command.table, reason=command.reason)]


@refuses("TABLE_NOT_OPEN", "LIMITS_NOT_ALLOWED")
def set_table_limits(ledger_state: LedgerState, command: SetTableLimits, now: int) -> list[e.Event]:
    """Decide :class:`SetTableLimits`."""
    table = open_table_of(ledger_state, command.table)
    for code, (smallest, largest) in command.stakes.items():
        if largest and smallest > largest:
            raise InputError(f"limits of {code}: smallest {smallest} is above largest {largest}")
    effective_from = _limits_begin(ledger_state, table, command, now)
    version = ledger_state.operator_state.games[table.game].plan_version(effective_from)
    if version:
        _require_within_plan(games.plan(table.game, version), command)
    return [
        command.as_event(
            e.TableLimitsSet,
            bet_codes=tuple(command.stakes),
            minimums=tuple(smallest for smallest, _ in command.stakes.values()),
            maximums=tuple(largest for _, largest in command.stakes.values()),
            effective_from=effective_from,
        )
    ]


def _limits_begin(
    ledger_state: LedgerState, table: Table, command: SetTableLimits, now: int
) -> int:
    """Return when limits take effect: not in the past, and not for a round in progress."""
    wanted = from_datetime(command.effective_from) if command.effective_from else now
    opened_at = ledger_state.round(table.round).opened_at if table.round else -1
    return max(wanted, now, opened_at + 1)


def _require_within_plan(plan: games.GamePlan, command: SetTableLimits) -> None:
    problem = games.table_problem(plan, limits_for_games(command.stakes, command.round_maximum))
    if problem is not None:
        paragraph = plan.header.rule_settled
        raise RefusedError("LIMITS_NOT_ALLOWED", reason=problem.phrase, paragraph=paragraph)


@refuses("TABLE_NOT_OPEN")
def load_shoe(ledger_state: LedgerState, command: LoadShoe, _: int) -> list[e.Event]:
    """Decide :class:`LoadShoe`."""
    open_table_of(ledger_state, command.table)
    return [command.as_event(e.ShoeLoaded)]


@refuses("TABLE_NOT_OPEN")
def seat_dealer(ledger_state: LedgerState, command: SeatDealer, _: int) -> list[e.Event]:
    """Decide :class:`SeatDealer`."""
    open_table_of(ledger_state, command.table)
    return [e.DealerSeated(table=command.table, dealer=command.dealer)]


@refuses("TABLE_NOT_OPEN")
def suspend_table(ledger_state: LedgerState, command: SuspendTable, _: int) -> list[e.Event]:
    """Decide :class:`SuspendTable`."""
    open_table_of(ledger_state, command.table)
    return [e.TableSuspended(table=command.table, cause=command.cause)]


@refuses("TABLE_NOT_OPEN")
def resume_table(ledger_state: LedgerState, command: ResumeTable, _: int) -> list[e.Event]:
    """Decide :class:`ResumeTable`."""
    open_table_of(ledger_state, command.table)
    return [e.TableResumed(table=command.table, cause=command.cause)]


@refuses("TABLE_NOT_OPEN")
def announce_fault(ledger_state: LedgerState, command: AnnounceFault, _: int) -> list[e.Event]:
    """Decide :class:`AnnounceFault`."""
    table = open_table_of(ledger_state, command.table)
    return [
        command.as_event(
            e.FaultAnnounced, round=table.round, channels=tuple(dict.fromkeys(command.channels))
        )
    ]


def suspend_game(ledger_state: LedgerState, command: SuspendGame, _: int) -> list[e.Event]:
    """Decide :class:`SuspendGame`."""
    _game(ledger_state, command.game)
    return [e.GameSuspended(game=command.game, cause=command.cause)]


def resume_game(ledger_state: LedgerState, command: ResumeGame, _: int) -> list[e.Event]:
    """Decide :class:`ResumeGame`."""
    _game(ledger_state, command.game)
    return [e.GameResumed(game=command.game, cause=command.cause)]


def open_table_of(ledger_state: LedgerState, name: str) -> Table:
    """Return a table in operation.

    Raises:
        InputError: there is no such table.
        RefusedError: the table is not open.

    """
    table = ledger_state.operator_state.tables.get(name)
    if table is None:
        raise InputError(f"table {name} is unknown; take it into operation with open_table")
    if not table.open:
        raise RefusedError("TABLE_NOT_OPEN")
    return table


def _game(ledger_state: LedgerState, name: str) -> Game:
    game = ledger_state.operator_state.games.get(name)
    if game is None:
        raise InputError(f"game {name} is unknown; list it with list_game first")
    return game
