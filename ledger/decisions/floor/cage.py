"""Cash that a casino's cash desk takes for an account, or pays out of one.

The account's books contain the deposit or withdrawal; the events made here record that the cash
enters or leaves the cage, or the box of a tournament, and its purpose. Both are one decision.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core.errors import InputError
from ledger.decisions.floor.guard import (
    CROWNS,
    require_countable,
    require_currency,
    require_section,
)
from ledger.events import event_types as e

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["PurposeIn", "PurposeOut", "cash_in", "cash_out"]

PurposeIn = Literal["account", "tournament_entry", "fee"]
PurposeOut = Literal["account", "tournament_prize", "tournament_return", "fee_return"]


def cash_in(
    ledger_state: LedgerState, section: str, deposited: e.DepositCredited, purpose: PurposeIn
) -> e.AccountCashIn:
    """Return the event of the cash taken for a deposit.

    Raises:
        InputError: the deposit is not paid in cash.
        RefusedError: SECTION_NOT_OPEN, SECTION_KIND_WRONG, CURRENCY_DIFFERS, NOT_COUNTED,
            COUNTED_ALREADY.

    """
    _require_cash(deposited.method_class)
    cage = require_section(ledger_state, section, "cage", "tournament")
    require_currency(cage, CROWNS)
    if cage.section.kind == "cage":
        require_countable(cage, "cash", CROWNS)
    return e.AccountCashIn(
        place=cage.place,
        section=section,
        station=cage.section.station,
        station_kind=cage.section.kind,
        account=deposited.account,
        slip=deposited.deposit,
        purpose=purpose,
        till=cage.section.till,
        currency=CROWNS,
        amount=deposited.amount,
    )


def cash_out(
    ledger_state: LedgerState, section: str, paid: e.WithdrawalPaid, purpose: PurposeOut
) -> e.AccountCashOut:
    """Return the event of the cash that a cage paid for a withdrawal.

    Raises:
        RefusedError: SECTION_NOT_OPEN, SECTION_KIND_WRONG, NOT_COUNTED, COUNTED_ALREADY.

    """
    cage = require_section(ledger_state, section, "cage")
    require_countable(cage, "cash", CROWNS)
    return e.AccountCashOut(
        place=cage.place,
        section=section,
        station=cage.section.station,
        account=paid.account,
        slip=paid.withdrawal,
        purpose=purpose,
        till=cage.section.till,
        currency=CROWNS,
        amount=paid.amount,
    )


def _require_cash(method_class: str) -> None:
    if method_class != "cash":
        raise InputError("a section takes cash: leave it out for any other way of payment")
