"""Jackpots of a table, a tournament or a whole game, and their values (D10, file mozna_vyhra)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import CROWNS, Currency, require_casino, require_section
from ledger.events import event_types as e
from ledger.events.command import Command, DottedId, Id, Name, OptionalId

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["DefineJackpot", "RecordJackpot", "define_jackpot", "record_jackpot"]

GameId = DottedId
Station = OptionalId
Value = Annotated[int, Meta(ge=0, le=10**15)]


class DefineJackpot(Command, frozen=True):
    """Define a jackpot of a table or tournament, or of a whole game without ``station``."""

    jackpot: Id
    place: Id
    name: Name
    game: GameId
    station: Station = ""
    currency: Currency = CROWNS


class RecordJackpot(Command, frozen=True):
    """Record the value of a jackpot; ``section`` is that of its table or tournament."""

    jackpot: Id
    stage: Literal["opening", "closing"]
    amount: Value
    section: Station = ""


def define_jackpot(ledger_state: LedgerState, command: DefineJackpot, _: int) -> list[e.Event]:
    """Decide :class:`DefineJackpot`."""
    require_casino(ledger_state, command.place)
    if command.game not in ledger_state.operator_state.games:
        raise InputError(f"game {command.game} is unknown; list it with list_game first")
    if _defined(ledger_state, command.jackpot) is not None:
        raise InputError(f"jackpot {command.jackpot} is set up already")
    return [command.as_event(e.JackpotDefined)]


def _defined(ledger_state: LedgerState, jackpot: str) -> e.JackpotDefined | None:
    for event in ledger_state.events(f"jackpot:{jackpot}"):
        if isinstance(event, e.JackpotDefined):
            return event
    return None


@refuses("DAY_NOT_OPEN", "SECTION_NOT_OPEN", "SECTION_KIND_WRONG")
def record_jackpot(ledger_state: LedgerState, command: RecordJackpot, _: int) -> list[e.Event]:
    """Decide :class:`RecordJackpot`."""
    jackpot = _defined(ledger_state, command.jackpot)
    if jackpot is None:
        raise InputError(f"jackpot {command.jackpot} is unknown; set it up with define_jackpot")
    floor = ledger_state.floor(jackpot.place)
    if not floor.day:
        raise RefusedError("DAY_NOT_OPEN")
    if bool(command.section) != bool(jackpot.station):
        raise InputError(
            "a section belongs to the jackpot of a table or tournament, and to no other"
        )
    if command.section:
        context = require_section(ledger_state, command.section, "table", "tournament")
        if context.section.station != jackpot.station:
            raise InputError(f"section {command.section} is not one of {jackpot.station}")
    return [
        command.as_event(
            e.JackpotState, place=jackpot.place, day=floor.day, currency=jackpot.currency
        )
    ]
