"""Seats in a tournament: drawn, and rebalanced while players are eliminated.

Seats are drawn after the registration; when a table closes, its players draw again, and the
floorman moves players to keep tables even. The floorman chooses whom; only the seats are recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core import events as e
from ledger.core.command import Command, Id
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError
from ledger.decisions.operator.setup import open_table_of

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["DrawSeat", "draw_seat"]


class DrawSeat(Command, frozen=True):
    """Give a player of a tournament a seat: drawn, for balance, or reserved."""

    tournament: Id
    account: Id
    table: Id
    seat: Annotated[int, Meta(ge=1, le=50)]
    occasion: Literal["drawn", "late", "balance", "table_closed", "reserved"] = "drawn"


def draw_seat(world: LedgerState, command: DrawSeat, _: int) -> list[e.Event]:
    """Decide :class:`DrawSeat`; the player's hands are then played at that table.

    Refuses: TOURNAMENT_STATUS, NOT_IN_TOURNAMENT, TABLE_NOT_OPEN, SEAT_TAKEN.
    """
    state = world.tournament(command.tournament)
    if state.status not in {"announced", "running"}:
        raise RefusedError("TOURNAMENT_STATUS", what="A draw of seats", status=state.status)
    if command.account not in state.left:
        raise RefusedError("NOT_IN_TOURNAMENT", account=command.account)
    game = open_table_of(world, command.table).game
    if game != state.announced.game:
        raise InputError(f"table {command.table} is one of {game}, not {state.announced.game}")
    for name, seat in state.seats.items():
        if seat == (command.table, command.seat):
            raise RefusedError("SEAT_TAKEN", account=name)
    before, _seat = state.seats.get(command.account, ("", 0))
    return [command.as_event(e.SeatDrawn, from_table=before)]
