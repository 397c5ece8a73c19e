"""Counts of a cage, of the tronc, of the chips of a table and of cash boxes.

A count is recorded as it was made. If it differs from the books, the event has both amounts and
books the difference; a difference is a finding, never a refusal. A count may be repeated: the last
one at the opening and the last one at the close of a section apply.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta, field

from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import (
    CROWNS,
    Currency,
    Pieces,
    kind_of,
    pieces_of,
    require_currency,
    require_section,
)
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name
from ledger.state.floor import count_kind

if TYPE_CHECKING:
    from ledger.decisions.floor.guard import SectionContext
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CountCage",
    "CountDrop",
    "CountTableFloat",
    "count_cage",
    "count_drop",
    "count_table_float",
]

Counted = Annotated[int, Meta(ge=0, le=10**15)]


class CountCage(Command, frozen=True):
    """Count the cash or chips of a cage, or the tronc; ``pieces`` is the number of each value."""

    section: Id
    stage: Literal["opening", "closing"]
    means: Literal["cash", "chips", "tronc"]
    amount: Counted
    counted_by: Name
    currency: Currency = CROWNS
    pieces: Pieces = field(default_factory=dict)


class CountTableFloat(Command, frozen=True):
    """Count the chips of a table; ``pieces`` is the number of each value."""

    section: Id
    stage: Literal["opening", "closing"]
    amount: Counted
    counted_by: Name
    currency: Currency = CROWNS
    pieces: Pieces = field(default_factory=dict)


class CountDrop(Command, frozen=True):
    """Count the cash box of a table or tournament."""

    section: Id
    amount: Counted
    counted_by: Name
    currency: Currency = CROWNS
    pieces: Pieces = field(default_factory=dict)


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "COUNTED_LATE", "NOT_COUNTED")
def count_cage(ledger_state: LedgerState, command: CountCage, _: int) -> list[e.Event]:
    """Decide :class:`CountCage`."""
    context = require_section(ledger_state, command.section, "cage")
    till = f"tronc:{context.place}" if command.means == "tronc" else context.section.till
    kind = count_kind(command.means, command.currency, till)
    _require_in_order(context, command.stage, kind)
    books = context.floor.books
    return [
        command.as_event(
            e.CageCounted,
            place=context.place,
            station=context.section.station,
            till=till,
            expected=books.get(kind, 0),
            against="differences" if kind in books else "stock",
            **pieces_of(command.pieces, command.amount),
        )
    ]


def _require_in_order(of: SectionContext, stage: str, kind: str) -> None:
    """Refuse an opening count after a movement, and a closing count without an opening count."""
    if stage == "opening" and (kind in of.section.touched or kind in of.section.closed):
        raise RefusedError("COUNTED_LATE", what=kind_of(kind))
    if stage == "closing" and kind not in of.section.opened:
        raise RefusedError("NOT_COUNTED", stage="opening", what=kind_of(kind))


@refuses(
    "SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "CURRENCY_DIFFERS", "COUNTED_LATE", "NOT_COUNTED"
)
def count_table_float(ledger_state: LedgerState, command: CountTableFloat, _: int) -> list[e.Event]:
    """Decide :class:`CountTableFloat`; a closing difference is attributed to the play of guests."""
    context = require_section(ledger_state, command.section, "table")
    require_currency(context, command.currency)
    kind, books = context.section.float_kind, context.floor.books
    _require_in_order(context, command.stage, kind)
    against = "guests" if command.stage == "closing" else "differences"
    return [
        command.as_event(
            e.TableFloatCounted,
            place=context.place,
            station=context.section.station,
            till=context.section.till,
            expected=books.get(kind, 0),
            against=against if kind in books else "stock",
            **pieces_of(command.pieces, command.amount),
        )
    ]


@refuses("SECTION_NOT_OPEN", "SECTION_KIND_WRONG", "CURRENCY_DIFFERS")
def count_drop(ledger_state: LedgerState, command: CountDrop, _: int) -> list[e.Event]:
    """Decide :class:`CountDrop`."""
    context = require_section(ledger_state, command.section, "table", "tournament")
    require_currency(context, command.currency)
    return [
        command.as_event(
            e.DropCounted,
            place=context.place,
            station=context.section.station,
            station_kind=context.section.kind,
            till=context.section.till,
            expected=context.floor.books.get(context.kind("cash", command.currency), 0),
            against="differences",
            **pieces_of(command.pieces, command.amount),
        )
    ]
