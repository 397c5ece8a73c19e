"""The course of a round: opening, seats and connections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.command import Command, Id
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError
from ledger.decisions.leaving import chips_back
from ledger.decisions.operator.setup import open_table_of, require_kind

if TYPE_CHECKING:
    from ledger.state.account import AccountState
    from ledger.state.world import World


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


def open_round(world: World, command: OpenRound, now: int) -> list[e.Event]:
    """Decide :class:`OpenRound`.

    Refuses: TABLE_NOT_OPEN, GAME_NOT_OFFERED, GAME_SUSPENDED, TABLE_SUSPENDED, ROUND_RUNNING,
    NO_RULES_IN_FORCE, TABLE_KIND_WRONG.
    """
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
    require_kind(table.game, version, streamed=table.streamed)
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
    """Decide :class:`TakeSeat`; one streamed table at a time (SAZKA 5a(2)).

    Refuses: TABLE_NOT_OPEN, NOT_LOGGED_IN, OTHER_TABLE.
    """
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
    """Name the other streamed table at which an account sits, or plays until the result."""
    playing = (
        bet.table
        for bet in account.bets.values()
        if bet.table and world.round(bet.round).status != "resulted"
    )
    for name in (*account.tables, *playing):
        if name != but and world.house.tables[name].streamed:
            return name
    return ""


def leave_seat(world: World, command: LeaveSeat, _: int) -> list[e.Event]:
    """Decide :class:`LeaveSeat`; chips that are no bet yet go back."""
    account = world.account(command.account)
    _require_seated(account, command.table)
    back = chips_back(account, "left", world.rules.returns.left, table=command.table)
    return [*back, e.SeatLeft(account=command.account, table=command.table)]


def disconnect(world: World, command: Disconnect, _: int) -> list[e.Event]:
    """Decide :class:`Disconnect`: before the close the chips go back, after it bets stand."""
    account = world.account(command.account)
    _require_seated(account, command.table)
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
    paragraph = world.rules.returns.disconnected
    return [gone, *chips_back(account, "disconnected", paragraph, table=command.table)]


def reconnect(world: World, command: Reconnect, _: int) -> list[e.Event]:
    """Decide :class:`Reconnect`."""
    account = world.account(command.account)
    if command.table not in account.disconnected:
        raise InputError(f"account {command.account} is not disconnected from {command.table}")
    running = world.house.tables[command.table].round
    return [e.PlayerReconnected(account=command.account, round=running, table=command.table)]


def _require_seated(account: AccountState, table: str) -> None:
    if table not in account.tables:
        raise InputError(f"account {account.account} is not at table {table}")
