"""Operating days of a casino and the sections of its cages, tables and tournaments (D10 11).

An operating day has the date of the calendar day in Prague on which it began, and ends when the
casino closes it, whatever the calendar day is then. A section belongs to one operating day; it can
be closed after all its contents are counted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core.clock import day_of, from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import (
    CROWNS,
    Currency,
    SectionContext,
    kind_of,
    require_casino,
    require_section,
)
from ledger.events import event_types as e
from ledger.events.command import Command, Id

if TYPE_CHECKING:
    from ledger.state.floor import FloorState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CloseOperatingDay",
    "CloseSection",
    "OpenOperatingDay",
    "OpenSection",
    "close_operating_day",
    "close_section",
    "open_operating_day",
    "open_section",
]

RUNNING = frozenset({"announced", "running"})


class OpenOperatingDay(Command, frozen=True):
    """Begin an operating day of a casino."""

    place: Id


class CloseOperatingDay(Command, frozen=True):
    """End the operating day of a casino; all its sections are closed."""

    place: Id


class OpenSection(Command, frozen=True):
    """Open the section of a cage, table or tournament in the operating day of its casino.

    ``currency`` is that of a table; a cage has every currency that is counted in it.
    """

    section: Id
    place: Id
    kind: Literal["cage", "table", "tournament"]
    station: Id
    currency: Currency = CROWNS


class CloseSection(Command, frozen=True):
    """Close a section after its count; ``occurred_at`` is when play or service ended."""

    section: Id


@refuses("DAY_NOT_CLOSED", "DAY_TWICE")
def open_operating_day(
    ledger_state: LedgerState, command: OpenOperatingDay, now: int
) -> list[e.Event]:
    """Decide :class:`OpenOperatingDay`."""
    require_casino(ledger_state, command.place)
    floor = ledger_state.floor(command.place)
    day = day_of(from_datetime(command.occurred_at) if command.occurred_at else now)
    if floor.day:
        raise RefusedError("DAY_NOT_CLOSED", day=floor.day)
    if floor.last_day == day:
        raise RefusedError("DAY_TWICE", day=day)
    return [e.OperatingDayOpened(place=command.place, day=day)]


@refuses("DAY_NOT_OPEN", "SECTIONS_OPEN", "NOT_COUNTED")
def close_operating_day(
    ledger_state: LedgerState, command: CloseOperatingDay, _: int
) -> list[e.Event]:
    """Decide :class:`CloseOperatingDay`; it records the stock of every place."""
    require_casino(ledger_state, command.place)
    floor = ledger_state.floor(command.place)
    if not floor.day:
        raise RefusedError("DAY_NOT_OPEN")
    if floor.open_sections:
        raise RefusedError("SECTIONS_OPEN", sections=tuple(floor.open_sections))
    _require_jackpots(floor, "", "opening", "closing")
    return [
        e.OperatingDayClosed(
            place=command.place,
            day=floor.day,
            books_kinds=tuple(floor.books),
            books_amounts=tuple(floor.books.values()),
        )
    ]


@refuses("DAY_NOT_OPEN", "SECTION_TWICE", "TABLE_NOT_OPEN", "TOURNAMENT_STATUS", "CURRENCY_DIFFERS")
def open_section(ledger_state: LedgerState, command: OpenSection, _: int) -> list[e.Event]:
    """Decide :class:`OpenSection`."""
    require_casino(ledger_state, command.place)
    floor = ledger_state.floor(command.place)
    _require_new(ledger_state, command)
    if not floor.day:
        raise RefusedError("DAY_NOT_OPEN")
    for name, section in floor.sections.items():
        if (section.kind, section.station) == (command.kind, command.station):
            raise RefusedError("SECTION_TWICE", section=name)
    game = {"cage": _no_game, "table": _game_of_table, "tournament": _game_of_tournament}
    return [
        command.as_event(
            e.SectionOpened,
            day=floor.day,
            station_kind=command.kind,
            game=game[command.kind](ledger_state, command),
            currency="" if command.kind == "cage" else command.currency,
        )
    ]


def _require_new(ledger_state: LedgerState, command: OpenSection) -> None:
    """Require an unused section name, and a station that never had another kind or casino."""
    if ledger_state.exists(f"section:{command.section}"):
        raise InputError(f"section {command.section} exists already; give this one a new name")
    before = ledger_state.section_of_station(command.station)
    if before is not None and (before.place, before.station_kind) != (command.place, command.kind):
        raise InputError(
            f"{command.station} is a {before.station_kind} of {before.place}: give this "
            f"{command.kind} a name of its own"
        )


def _no_game(_: LedgerState, __: OpenSection) -> str:
    return ""


def _game_of_table(ledger_state: LedgerState, command: OpenSection) -> str:
    table = ledger_state.operator_state.tables.get(command.station)
    if table is None or table.place != command.place:
        raise InputError(f"casino {command.place} has no table {command.station}")
    if not table.open:
        raise RefusedError("TABLE_NOT_OPEN")
    return table.game


def _game_of_tournament(ledger_state: LedgerState, command: OpenSection) -> str:
    state = ledger_state.tournament(command.station)
    if state.status not in RUNNING:
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("SECTION_BEGINS"), status=state.status)
    if state.announced.currency != command.currency:
        raise RefusedError("CURRENCY_DIFFERS", currency=state.announced.currency)
    return state.announced.game


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "NOT_COUNTED", "DROP_NOT_MOVED")
def close_section(ledger_state: LedgerState, command: CloseSection, _: int) -> list[e.Event]:
    """Decide :class:`CloseSection`; for a table it records the net result."""
    context = require_section(ledger_state, command.section, "cage", "table", "tournament")
    _require_counted(context)
    _require_jackpots(context.floor, command.section, "closing")
    section = context.section
    return [
        e.SectionClosed(
            section=command.section,
            place=context.place,
            day=section.day,
            station_kind=section.kind,
            station=section.station,
            currency=section.currency,
            result=section.result if section.kind == "table" else None,
        )
    ]


def _require_jackpots(floor: FloorState, section: str, *stages: str) -> None:
    """Refuse to close a section or day (empty) with a jackpot whose value is known in part.

    The package of the month states both, and takes none later.
    """
    for (of, jackpot), recorded in floor.jackpots.items():
        for stage in stages:
            if of == section and stage not in recorded:
                what = Phrase("VALUE_OF_JACKPOT", name=jackpot)
                paragraph = "D10 annex, mozna_vyhra"
                raise RefusedError("NOT_COUNTED", paragraph=paragraph, stage=stage, what=what)


def _require_counted(of: SectionContext) -> None:
    """Refuse to close a section before its contents are counted at the opening and the close."""
    section = of.section
    wanted = dict.fromkeys(section.opened)
    if section.kind == "table":
        wanted[section.float_kind] = None
    elif section.kind == "cage":
        wanted |= dict.fromkeys((of.kind("cash", CROWNS), of.kind("chips", CROWNS)))
    for kind in wanted:
        if kind not in section.opened:
            raise RefusedError("NOT_COUNTED", stage="opening", what=kind_of(kind))
        if kind not in section.closed:
            raise RefusedError("NOT_COUNTED", stage="closing", what=kind_of(kind))
    box = of.kind("cash", section.currency)
    if section.uncounted:
        raise RefusedError("NOT_COUNTED", stage="closing", what=kind_of(box))
    if section.kind != "cage" and of.floor.books.get(box, 0):
        raise RefusedError("DROP_NOT_MOVED", amount=of.floor.books[box])
