"""Corrections after settlement: new events that refer to the old ones.

Amounts are haléř. A correction never makes a wallet negative: what the wallet does not cover
becomes a claim of the operator.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from msgspec import Meta

from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.accounts.cancellation import repayments
from ledger.decisions.payments.funds import claimed_of
from ledger.events import event_types as e
from ledger.events.command import Amount, BetId, Command, Id, Name, Text

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundBet

__all__ = [
    "CorrectBet",
    "CorrectWin",
    "WithholdPrize",
    "correct_bet",
    "correct_win",
    "withhold_prize",
]

Difference = Annotated[int, Meta(ge=-(10**15), le=10**15)]


class CorrectWin(Command, frozen=True):
    """Correct the payment of a settled bet; a positive difference is paid to the player."""

    round: Id
    bet: BetId
    difference: Difference
    cause: Text


class CorrectBet(Command, frozen=True):
    """Correct the stake of a settled bet; a positive difference is charged to the player."""

    round: Id
    bet: BetId
    difference: Difference
    cause: Text


class WithholdPrize(Command, frozen=True):
    """Withhold or reclaim a prize for a breach of the plan, under a paragraph that allows it."""

    round: Id
    bet: BetId
    amount: Amount
    paragraph: Name
    cause: Text


@refuses("BET_NOT_SETTLED")
def correct_win(ledger_state: LedgerState, command: CorrectWin, _: int) -> list[e.Event]:
    """Decide :class:`CorrectWin`."""
    bet = _settled_bet(ledger_state, command.round, command.bet)
    _require_change(command.difference)
    if bet.paid + command.difference < 0:
        raise InputError(f"the payment of bet {command.bet} would be below zero")
    return [
        command.as_event(
            e.WinCorrected,
            account=bet.account,
            claimed=claimed_of(ledger_state.account(bet.account), -command.difference),
        ),
        *_back_at_once(ledger_state, bet, command.difference),
    ]


@refuses("BET_NOT_SETTLED")
def correct_bet(ledger_state: LedgerState, command: CorrectBet, _: int) -> list[e.Event]:
    """Decide :class:`CorrectBet`."""
    bet = _settled_bet(ledger_state, command.round, command.bet)
    _require_change(command.difference)
    if bet.stake + bet.corrected + command.difference < 0:
        raise InputError(f"the stake of bet {command.bet} would be below zero")
    return [
        command.as_event(
            e.BetCorrected,
            account=bet.account,
            claimed=claimed_of(ledger_state.account(bet.account), command.difference),
        ),
        *_back_at_once(ledger_state, bet, -command.difference),
    ]


def _require_change(difference: int) -> None:
    if not difference:
        raise InputError("a correction changes something: `difference` is 0")


def _back_at_once(ledger_state: LedgerState, bet: RoundBet, change: int) -> list[e.Event]:
    """Return the events that pay a correction out at once if the account is closed."""
    account = ledger_state.account(bet.account)
    if account.status != "closed" or change <= 0:
        return []
    return [
        e.BalanceReturned(account=bet.account, amount=amount, method=method, way=way)
        for method, way, amount in repayments(account, change)
    ]


@refuses("BET_NOT_SETTLED", "PRIZE_TOO_LOW")
def withhold_prize(ledger_state: LedgerState, command: WithholdPrize, _: int) -> list[e.Event]:
    """Decide :class:`WithholdPrize`; only the paid part of the prize is reclaimed.

    After a correction of the win, the prize is the remaining part of the payment (SAZKA 17(2)).

    Raises:
        InputError: the operator's rules do not allow withholding prizes under that paragraph.

    """
    known = ledger_state.rules.withholding
    if command.paragraph not in known:
        raise InputError(f"withhold_prize: `paragraph` is one of {', '.join(known)}")
    bet = _settled_bet(ledger_state, command.round, command.bet)
    prize = max(bet.paid, 0) if bet.amended else bet.due - bet.withheld
    if command.amount > prize:
        raise RefusedError("PRIZE_TOO_LOW", prize=prize)
    owed = min(command.amount, max(bet.paid, 0))
    claimed = claimed_of(ledger_state.account(bet.account), owed)
    return [
        command.as_event(
            e.PrizeWithheld, account=bet.account, collected=owed - claimed, claimed=claimed
        )
    ]


def _settled_bet(ledger_state: LedgerState, round_name: str, name: str) -> RoundBet:
    bet = ledger_state.round_or_new(round_name).bets.get(name)
    if bet is None or bet.status != "settled":
        raise RefusedError("BET_NOT_SETTLED")
    return bet
