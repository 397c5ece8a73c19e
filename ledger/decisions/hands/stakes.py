"""Checks before a player puts money into a hand or a tournament (SAZKA 2, 5a, 13).

These games are not streamed, so the limit of 120 minutes does not apply. A blocked player may
still fold; no player is forced to put money in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.refusals import RefusedError
from ledger.decisions.operator.setup import open_table_of
from ledger.decisions.payments.funds import require_funds
from ledger.decisions.protection.blocks import PLAY_REFUSALS, require_may_play
from ledger.decisions.protection.measures import MEASURE_REFUSALS, require_measures_allow
from ledger.decisions.rounds.betting import require_logged_in

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["STAKE_REFUSALS", "require_may_stake", "require_may_stake_at"]


STAKE_REFUSALS = (
    *PLAY_REFUSALS,
    "NOT_LOGGED_IN",
    *MEASURE_REFUSALS,
    "INSUFFICIENT_FUNDS",
)
"""Refusals of :func:`require_may_stake`, in the order of the checks."""


def require_may_stake(ledger_state: LedgerState, account: str, amount: int, now: int) -> None:
    """Refuse money of a player without the right to play, or without funds.

    Raises:
        RefusedError: as for a bet.

    """
    state = ledger_state.account(account)
    require_may_play(state, now)
    require_logged_in(state)
    require_measures_allow(ledger_state.participant(state, now), amount, now, chips=state.reserved)
    require_funds(state, amount)


def require_may_stake_at(
    ledger_state: LedgerState, account: str, amount: int, now: int, *, game: str, table: str
) -> None:
    """Refuse money at a table if its game or the table is suspended or the player is not seated.

    Raises:
        RefusedError: as for a bet.

    """
    if ledger_state.operator_state.games[game].suspended:
        raise RefusedError("GAME_SUSPENDED")
    if open_table_of(ledger_state, table).suspended:
        raise RefusedError("TABLE_SUSPENDED")
    if table not in ledger_state.account(account).tables:
        raise RefusedError("NOT_SEATED")
    require_may_stake(ledger_state, account, amount, now)
