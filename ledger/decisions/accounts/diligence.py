"""Checks of a person that the act against money laundering asks for, as facts.

What a check found is no fact of the account: its participant may be shown the account, and must
not learn of a suspicion. That stands in a chain of its own (:mod:`ledger.decisions.suspicion`).
Who is to be checked is counted by the read side (:mod:`projections.reconciliation.diligence`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core import events as e
from ledger.core.command import Command, Id, Name

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["CheckPerson", "check_person"]

Check = Literal["identification", "control", "source_of_funds", "exposed_person", "sanctions"]


class CheckPerson(Command, frozen=True):
    """Record that the person of an account was checked, and by what; not what was found.

    ``control`` is the check of the participant that linked transactions ask for.
    """

    account: Id
    check: Check
    how: Name


def check_person(world: LedgerState, command: CheckPerson, _: int) -> list[e.Event]:
    """Decide :class:`CheckPerson`."""
    world.account(command.account)
    return [command.as_event(e.PersonChecked)]
