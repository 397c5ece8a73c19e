"""End of a temporary account (ZHH 80 in the wording of 2016).

After its 30 days the account accepts neither bets nor deposits, whether or not its end was recorded
(``ledger.decisions.protection.blocks``). The operator's nightly job then sends
``end_temporary_account``: the account is closed and its unspent deposits are returned, at the
latest within the days of ``TEMPORARY_NOT_REPAID`` (``ledger/rules/deadlines.toml``). If the account
was made permanent in time, nothing changes for its person.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.accounts.cancellation import closing_events
from ledger.events.command import Command, Id

if TYPE_CHECKING:
    from ledger.events import event_types as e
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

__all__ = ["EndTemporaryAccount", "end_temporary_account"]

GROUND = "ZHH 80(1)"


class EndTemporaryAccount(Command, frozen=True):
    """Close a temporary account after its 30 days; unspent deposits are returned."""

    account: Id


@refuses("ACCOUNT_CLOSED", "TEMPORARY_NOT_OVER")
def end_temporary_account(
    ledger_state: LedgerState, command: EndTemporaryAccount, now: int
) -> list[e.Event]:
    """Decide :class:`EndTemporaryAccount`.

    Neither a pending cancellation nor a complaint delays it: the law sets seven days.
    """
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    why = _why_not_yet(account, now)
    if why:
        raise RefusedError("TEMPORARY_NOT_OVER", why=why)
    return closing_events(account, GROUND, ledger_state.rules)


def _why_not_yet(account: AccountState, now: int) -> Phrase | None:
    if account.temporary_until is None:
        return Phrase("ACCOUNT_PERMANENT")
    if now < account.temporary_until:
        return Phrase("TEMPORARY_UNTIL", until=account.temporary_until)
    return Phrase("BET_NOT_EVALUATED") if account.bets else None
