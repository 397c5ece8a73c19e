"""Continuous play in streamed live games (SAZKA 5a(3) to (6)).

One sequence covers all streamed tables of the operator and all accounts of the participant
(``LedgerState.participant``). It begins with the first placement that became a bet and lasts until
the evaluation of its last round; the evaluation is the recorded result, a void round has none. A
placement 15 minutes or more after the last evaluation begins a new sequence.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.refusals import RefusedError
from ledger.events import event_types as e

if TYPE_CHECKING:
    from ledger.rules.operator import Figures
    from ledger.state.account import AccountState

__all__ = ["break_after_result", "require_no_break"]


def require_no_break(account: AccountState, now: int, figures: Figures) -> None:
    """Refuse chips from the greatest length of play to the end of the break after its evaluation.

    Both are the operator's figures, by law at most 120 and at least 15 minutes.

    Raises:
        RefusedError: BREAK_REQUIRED; at the very end of the break the chips are accepted.

    """
    length = account.last_evaluated_at - account.sequence_started_at
    until = account.last_evaluated_at + figures.break_length
    if length >= figures.longest_play and now < until:
        raise RefusedError("BREAK_REQUIRED", until=until)


def break_after_result(
    account: AccountState, first_placed_at: int, now: int, figures: Figures
) -> e.BreakImposed | None:
    """Return the break that a result at ``now`` imposes; None if the sequence is too short.

    Args:
        account: the account before the result, from ``LedgerState.participant``.
        first_placed_at: when the participant first placed chips that became a bet of the round.
        now: time of the result.
        figures: figures of the operator.

    """
    since = first_placed_at - account.last_evaluated_at
    goes_on = account.last_evaluated_at and since < figures.break_length
    started_at = account.sequence_started_at if goes_on else first_placed_at
    if now - started_at < figures.longest_play:
        return None
    return e.BreakImposed(
        account=account.account,
        sequence_started_at=started_at,
        last_evaluated_at=now,
        until=now + figures.break_length,
    )
