"""Admit guests to a casino: identify the guest and query the register (69GAMES 7; ZHH).

A guest without an account gets a number for the operating day. Before the guest plays, identity and
age are checked and the register is queried; of the identity only a keyed digest is stored.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from ledger.core.clock import age_in_years
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor.guard import require_casino
from ledger.decisions.protection.blocks import exclusions_in_force
from ledger.decisions.protection.register import REGISTER, RegisterPersonAnswer
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, OptionalName
from ledger.rules.law import ADULT_YEARS

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["AdmitGuest", "admit_guest"]


class AdmitGuest(Command, frozen=True):
    """Admit a guest to a casino; ``guest`` is the number of the admission.

    ``identity`` identifies the person uniquely, as in ``open_account``; ``verified_how`` names the
    document by which it was checked, and is empty if it could not be checked.
    """

    place: Id
    guest: Id
    identity: Name
    birth_date: date
    register: RegisterPersonAnswer
    verified_how: OptionalName = ""


@refuses("UNDER_AGE", "IDENTITY_NOT_VERIFIED", "LISTED_IN_REGISTER")
def admit_guest(ledger_state: LedgerState, command: AdmitGuest, now: int) -> list[e.Event]:
    """Decide :class:`AdmitGuest`; if the register is unavailable, its last known answer applies."""
    require_casino(ledger_state, command.place)
    person = ledger_state.keys.person(command.identity)
    if age_in_years(command.birth_date, now) < ADULT_YEARS:
        raise RefusedError("UNDER_AGE")
    if not command.verified_how:
        raise RefusedError("IDENTITY_NOT_VERIFIED")
    known = ledger_state.account_of_person(person)
    was_listed = known is not None and REGISTER in exclusions_in_force(known, now)
    if command.register == "listed" or (command.register == "unavailable" and was_listed):
        raise RefusedError("LISTED_IN_REGISTER")
    is_live = command.register != "unavailable"
    answer = command.register if is_live else "not_checked"
    return [command.as_event(e.GuestAdmitted, person=person, answer=answer, live=is_live)]
