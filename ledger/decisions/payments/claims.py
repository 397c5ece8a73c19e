"""Claims of the operator: what a player owes because the wallet did not hold it.

A correction, a prize taken back or a deposit returned is never refused for want of money, and
never makes a wallet negative: there is no credit. What is missing is a claim. It is settled by an
act of its own, not out of whatever comes in next. Amounts are haléř.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core import events as e
from ledger.core.command import Amount, Command, Id, Text
from ledger.core.refusals import RefusedError
from ledger.decisions.payments.funds import require_funds

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["SettleClaim", "settle_claim"]


class SettleClaim(Command, frozen=True):
    """Settle claims against an account, from its ``wallet`` or ``outside`` of it.

    Outside is what the person paid in another way, or what the operator gave up.
    """

    account: Id
    amount: Amount
    way: Literal["wallet", "outside"]
    reason: Text


def settle_claim(world: LedgerState, command: SettleClaim, _: int) -> list[e.Event]:
    """Decide :class:`SettleClaim`; a closed account has nothing left to take from.

    Refuses: CLAIM_TOO_LOW, INSUFFICIENT_FUNDS.
    """
    account = world.account(command.account)
    if command.amount > account.claims:
        raise RefusedError("CLAIM_TOO_LOW", left=account.claims)
    if command.way == "wallet":
        require_funds(account, command.amount)
    return [command.as_event(e.ClaimSettled)]
