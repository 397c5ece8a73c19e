"""Check a wallet against an amount; amounts are haléř."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.refusals import RefusedError

if TYPE_CHECKING:
    from ledger.state.account import AccountState

__all__ = ["claimed_of", "require_funds"]


def require_funds(account: AccountState, amount: int) -> None:
    """Refuse an amount that the wallet does not cover (SAZKA 13(2)).

    Raises:
        RefusedError: INSUFFICIENT_FUNDS.

    """
    if account.wallet < amount:
        raise RefusedError("INSUFFICIENT_FUNDS", available=account.wallet, needed=amount)


def claimed_of(account: AccountState, owed: int) -> int:
    """Return the part of ``owed`` that the wallet does not cover; it becomes a claim."""
    return max(owed - account.wallet, 0)
