"""Erase personal data by destroying the key of a person or month (GDPR 17, 5(1)(e), AML act)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import day_of
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.accounts.legal_holds import require_no_hold
from ledger.events import event_types as e
from ledger.events.command import Command, Id
from ledger.rules.retention import end_of_period_key, end_of_retention

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "DestroyPeriodKey",
    "ErasePerson",
    "destroy_period_key",
    "erase_person",
    "erasure_deferred",
    "sealed_by",
]


class ErasePerson(Command, frozen=True):
    """Destroy the key of a person's data; ``account`` is the person's closed account.

    If it is too early, the request is recorded with what retains the data; `gameledger retention`
    executes it later.
    """

    account: Id


class DestroyPeriodKey(Command, frozen=True):
    """Destroy the key of a month, such as ``statement:2026-11``, after its retention period.

    `gameledger retention carry-out` sends it.
    """

    period_key: Annotated[str, Meta(pattern=r"^(case|statement):\d{4}-(0[1-9]|1[0-2])\Z")]


def _relationship_ended_at(ledger_state: LedgerState, person: str) -> int:
    """Return when a person's last account was closed, or when money moved last after that."""
    accounts = [ledger_state.account(name) for name in ledger_state.accounts_of_person(person)]
    return max(max(account.closed_at, account.moved_at) for account in accounts)


@refuses("ACCOUNT_NOT_CLOSED", "LEGAL_HOLD", "RETENTION_RUNS")
def erase_person(ledger_state: LedgerState, command: ErasePerson, now: int) -> list[e.Event]:
    """Decide :class:`ErasePerson`; the key itself is destroyed after the event is stored."""
    account = ledger_state.account(command.account)
    newest = ledger_state.account_of_person(account.person)
    # One key seals the data of all accounts that the person had.
    if account.status != "closed" or (newest is not None and newest.status != "closed"):
        raise RefusedError("ACCOUNT_NOT_CLOSED")
    if account.person in ledger_state.operator_state.erased:
        raise InputError(f"the person of account {command.account} was erased already")
    require_no_hold(ledger_state, account.person, now)
    until = end_of_retention(_relationship_ended_at(ledger_state, account.person))
    if now < until:
        raise RefusedError("RETENTION_RUNS", until=day_of(until - 1))
    fields = sealed_by("person")
    return [e.PersonErased(person=account.person, account=command.account, fields=fields)]


def sealed_by(holder: str) -> tuple[str, ...]:
    """Return the encrypted fields whose key is named by ``person`` or by ``period_key``."""
    return tuple(
        f"{name}.{field}"
        for name, event in e.EVENTS.items()
        if event not in {e.SuspicionReported, e.AccessRecorded}  # in other chains, with other keys
        and holder in event.__struct_fields__
        for field in event.PERSONAL
    )


def destroy_period_key(
    ledger_state: LedgerState, command: DestroyPeriodKey, now: int
) -> list[e.Event]:
    """Decide :class:`DestroyPeriodKey`; the key is destroyed after the event is stored.

    Raises:
        InputError: the retention period has not ended, a hold is in force, or the key was destroyed
            before; nothing is recorded.

    """
    name = command.period_key
    if name in ledger_state.operator_state.erased:
        raise InputError(f"the key {name} was destroyed already")
    if now < (until := end_of_period_key(name)):
        raise InputError(f"the key {name} is kept until {day_of(until - 1)}")
    if holds := [
        hold
        for hold, legal_hold in ledger_state.operator_state.holds.items()
        if legal_hold.is_in_force(now)
    ]:
        raise InputError(f"hold {holds[0]} is in force, and {name} may seal what it covers")
    return [e.PeriodKeyDestroyed(period_key=name, fields=sealed_by("period_key"))]


def erasure_deferred(
    ledger_state: LedgerState, command: ErasePerson, refusal: Refusal
) -> list[e.Event]:
    """Return the event that records a deferred erasure: what retains the data, until when."""
    person = ledger_state.account(command.account).person
    runs = refusal.code == "RETENTION_RUNS"
    return [
        command.as_event(
            e.ErasureDeferred,
            refusal,
            person=person,
            until=end_of_retention(_relationship_ended_at(ledger_state, person)) if runs else None,
        )
    ]
