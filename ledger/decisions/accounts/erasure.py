"""Erasure of a person: the key of the sealed personal data is destroyed (GDPR 17, AML act)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.clock import day_of
from ledger.core.command import Command, Id
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError
from ledger.decisions.accounts.holds import require_no_hold
from ledger.rules.retention import end_of_retention

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.ledger_state import LedgerState

__all__ = ["ErasePerson", "erase_person", "erasure_deferred"]


class ErasePerson(Command, frozen=True):
    """Destroy the key of a person's data; ``account`` is the person's closed account.

    If it is too early, the request is recorded with what retains the data; `gameledger retention`
    executes it later.
    """

    account: Id


def _relationship_ended_at(world: LedgerState, person: str) -> int:
    """Return when a person's last account was closed, or the last later movement of money."""
    accounts = [world.account(name) for name in world.accounts_of_person(person)]
    return max(max(account.closed_at, account.moved_at) for account in accounts)


def erase_person(world: LedgerState, command: ErasePerson, now: int) -> list[e.Event]:
    """Decide :class:`ErasePerson`; the key itself is destroyed after the event is stored.

    Refuses: ACCOUNT_NOT_CLOSED, LEGAL_HOLD, RETENTION_RUNS.
    """
    account = world.account(command.account)
    newest = world.account_of_person(account.person)
    # One key seals the data of all accounts that the person had.
    if account.status != "closed" or (newest is not None and newest.status != "closed"):
        raise RefusedError("ACCOUNT_NOT_CLOSED")
    if account.person in world.house.erased:
        raise InputError(f"the person of account {command.account} was erased already")
    require_no_hold(world, account.person, now)
    until = end_of_retention(_relationship_ended_at(world, account.person))
    if now < until:
        raise RefusedError("RETENTION_RUNS", until=day_of(until - 1))
    fields = tuple(
        f"{name}.{field}"
        for name, event in e.EVENTS.items()
        if event is not e.SuspicionReported  # stands in another chain, under another key
        for field in event.PERSONAL
    )
    return [e.PersonErased(person=account.person, account=command.account, fields=fields)]


def erasure_deferred(world: LedgerState, command: ErasePerson, refusal: Refusal) -> list[e.Event]:
    """Record that erasure was requested, and what retains the data until when."""
    person = world.account(command.account).person
    runs = refusal.code == "RETENTION_RUNS"
    return [
        command.as_event(
            e.ErasureDeferred,
            refusal,
            person=person,
            until=end_of_retention(_relationship_ended_at(world, person)) if runs else None,
        )
    ]
