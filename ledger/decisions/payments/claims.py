"""Claims of the operator: debts of a player that the wallet did not cover.

A correction, a reclaimed prize or a returned deposit is never refused for lack of money, and never
makes a wallet negative: there is no credit. The missing amount becomes a claim. A separate command
settles it; later income is not used for it automatically. Amounts are haléř.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.payments.funds import require_funds
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Id, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["SettleClaim", "settle_claim"]


class SettleClaim(Command, frozen=True):
    """Settle claims against an account, from its ``wallet`` or ``outside`` of it.

    Outside is what the person paid in another way, or what the operator waived.
    """

    account: Id
    amount: Amount
    way: Literal["wallet", "outside"]
    reason: Text


@refuses("CLAIM_TOO_LOW", "INSUFFICIENT_FUNDS")
def settle_claim(ledger_state: LedgerState, command: SettleClaim, _: int) -> list[e.Event]:
    """Decide :class:`SettleClaim`; the wallet of a closed account cannot be charged."""
    account = ledger_state.account(command.account)
    if command.amount > account.claims:
        raise RefusedError("CLAIM_TOO_LOW", left=account.claims)
    if command.way == "wallet":
        require_funds(account, command.amount)
    return [command.as_event(e.ClaimSettled)]
