"""Corrections of slips.

A correction is another event of the same type, with the signed difference and the name of the
corrected slip, so that sums over a section stay correct. The count at the close is final: a later
correction changes the difference that the count booked, not the counted amount.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from ledger.core.errors import InputError
from ledger.decisions.floor.guard import require_new_slip
from ledger.events import event_types as e
from ledger.events.command import Command, Count, Id, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["CorrectSlip", "correct_slip"]


class CorrectSlip(Command, frozen=True):
    """Correct a slip: ``amount`` is the right amount, 0 for a slip that should not exist.

    ``second`` is the same for the amount given in an exchange or paid on a bet.
    """

    slip: Id
    corrects: Id
    amount: Count
    cause: Text
    second: Count | None = None


def correct_slip(ledger_state: LedgerState, command: CorrectSlip, _: int) -> list[e.Event]:
    """Decide :class:`CorrectSlip`; a slip may be corrected more than once."""
    require_new_slip(ledger_state, command.slip)
    recorded: list[Any] = [
        recorded_slip
        for recorded_slip in ledger_state.events(f"slip:{command.corrects}")
        if type(recorded_slip) in SECOND
    ]
    if not recorded:
        raise InputError(f"there is no slip {command.corrects} that correct_slip can correct")
    original = recorded[0]
    if original.corrects:
        raise InputError(f"slip {command.corrects} is a correction: correct {original.corrects}")
    second = SECOND[type(original)]
    if (command.second is not None) != bool(second):
        raise InputError("a second amount belongs to an exchange or a bet, and to nothing else")
    facts: dict[str, Any] = {
        "slip": command.slip,
        "corrects": command.corrects,
        "cause": command.cause,
        "amount": command.amount - sum(recorded_slip.amount for recorded_slip in recorded),
    }
    if second:
        facts[second] = (command.second or 0) - sum(
            getattr(recorded_slip, second) for recorded_slip in recorded
        )
    if hasattr(original, "denominations"):
        facts |= {"denominations": (), "pieces": ()}
    return [replace(original, **facts, **_tills(ledger_state, original))]


def _tills(ledger_state: LedgerState, original: Any) -> dict[str, str]:
    """Return the place at which each side is booked.

    If the section was counted at the close, that is the place where the count booked its
    difference.
    """
    sections, tills = ledger_state.floor(original.place).sections, {}
    section = sections.get(original.section)
    if hasattr(original, "till") and (
        section is None or (not original.till.startswith("tronc:") and section.is_counted)
    ):
        tills["till"] = "guests" if type(original) in CHIPS_OF_TABLE else "differences"
    cage = sections.get(getattr(original, "cage_section", ""))
    if hasattr(original, "cage_till") and (cage is None or cage.is_counted):
        tills["cage_till"] = "differences"
    return tills


CHIPS_OF_TABLE = frozenset({e.FillReceived, e.CreditReturned, e.ChipBetSettled})
"""Slips whose chips the closing count of a float attributes to the play of guests."""
SECOND: dict[type[e.Event], str] = {
    e.ChipsSold: "",
    e.ChipsRedeemed: "",
    e.CageFunded: "",
    e.CageWithdrawn: "",
    e.CageOtherIn: "",
    e.CurrencyExchanged: "given",
    e.FillReceived: "",
    e.CreditReturned: "",
    e.DropMovedToCage: "",
    e.TipReceived: "",
    e.TipGiven: "",
    e.TroncMovedToCage: "",
    e.ChipsMissing: "",
    e.ChipBetSettled: "paid",
}
"""Events that can be corrected, with their second column of money."""
