"""Seats at a table: take and leave them, record lost and restored connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.operator.setup import open_table_of
from ledger.decisions.session_end import return_chips
from ledger.events import event_types as e
from ledger.events.command import Command, Id

if TYPE_CHECKING:
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState


class TakeSeat(Command, frozen=True):
    """Seat a participant at a table."""

    account: Id
    table: Id


class LeaveSeat(Command, frozen=True):
    """Record that a participant leaves a table."""

    account: Id
    table: Id


class Disconnect(Command, frozen=True):
    """Record that the connection of a participant at a table was lost."""

    account: Id
    table: Id


class Reconnect(Command, frozen=True):
    """Record that the connection of a participant at a table was restored."""

    account: Id
    table: Id


@refuses("TABLE_NOT_OPEN", "NOT_LOGGED_IN", "OTHER_TABLE", "TABLE_FULL")
def take_seat(ledger_state: LedgerState, command: TakeSeat, now: int) -> list[e.Event]:
    """Decide :class:`TakeSeat`; one streamed table at a time (SAZKA 5a(2))."""
    account = ledger_state.account(command.account)
    table = open_table_of(ledger_state, command.table)
    if command.table in account.tables:
        raise InputError(f"account {command.account} is at table {command.table} already")
    if account.session_mode != "full":
        raise RefusedError("NOT_LOGGED_IN")
    if table.streamed:
        elsewhere = _streamed_table_of(ledger_state, account, command.table)
        if elsewhere:
            raise RefusedError("OTHER_TABLE", table=elsewhere)
    _require_free_seat(ledger_state, command.table, now)
    return [e.SeatTaken(account=command.account, table=command.table)]


def _require_free_seat(ledger_state: LedgerState, name: str, now: int) -> None:
    """Refuse a player if all seats of the plan are taken (SAZKA annex Blackjack 2)."""
    game = ledger_state.operator_state.tables[name].game
    version = ledger_state.operator_state.games[game].plan_version(now)
    seats = games.plan(game, version).seats_max if version else 0
    if seats and len(ledger_state.seated_at(name)) >= seats:
        raise RefusedError("TABLE_FULL", seats=seats)


def _streamed_table_of(ledger_state: LedgerState, account: AccountState, but: str) -> str:
    """Return another streamed table where the account is seated or has a bet without a result."""
    playing = (
        bet.table
        for bet in account.bets.values()
        if bet.table and ledger_state.round(bet.round).status != "resulted"
    )
    for name in (*account.tables, *playing):
        if name != but and ledger_state.operator_state.tables[name].streamed:
            return name
    return ""


def leave_seat(ledger_state: LedgerState, command: LeaveSeat, _: int) -> list[e.Event]:
    """Decide :class:`LeaveSeat`; chips that are not a bet yet are returned."""
    account = ledger_state.account(command.account)
    _require_seated(account, command.table)
    back = return_chips(account, "left", ledger_state.rules.returns.left, table=command.table)
    return [*back, e.SeatLeft(account=command.account, table=command.table)]


def disconnect(ledger_state: LedgerState, command: Disconnect, _: int) -> list[e.Event]:
    """Decide :class:`Disconnect`; chips are returned before betting closes, later bets stay."""
    account = ledger_state.account(command.account)
    _require_seated(account, command.table)
    if command.table in account.disconnected:
        raise InputError(f"account {command.account} is disconnected already")
    running = ledger_state.operator_state.tables[command.table].round
    is_open = bool(running) and ledger_state.round(running).status == "open"
    gone = command.as_event(
        e.PlayerDisconnected, round=running, phase="before_close" if is_open else "after_close"
    )
    paragraph = ledger_state.rules.returns.disconnected
    return [gone, *return_chips(account, "disconnected", paragraph, table=command.table)]


def reconnect(ledger_state: LedgerState, command: Reconnect, _: int) -> list[e.Event]:
    """Decide :class:`Reconnect`."""
    account = ledger_state.account(command.account)
    if command.table not in account.disconnected:
        raise InputError(f"account {command.account} is not disconnected from {command.table}")
    running = ledger_state.operator_state.tables[command.table].round
    return [e.PlayerReconnected(account=command.account, round=running, table=command.table)]


def _require_seated(account: AccountState, table: str) -> None:
    if table not in account.tables:
        raise InputError(f"account {account.account} is not at table {table}")
