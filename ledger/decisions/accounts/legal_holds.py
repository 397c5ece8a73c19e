"""Legal holds: personal data that are needed as evidence are not erased.

Source: GDPR 17(3)(b), (e), 18. What comes in: the requester, the reason, and the case. A hold on an
account covers all data of its person. A hold on a round covers every person whom an event of the
round names: players, refused persons, and persons named later. Guaranteed: the cost of a check
grows only with the number of holds in force, not with the history. A hold ends by a command or at
the end that was set for it; to prolong a hold, place another one.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, OptionalId, OptionalName, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["EndHold", "PlaceHold", "end_hold", "place_hold", "require_no_hold"]


class PlaceHold(Command, frozen=True):
    """Hold the personal data of a person, or of all participants of a round.

    Give ``account``, any of the person's, or ``round``. ``ordered_by`` is the requesting office,
    ``reference`` the case or evidence; texts must not name persons, because they cannot be erased.
    """

    hold: Id
    ordered_by: Name
    reason: Text
    reference: Name
    account: OptionalId = ""
    round: OptionalId = ""
    until: Annotated[datetime, Meta(tz=True)] | None = None


class EndHold(Command, frozen=True):
    """End a hold; ``reference`` is the decision that orders it, if there is one."""

    hold: Id
    ordered_by: Name
    reason: Text
    reference: OptionalName = ""


def place_hold(ledger_state: LedgerState, command: PlaceHold, now: int) -> list[e.Event]:
    """Decide :class:`PlaceHold`."""
    if bool(command.account) == bool(command.round):
        raise InputError("a hold is on one account or one round: give `account` or `round`")
    if ledger_state.exists(f"hold:{command.hold}"):
        raise InputError(f"hold {command.hold} exists already; give every hold a name of its own")
    until = from_datetime(command.until) if command.until else None
    if until is not None and until <= now:
        raise InputError("the hold would end before it begins: correct `until`")
    if command.round:
        ledger_state.round(command.round)
        person = ""
    else:
        person = ledger_state.account(command.account).person
        if person in ledger_state.operator_state.erased:
            raise InputError(f"the person of account {command.account} was erased already")
    return [command.as_event(e.LegalHoldPlaced, person=person, until=until)]


def end_hold(ledger_state: LedgerState, command: EndHold, now: int) -> list[e.Event]:
    """Decide :class:`EndHold`."""
    hold = ledger_state.operator_state.holds.get(command.hold)
    if hold is None or not hold.is_in_force(now):
        text = f"no hold {command.hold} is in force"
        raise InputError(f"{text}: `gameledger hold list` shows those that are")
    return [
        command.as_event(
            e.LegalHoldEnded, account=hold.account, person=hold.person, round=hold.round
        )
    ]


def require_no_hold(ledger_state: LedgerState, person: str, now: int) -> None:
    """Refuse while a hold covers a person.

    Raises:
        RefusedError: LEGAL_HOLD.

    """
    for name, hold in ledger_state.operator_state.holds.items():
        if hold.is_in_force(now) and (
            ledger_state.has_taken_part(person, hold.round) if hold.round else hold.person == person
        ):
            until = (
                Phrase("UNTIL_MOMENT", until=hold.until) if hold.until else Phrase("UNTIL_ENDED")
            )
            raise RefusedError("LEGAL_HOLD", hold=name, until=until)
