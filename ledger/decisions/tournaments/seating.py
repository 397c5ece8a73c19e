"""Seats in a tournament: drawn at first, changed while players are eliminated.

Seats are drawn after the registration; when a table closes, its players draw again, and the
floorman moves players to balance the tables. The floorman chooses the players; only the resulting
seats are recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.hands.tournament_hands import require_not_in_hand
from ledger.decisions.operator.setup import open_table_of
from ledger.events import event_types as e
from ledger.events.command import Command, GameAmount, Id, Word

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["DrawSeat", "HoldChipRace", "draw_seat", "hold_chip_race"]


class DrawSeat(Command, frozen=True):
    """Give a player of a tournament a seat: drawn, for balance, or reserved."""

    tournament: Id
    account: Id
    table: Id
    seat: Annotated[int, Meta(ge=1, le=50)]
    occasion: Literal["drawn", "late", "balance", "table_closed", "reserved"] = "drawn"


class HoldChipRace(Command, frozen=True):
    """Record that chips of a low value were exchanged for higher ones, and odd chips drawn for.

    ``odd`` gives the left-over chips of each player, ``won`` names the players who got a higher
    chip for them. ``chip`` and ``higher`` are the two values, hundredths of a chip.
    """

    tournament: Id
    table: Id
    chip: GameAmount
    higher: GameAmount
    odd: Annotated[dict[Word, Annotated[int, Meta(ge=1, le=1000)]], Meta(max_length=50)]
    won: Annotated[list[Id], Meta(max_length=50)]


@refuses("TOURNAMENT_STATUS", "NOT_IN_TOURNAMENT", "TABLE_NOT_OPEN", "SEAT_TAKEN", "PLAYER_IN_HAND")
def draw_seat(ledger_state: LedgerState, command: DrawSeat, _: int) -> list[e.Event]:
    """Decide :class:`DrawSeat`; the player's hands are then played at that table."""
    state = ledger_state.tournament(command.tournament)
    if state.status not in {"announced", "running"}:
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("SEAT_DRAW"), status=state.status)
    if command.account not in state.left:
        raise RefusedError("NOT_IN_TOURNAMENT", account=command.account)
    game = open_table_of(ledger_state, command.table).game
    if game != state.announced.game:
        raise InputError(f"table {command.table} is one of {game}, not {state.announced.game}")
    for name, seat in state.seats.items():
        if seat == (command.table, command.seat):
            raise RefusedError("SEAT_TAKEN", account=name)
    before, _seat = state.seats.get(command.account, ("", 0))
    if before != command.table:
        require_not_in_hand(ledger_state, state, command.account)
    return [command.as_event(e.SeatDrawn, from_table=before)]


@refuses("TOURNAMENT_STATUS", "NOT_IN_TOURNAMENT", "TABLE_NOT_OPEN", "CHIP_RACE_WRONG")
def hold_chip_race(ledger_state: LedgerState, command: HoldChipRace, _: int) -> list[e.Event]:
    """Decide :class:`HoldChipRace`; each player gets one higher chip at most."""
    state = ledger_state.tournament(command.tournament)
    if state.status != "running":
        raise RefusedError("TOURNAMENT_STATUS", what=Phrase("CHIP_RACE"), status=state.status)
    for name in (*command.odd, *command.won):
        if name not in state.left:
            raise RefusedError("NOT_IN_TOURNAMENT", account=name)
    open_table_of(ledger_state, command.table)
    chips = sum(command.odd.values())
    reason: Phrase | None = None
    if command.higher <= command.chip or command.higher % command.chip:
        reason = Phrase("HIGHER_CHIP_WRONG")
    elif len(set(command.won)) != len(command.won) or not set(command.won) <= command.odd.keys():
        reason = Phrase("ONE_HIGHER_CHIP")
    elif len(command.won) > -(-chips * command.chip // command.higher):
        reason = Phrase("HIGHER_CHIPS_TOO_MANY")
    if reason:
        raise RefusedError("CHIP_RACE_WRONG", reason=reason)
    return [
        command.as_event(
            e.ChipRaceHeld,
            accounts=tuple(command.odd),
            odd=tuple(command.odd.values()),
            won=tuple(command.won),
        )
    ]
