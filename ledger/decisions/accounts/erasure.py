"""Erasure of a person: the key of the sealed personal data is destroyed (GDPR 17, AML act)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core import events as e
from ledger.core.command import Command, Id
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError
from ledger.decisions.accounts.holds import require_no_hold

if TYPE_CHECKING:
    from ledger.state.world import World

__all__ = ["ErasePerson", "erase_person"]


class ErasePerson(Command, frozen=True):
    """Destroy the key of a person's data; ``account`` is the person's closed account."""

    account: Id


def erase_person(world: World, command: ErasePerson, now: int) -> list[e.Event]:
    """Decide :class:`ErasePerson`; the key itself is destroyed after the event is stored.

    Refuses: ACCOUNT_NOT_CLOSED, LEGAL_HOLD.
    """
    account = world.account(command.account)
    newest = world.account_of_person(account.person)
    # One key seals the data of all accounts that the person had.
    if account.status != "closed" or (newest is not None and newest.status != "closed"):
        raise RefusedError("ACCOUNT_NOT_CLOSED")
    if account.person in world.house.erased:
        raise InputError(f"the person of account {command.account} was erased already")
    require_no_hold(world, account.person, now)
    fields = tuple(
        f"{name}.{field}" for name, event in e.EVENTS.items() for field in event.PERSONAL
    )
    return [e.PersonErased(person=account.person, account=command.account, fields=fields)]
