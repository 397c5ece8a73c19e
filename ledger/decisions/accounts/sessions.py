"""Login and logout, and the register of excluded persons (SAZKA 8(11), 9(5), 13(3))."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.protection.blocks import block_of
from ledger.decisions.protection.measures import login_time_left
from ledger.decisions.protection.register import (
    RegisterPersonAnswer,
    checked_outside_login,
    register_events,
)
from ledger.decisions.session_end import end_session
from ledger.events import event_types as e
from ledger.events.command import Command, Id

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CheckRegister",
    "LogIn",
    "LogOut",
    "check_register",
    "log_in",
    "log_out",
    "login_refused",
]


class LogIn(Command, frozen=True):
    """Log a participant in; ``register`` is the register's answer for this login."""

    account: Id
    session: Id
    register: RegisterPersonAnswer


class LogOut(Command, frozen=True):
    """End a session."""

    account: Id
    cause: Literal["user", "automatic", "time_limit"] = "user"


class CheckRegister(Command, frozen=True):
    """Record an answer of the register outside a login."""

    account: Id
    register: RegisterPersonAnswer


@refuses("ACCOUNT_CLOSED", "ALREADY_LOGGED_IN", "MEASURE_LOGINS")
def log_in(ledger_state: LedgerState, command: LogIn, now: int) -> list[e.Event]:
    """Decide :class:`LogIn`.

    An excluded or blocked participant may log in only to view and withdraw; the panic button does
    not prevent a login.
    """
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if account.session:
        raise RefusedError("ALREADY_LOGGED_IN", session=account.session)
    if ledger_state.exists(f"session:{command.session}"):
        raise InputError(f"session {command.session} exists already")
    checked = register_events(account, command.register, "login")
    participant = ledger_state.participant(account, now)
    _may_log_in(participant, now)
    reason = _restriction(participant, checked, now)
    return [
        *checked,
        command.as_event(e.LoggedIn, mode="restricted" if reason else "full", reason=reason),
    ]


def _may_log_in(account: AccountState, now: int) -> None:
    measure = account.measures.get("e")
    limit = measure.at(now) if measure else None
    if limit is not None and account.this_month(now).logins >= limit:
        raise RefusedError("MEASURE_LOGINS", limit=limit)


def _restriction(account: AccountState, checked: list[e.Event], now: int) -> str:
    if any(isinstance(event, e.ExclusionImposed) for event in checked):
        return "register"
    ended = {event.ground for event in checked if isinstance(event, e.ExclusionEnded)}
    if account.status == "cancelling":
        return "cancellation"
    block = block_of(account, now, without=ended)
    if block is not None:
        return block.code.lower()
    left = login_time_left(account, now)
    return "login_time" if left is not None and left <= 0 else ""


def login_refused(ledger_state: LedgerState, command: LogIn, refusal: Refusal) -> list[e.Event]:
    """Return the events that record why :func:`log_in` refused, and the register's answer.

    A listed person is excluded at once, even if the login is refused (SAZKA 8(11)).
    """
    bearer = ledger_state.account_now(command.account)
    refused = command.as_event(e.LoginRefused, refusal)
    return [refused, *checked_outside_login(bearer, command.register, "login", ledger_state.rules)]


@refuses("NOT_LOGGED_IN")
def log_out(ledger_state: LedgerState, command: LogOut, _: int) -> list[e.Event]:
    """Decide :class:`LogOut`; whatever the cause, chips that are not a bet yet are returned."""
    account = ledger_state.account(command.account)
    if not account.session:
        raise RefusedError("NOT_LOGGED_IN")
    return end_session(account, command.cause, ledger_state.rules)


def check_register(ledger_state: LedgerState, command: CheckRegister, _: int) -> list[e.Event]:
    """Decide :class:`CheckRegister`; a listed person is excluded at once."""
    bearer = ledger_state.account_now(command.account)
    return checked_outside_login(bearer, command.register, "daily", ledger_state.rules)
