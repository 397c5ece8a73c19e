"""Checks of a person that the act against money laundering requires, as facts.

The result of a check is not a fact of the account: the participant may see the account, but must
not learn of a suspicion. Results are in a separate chain (:mod:`ledger.decisions.suspicion`). The
read side computes which persons must be checked (:mod:`projections.checks.check_not_done`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["CheckPerson", "check_person"]

Check = Literal["identification", "control", "source_of_funds", "exposed_person", "sanctions"]


class CheckPerson(Command, frozen=True):
    """Record that the person of an account was checked, and how; without the findings.

    ``control`` is the check of the participant that linked transactions require.
    """

    account: Id
    check: Check
    how: Name


def check_person(ledger_state: LedgerState, command: CheckPerson, _: int) -> list[e.Event]:
    """Decide :class:`CheckPerson`."""
    ledger_state.account(command.account)
    return [command.as_event(e.PersonChecked)]
