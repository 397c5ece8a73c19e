"""Deposits, withdrawals and fees (SAZKA 10, 11; decree 10/2019, ostatni_plneni).

Amounts are haléř.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.floor import cage
from ledger.decisions.floor.cage import PurposeIn, PurposeOut
from ledger.decisions.floor.guard import SLIP_REFUSALS
from ledger.decisions.payments.funds import claimed_of, require_funds
from ledger.decisions.protection.blocks import PLAY_REFUSALS, require_may_play
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Id, OptionalId, Text
from ledger.rules.law import TEMPORARY_DEPOSITS_MAX
from ledger.state.account_fold import CASH_WINDOW

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.rules.operator import Figures
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CancelWithdrawal",
    "ChargeFee",
    "Deposit",
    "PayWithdrawal",
    "ReturnDeposit",
    "ReturnFee",
    "Withdraw",
    "cancel_withdrawal",
    "cancellation_refused",
    "charge_fee",
    "deposit",
    "deposit_refused",
    "pay_withdrawal",
    "return_deposit",
    "return_fee",
    "return_refused",
    "withdraw",
    "withdrawal_refused",
]

CASH = "cash"
Section = OptionalId
"""Operating section of a cash desk, or empty."""


class Deposit(Command, frozen=True):
    """Deposit money: ``method`` is a registered payment method, or ``cash``.

    ``received`` says that the money has already arrived, as with a bank transfer; if it violates
    the rules it is returned, and money that has not arrived is refused. ``section`` is that of the
    cage or tournament of a casino whose cash desk takes the cash, ``purpose`` its purpose.
    """

    account: Id
    deposit: Id
    amount: Amount
    method: Id
    document_shown: bool = False
    received: bool = False
    section: Section = ""
    purpose: PurposeIn = "account"


class ReturnDeposit(Command, frozen=True):
    """Return a credited deposit that turned out to violate the rules (SAZKA 10(3))."""

    account: Id
    deposit: Id
    reason: Text


class Withdraw(Command, frozen=True):
    """Withdraw money, in ``cash`` at once, or to the registered payment account when paid.

    ``section`` is that of the cage of a casino that pays the cash, ``purpose`` its purpose.
    """

    account: Id
    withdrawal: Id
    amount: Amount
    method: Id
    document_shown: bool = False
    section: Section = ""
    purpose: PurposeOut = "account"


class PayWithdrawal(Command, frozen=True):
    """Record that a requested withdrawal was paid."""

    account: Id
    withdrawal: Id


class CancelWithdrawal(Command, frozen=True):
    """Return the money of a requested withdrawal to the wallet."""

    account: Id
    withdrawal: Id
    reason: Text


class ChargeFee(Command, frozen=True):
    """Charge a fee that is not a bet."""

    account: Id
    fee: Id
    amount: Amount
    reason: Text


class ReturnFee(Command, frozen=True):
    """Return a fee or part of it."""

    account: Id
    fee: Id
    amount: Amount
    reason: Text


@refuses(
    "DEPOSIT_NOT_CREDITED",
    *PLAY_REFUSALS,
    "TEMPORARY_DEPOSITS",
    "DOCUMENT_NOT_SHOWN",
    "CASH_LIMIT",
    "METHOD_NOT_REGISTERED",
    *SLIP_REFUSALS,
)
def deposit(ledger_state: LedgerState, command: Deposit, now: int) -> list[e.Event]:
    """Decide :class:`Deposit`."""
    account = ledger_state.account(command.account)
    _require_new(ledger_state, "deposit", command.deposit, e.DepositRefused, "DEPOSIT_NOT_CREDITED")
    _may_deposit(ledger_state, account, command, now)
    credited = command.as_event(
        e.DepositCredited,
        method_class=_class_of(account, command.method),
        name_digest=ledger_state.keys.name_digest(command.deposit),
    )
    if not command.section:
        return [credited]
    return [credited, cage.cash_in(ledger_state, command.section, credited, command.purpose)]


def _may_deposit(
    ledger_state: LedgerState, account: AccountState, command: Deposit, now: int
) -> None:
    require_may_play(account, now)
    total = sum(account.deposited.values()) + command.amount
    if account.regime == "temporary" and total > TEMPORARY_DEPOSITS_MAX:
        raise RefusedError("TEMPORARY_DEPOSITS")
    if command.method == CASH:
        cash = ledger_state.participant(account, now).cash_in
        _require_cash_allowed(
            ledger_state.rules.figures, cash, command, now, Phrase("CASH_DEPOSITS")
        )
    elif command.method not in account.methods:
        raise RefusedError("METHOD_NOT_REGISTERED")


def _require_cash_allowed(
    figures: Figures,
    window: list[tuple[int, int]],
    command: Deposit | Withdraw,
    now: int,
    direction: Phrase,
) -> None:
    """Refuse cash above the limit of 24 hours of the person, counted over all accounts."""
    if not command.document_shown:
        raise RefusedError("DOCUMENT_NOT_SHOWN")
    moved = sum(amount for moment, amount in window if moment > now - CASH_WINDOW)
    left = figures.cash_haler.value - moved
    if command.amount > left:
        raise RefusedError("CASH_LIMIT", direction=direction, left=left)


def deposit_refused(ledger_state: LedgerState, command: Deposit, refusal: Refusal) -> list[e.Event]:
    """Return the events that record why :func:`deposit` refused.

    Money that has already arrived is returned (SAZKA 10(3)).
    """
    of_method = _class_of(ledger_state.account(command.account), command.method)
    refused = command.as_event(e.DepositRefused, refusal, method_class=of_method)
    if not command.received:
        return [refused]
    returned = command.as_event(
        e.DepositReturned,
        method_class=of_method,
        credited=False,
        reason=refusal.code,
        claimed=0,
        name_digest=ledger_state.keys.name_digest(command.deposit),
    )
    return [refused, returned]


@refuses("DEPOSIT_NOT_CREDITED")
def return_deposit(ledger_state: LedgerState, command: ReturnDeposit, _: int) -> list[e.Event]:
    """Decide :class:`ReturnDeposit`; the part that was played becomes a claim.

    A deposit that comes after its return is refused.
    """
    account = ledger_state.account(command.account)
    credited = _recorded(ledger_state, "deposit", command.deposit, command.account)
    if not isinstance(credited, e.DepositCredited):
        raise RefusedError("DEPOSIT_NOT_CREDITED")
    return [
        command.as_event(
            e.DepositReturned,
            amount=credited.amount,
            method=credited.method,
            method_class=credited.method_class,
            credited=True,
            claimed=claimed_of(account, credited.amount),
            name_digest=credited.name_digest,
        )
    ]


def return_refused(
    ledger_state: LedgerState, command: ReturnDeposit, refusal: Refusal
) -> list[e.Event]:
    """Return the event that records why :func:`return_deposit` refused.

    For an unknown deposit it is the refusal of that deposit, which the deposit meets when it comes.
    """
    if ledger_state.exists(f"deposit:{command.deposit}"):
        return [
            command.as_event(
                e.CommandRefused, refusal, command="return_deposit", round="", table=""
            )
        ]
    return [
        command.as_event(
            e.DepositRefused, refusal, amount=0, method="", method_class="", received=False
        )
    ]


@refuses(
    "WITHDRAWAL_NOT_PENDING",
    "ACCOUNT_CLOSED",
    "TEMPORARY_ACCOUNT",
    "DOCUMENT_NOT_SHOWN",
    "CASH_LIMIT",
    "METHOD_NOT_REGISTERED",
    "WITHDRAWAL_TO_ACCOUNT_ONLY",
    "INSUFFICIENT_FUNDS",
    "SECTION_NOT_OPEN",
    "SECTION_KIND_WRONG",
    "NOT_COUNTED",
    "COUNTED_ALREADY",
)
def withdraw(ledger_state: LedgerState, command: Withdraw, now: int) -> list[e.Event]:
    """Decide :class:`Withdraw`; cash is paid in the same decision."""
    account = ledger_state.account(command.account)
    _require_new(
        ledger_state,
        "withdrawal",
        command.withdrawal,
        e.WithdrawalRefused,
        "WITHDRAWAL_NOT_PENDING",
    )
    _may_withdraw(ledger_state, account, command, now)
    of_method = _class_of(account, command.method)
    requested = command.as_event(e.WithdrawalRequested, method_class=of_method)
    if command.section and command.method != CASH:
        raise InputError("a section pays cash: leave it out for any other way of payment")
    if command.method != CASH:
        return [requested]
    paid = command.as_event(
        e.WithdrawalPaid,
        method_class=of_method,
        document_shown=True,
        name_digest=ledger_state.keys.name_digest(command.withdrawal),
    )
    if not command.section:
        return [requested, paid]
    return [requested, paid, cage.cash_out(ledger_state, command.section, paid, command.purpose)]


def _may_withdraw(
    ledger_state: LedgerState, account: AccountState, command: Withdraw, now: int
) -> None:
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if account.regime == "temporary":
        raise RefusedError("TEMPORARY_ACCOUNT")
    if command.method == CASH:
        cash = ledger_state.participant(account, now).cash_out
        _require_cash_allowed(
            ledger_state.rules.figures, cash, command, now, Phrase("CASH_WITHDRAWALS")
        )
    elif command.method not in account.methods:
        raise RefusedError("METHOD_NOT_REGISTERED")
    elif account.methods[command.method] != "account":
        raise RefusedError("WITHDRAWAL_TO_ACCOUNT_ONLY")
    require_funds(account, command.amount)


def withdrawal_refused(
    ledger_state: LedgerState, command: Withdraw, refusal: Refusal
) -> list[e.Event]:
    """Return the event that records why :func:`withdraw` refused."""
    return [
        command.as_event(
            e.WithdrawalRefused,
            refusal,
            method_class=_class_of(ledger_state.account(command.account), command.method),
        )
    ]


@refuses("WITHDRAWAL_NOT_PENDING")
def pay_withdrawal(ledger_state: LedgerState, command: PayWithdrawal, _: int) -> list[e.Event]:
    """Decide :class:`PayWithdrawal`."""
    amount, method, method_class = _pending(ledger_state, command.account, command.withdrawal)
    return [
        command.as_event(
            e.WithdrawalPaid,
            amount=amount,
            method=method,
            method_class=method_class,
            document_shown=False,
            name_digest=ledger_state.keys.name_digest(command.withdrawal),
        )
    ]


@refuses("WITHDRAWAL_NOT_PENDING")
def cancel_withdrawal(
    ledger_state: LedgerState, command: CancelWithdrawal, _: int
) -> list[e.Event]:
    """Decide :class:`CancelWithdrawal`; a withdrawal that comes after it is refused."""
    amount, _method, _class = _pending(ledger_state, command.account, command.withdrawal)
    return [command.as_event(e.WithdrawalCancelled, amount=amount)]


def cancellation_refused(
    ledger_state: LedgerState, command: CancelWithdrawal, refusal: Refusal
) -> list[e.Event]:
    """Return the event that records why :func:`cancel_withdrawal` refused.

    For an unknown withdrawal it is the refusal of that withdrawal, which the withdrawal meets when
    it comes.
    """
    if ledger_state.exists(f"withdrawal:{command.withdrawal}"):
        return [
            command.as_event(
                e.CommandRefused, refusal, command="cancel_withdrawal", round="", table=""
            )
        ]
    return [command.as_event(e.WithdrawalRefused, refusal, amount=0, method="", method_class="")]


@refuses("ACCOUNT_CLOSED", "INSUFFICIENT_FUNDS")
def charge_fee(ledger_state: LedgerState, command: ChargeFee, _: int) -> list[e.Event]:
    """Decide :class:`ChargeFee`."""
    account = ledger_state.account(command.account)
    _require_new(ledger_state, "fee", command.fee)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    require_funds(account, command.amount)
    return [command.as_event(e.FeeCharged)]


@refuses("ACCOUNT_CLOSED", "FEE_TOO_LOW")
def return_fee(ledger_state: LedgerState, command: ReturnFee, _: int) -> list[e.Event]:
    """Decide :class:`ReturnFee`."""
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    left = 0
    for recorded in ledger_state.events(f"fee:{command.fee}"):
        if isinstance(recorded, e.FeeCharged) and recorded.account == command.account:
            left += recorded.amount
        elif isinstance(recorded, e.FeeReturned):
            left -= recorded.amount
    if command.amount > left:
        raise RefusedError("FEE_TOO_LOW", left=left)
    return [command.as_event(e.FeeReturned)]


def _class_of(account: AccountState, method: str) -> str:
    return CASH if method == CASH else account.methods.get(method, "other")


def _require_new(
    ledger_state: LedgerState,
    kind: str,
    name: str,
    refused: type[e.DepositRefused | e.WithdrawalRefused] | None = None,
    ended: str = "",
) -> None:
    """Refuse a payment whose return or cancellation, with the code ``ended``, came before it.

    Raises:
        InputError: the name is used already.

    """
    if not ledger_state.exists(f"{kind}:{name}"):
        return
    if refused is not None:
        last = ledger_state.last_event_of((refused.__name__,), f"{kind}:{name}")
        if isinstance(last, refused) and last.code == ended:
            raise RefusedError(ended)
    raise InputError(f"{kind} {name} exists already; give every {kind} a name of its own")


def _recorded(ledger_state: LedgerState, kind: str, name: str, account: str) -> e.Event | None:
    last = None
    for event in ledger_state.events(f"{kind}:{name}"):
        if getattr(event, "account", "") == account:
            last = event
    return last


def _pending(ledger_state: LedgerState, account: str, withdrawal: str) -> tuple[int, str, str]:
    pending = ledger_state.account(account).withdrawals.get(withdrawal)
    if pending is None:
        raise RefusedError("WITHDRAWAL_NOT_PENDING")
    return pending
