"""Cancellation of an account, objections and complaints (SAZKA 12, 16)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal, TypedDict

from msgspec import Meta

from ledger.core.clock import DAY, day_of, months_before
from ledger.core.errors import InputError
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.session_end import end_session
from ledger.events import event_types as e
from ledger.events.command import (
    BetId,
    Command,
    Id,
    OptionalId,
    OptionalText,
    Text,
    round_of,
)
from ledger.privacy import period_key
from ledger.rules.periods import end_of_period

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.decisions.accounts.cases import CaseLifecycle, Kind
    from ledger.rules.operator import Figures, OperatorRules, Periods
    from ledger.state.account import AccountState, Cancellation
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "CloseAccount",
    "ConfirmCancellation",
    "ConfirmObjection",
    "DecideComplaint",
    "DecideObjection",
    "FileComplaint",
    "FileObjection",
    "RequestCancellation",
    "WithdrawCancellation",
    "close_account",
    "closing_events",
    "confirm_cancellation",
    "confirm_objection",
    "decide_complaint",
    "decide_objection",
    "file_complaint",
    "file_objection",
    "repayments",
    "request_cancellation",
    "withdraw_cancellation",
]

OWN_REQUEST = "12(4)"
DORMANT = "12(1)b"
CONCERNED_MAX = 50
PARTS = ("ground", "objection", "email_address", "postal_address")
"""Required parts of a notice: its ground, the right to object, the addresses for objections."""
Part = Literal["ground", "objection", "email_address", "postal_address"]
Ground = Literal["12(1)a", "12(1)b", "12(1)c", "12(2)a", "12(2)b", "12(2)c", "12(4)"]


class RequestCancellation(Command, frozen=True):
    """Begin the cancellation of an account; ``ground`` is a paragraph of SAZKA 12."""

    account: Id
    ground: Ground
    explanation: OptionalText = ""


class ConfirmCancellation(Command, frozen=True):
    """Record that the notice or the receipt was sent; the period of 15 days starts.

    ``way`` is how it was sent, ``parts`` what it contains. A notice of the operator gives the
    ground, the right to object and the two addresses for objections, and goes to the registered
    e-mail address (SAZKA 12(3)). ``gameledger reconcile`` reports missing parts.
    """

    account: Id
    notice: Text
    way: Literal["email", "post", "account", ""] = ""
    parts: Annotated[tuple[Part, ...], Meta(max_length=len(PARTS))] = ()


class WithdrawCancellation(Command, frozen=True):
    """Withdraw a cancellation that the participant requested (SAZKA 12(4))."""

    account: Id


class FileObjection(Command, frozen=True):
    """Object to the cancellation on behalf of the participant (SAZKA 12(3))."""

    account: Id
    case: Id
    grounds: Text


class ConfirmObjection(Command, frozen=True):
    """Record that the receipt of an objection was confirmed (SAZKA 12(7))."""

    account: Id
    case: Id


class DecideObjection(Command, frozen=True):
    """Decide an objection; an upheld one restores the account (SAZKA 12(7))."""

    account: Id
    case: Id
    upheld: bool
    explanation: Text


class FileComplaint(Command, frozen=True):
    """Record a complaint (SAZKA 16) and the rounds and bets of the account that it concerns.

    The name of a bet contains its round. ``round`` and ``rounds`` may be used together.
    """

    account: Id
    case: Id
    grounds: Text
    round: OptionalId = ""
    rounds: Annotated[tuple[Id, ...], Meta(max_length=CONCERNED_MAX)] = ()
    bets: Annotated[tuple[BetId, ...], Meta(max_length=CONCERNED_MAX)] = ()


class DecideComplaint(Command, frozen=True):
    """Decide a complaint."""

    account: Id
    case: Id
    upheld: bool
    explanation: Text


_OfGrounds = FileObjection | FileComplaint
_OfExplanation = RequestCancellation | DecideObjection | DecideComplaint
OfCase = FileObjection | ConfirmObjection | DecideObjection | FileComplaint | DecideComplaint


class CloseAccount(Command, frozen=True):
    """Close an account after its cancellation is complete; the balance is returned."""

    account: Id


@refuses("ACCOUNT_CLOSED", "CANCELLATION_RUNS", "GROUND_NOT_GIVEN")
def request_cancellation(
    ledger_state: LedgerState, command: RequestCancellation, now: int
) -> list[e.Event]:
    """Decide :class:`RequestCancellation` (SAZKA 12(1), (2), (4))."""
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if account.status == "cancelling":
        raise RefusedError("CANCELLATION_RUNS")
    if command.ground == DORMANT:
        _require_dormant(account, now, ledger_state.rules.figures)
    if command.ground != OWN_REQUEST and not command.explanation:
        raise InputError("a notice gives its ground in words: fill `explanation` (SAZKA 12(3))")
    return [
        command.as_event(
            e.CancellationRequested,
            by="participant" if command.ground == OWN_REQUEST else "operator",
            **_explanation(ledger_state, command, e.CancellationRequested, now),
        )
    ]


class _Grounds(TypedDict):
    person: str
    grounds: bytes


class _Explanation(TypedDict):
    person: str
    explanation: bytes


def _grounds(
    ledger_state: LedgerState, command: _OfGrounds, kind: type[e.Event], now: int
) -> _Grounds:
    """Encrypt the text of a participant."""
    holder = _holder(ledger_state, command.account, now)
    sealed = ledger_state.keys.seal(holder, f"{kind.__name__}.grounds", command.grounds)
    return {"person": holder, "grounds": sealed}


def _explanation(
    ledger_state: LedgerState, command: _OfExplanation, kind: type[e.Event], now: int
) -> _Explanation:
    """Encrypt a text for a participant."""
    holder = _holder(ledger_state, command.account, now)
    sealed = ledger_state.keys.seal(holder, f"{kind.__name__}.explanation", command.explanation)
    return {"person": holder, "explanation": sealed}


def _holder(ledger_state: LedgerState, account: str, now: int) -> str:
    """Return the name of the key that encrypts a text of an account.

    That is the person, or for an erased person the current month.
    """
    person = ledger_state.account(account).person
    return period_key("case", now) if person in ledger_state.operator_state.erased else person


def _require_dormant(account: AccountState, now: int, figures: Figures) -> None:
    last_login = account.last_login_at or account.opened_at
    months, days = figures.dormant_months.value, figures.dormant_evaluated_days.value
    if last_login > months_before(now, months):
        why = Phrase("LOGIN_TOO_RECENT", count=months)
    elif account.in_play or account.reserved:
        why = Phrase("BET_NOT_EVALUATED")
    elif account.last_settled_at > now - days * DAY:
        why = Phrase("BET_EVALUATED_RECENTLY", count=days)
    else:
        return
    raise RefusedError("GROUND_NOT_GIVEN", ground=DORMANT, why=why)


@refuses("CANCELLATION_NOT_RUNNING")
def confirm_cancellation(
    ledger_state: LedgerState, command: ConfirmCancellation, now: int
) -> list[e.Event]:
    """Decide :class:`ConfirmCancellation`; the period for objections starts."""
    if _running(ledger_state, command.account).objections_until is not None:
        raise InputError(f"the cancellation of account {command.account} is confirmed already")
    holder = _holder(ledger_state, command.account, now)
    return [
        command.as_event(
            e.CancellationConfirmed,
            person=holder,
            notice="",
            words=ledger_state.keys.seal(holder, "CancellationConfirmed.words", command.notice),
            objections_until=end_of_period(now, ledger_state.rules.periods.objection),
        )
    ]


@refuses("CANCELLATION_NOT_RUNNING", "NOT_OWN_REQUEST")
def withdraw_cancellation(
    ledger_state: LedgerState, command: WithdrawCancellation, _: int
) -> list[e.Event]:
    """Decide :class:`WithdrawCancellation`."""
    if _running(ledger_state, command.account).by != "participant":
        raise RefusedError("NOT_OWN_REQUEST")
    return [e.CancellationWithdrawn(account=command.account)]


@refuses("CANCELLATION_NOT_RUNNING", "OBJECTION_TOO_LATE")
def file_objection(ledger_state: LedgerState, command: FileObjection, now: int) -> list[e.Event]:
    """Decide :class:`FileObjection`."""
    until = _running(ledger_state, command.account).objections_until

    def act(case: CaseLifecycle) -> None:
        case.require_new()
        if until is not None and now >= until:
            raise RefusedError("OBJECTION_TOO_LATE")
        case.record(
            command.as_event(
                e.ObjectionFiled, **_grounds(ledger_state, command, e.ObjectionFiled, now)
            )
        )

    return _done(ledger_state, command, act)


@refuses("CANCELLATION_NOT_RUNNING", "CASE_NOT_OPEN")
def confirm_objection(
    ledger_state: LedgerState, command: ConfirmObjection, _: int
) -> list[e.Event]:
    """Decide :class:`ConfirmObjection`."""
    _running(ledger_state, command.account)

    def act(case: CaseLifecycle) -> None:
        _require_open(case, "objection")
        case.record(e.ObjectionConfirmed(account=command.account, case=command.case))

    return _done(ledger_state, command, act)


@refuses("CANCELLATION_NOT_RUNNING", "CASE_NOT_OPEN")
def decide_objection(
    ledger_state: LedgerState, command: DecideObjection, now: int
) -> list[e.Event]:
    """Decide :class:`DecideObjection`."""
    _running(ledger_state, command.account)

    def act(case: CaseLifecycle) -> None:
        _require_open(case, "objection")
        case.record(
            command.as_event(
                e.ObjectionDecided, **_explanation(ledger_state, command, e.ObjectionDecided, now)
            )
        )
        if command.upheld:
            case.record(e.AccountRestored(account=command.account, case=command.case))

    return _done(ledger_state, command, act)


def file_complaint(ledger_state: LedgerState, command: FileComplaint, now: int) -> list[e.Event]:
    """Decide :class:`FileComplaint`."""
    ledger_state.account(command.account)

    def act(case: CaseLifecycle) -> None:
        case.require_new()
        case.record(_filed(ledger_state, command, now))

    return _done(ledger_state, command, act)


def _filed(ledger_state: LedgerState, command: FileComplaint, now: int) -> e.ComplaintFiled:
    named = (command.round, *command.rounds, *(round_of(bet) for bet in command.bets))
    rounds = list(dict.fromkeys(name for name in named if name))
    for name in rounds:
        ledger_state.round(name)
    for bet in command.bets:
        if bet not in ledger_state.round(round_of(bet)).names_of(command.account):
            raise InputError(f"account {command.account} has no bet {bet}: name one of its own")
    return command.as_event(
        e.ComplaintFiled,
        round=rounds[0] if rounds else "",
        rounds=tuple(rounds[1:]),
        bets=tuple(dict.fromkeys(command.bets)),
        **_grounds(ledger_state, command, e.ComplaintFiled, now),
    )


@refuses("CASE_NOT_OPEN")
def decide_complaint(
    ledger_state: LedgerState, command: DecideComplaint, now: int
) -> list[e.Event]:
    """Decide :class:`DecideComplaint`."""
    ledger_state.account(command.account)

    def act(case: CaseLifecycle) -> None:
        _require_open(case, "complaint")
        case.record(
            command.as_event(
                e.ComplaintDecided, **_explanation(ledger_state, command, e.ComplaintDecided, now)
            )
        )

    return _done(ledger_state, command, act)


@refuses("CANCELLATION_NOT_RUNNING", "CLOSING_TOO_EARLY")
def close_account(ledger_state: LedgerState, command: CloseAccount, now: int) -> list[e.Event]:
    """Decide :class:`CloseAccount` (SAZKA 12(6), 12(8))."""
    cancellation = _running(ledger_state, command.account)
    account = ledger_state.account(command.account)
    why = _why_not_yet(account, cancellation, now, ledger_state.rules.periods)
    if not why and any(_delays(ledger_state, account, case, now) for case in account.complaints):
        why = Phrase("COMPLAINT_NOT_DECIDED")
    if why:
        raise RefusedError("CLOSING_TOO_EARLY", why=why)
    return closing_events(account, cancellation.ground, ledger_state.rules)


def closing_events(account: AccountState, ground: str, rules: OperatorRules) -> list[e.Event]:
    """Return the events that end the session, return the balance and close an account.

    ``ground`` is the paragraph by which the account is closed.
    """
    events = end_session(account, "automatic", rules)
    events += [
        e.BalanceReturned(account=account.account, amount=amount, method=method, way=way)
        for method, way, amount in repayments(account, _due_back(account))
    ]
    return [*events, e.AccountClosed(account=account.account, ground=ground)]


def _due_back(account: AccountState) -> int:
    """Return the amount to pay back when closing; for a temporary account only unspent deposits.

    Winnings of a temporary account cannot be withdrawn (ZHH 80(3), (5) of 2016), and no text known
    to us gives them to the operator: they stay in the wallet of the closed account.
    """
    if account.regime != "temporary":
        return account.wallet
    return max(0, min(account.wallet, sum(account.deposited.values())))


def _why_not_yet(
    account: AccountState, cancellation: Cancellation, now: int, periods: Periods
) -> Phrase | None:
    if account.bets:
        return Phrase("BET_NOT_EVALUATED")
    if account.withdrawals:
        return Phrase("WITHDRAWAL_PENDING")
    if any(cancellation.objections.values()):
        return Phrase("OBJECTION_NOT_DECIDED")
    if cancellation.objections_until is None:
        return Phrase("NOTICE_NOT_SENT")
    if now < cancellation.objections_until:
        return Phrase("OBJECTIONS_STILL_POSSIBLE", count=periods.objection.days)
    return None


def _delays(ledger_state: LedgerState, account: AccountState, case: str, now: int) -> bool:
    """Return whether an open complaint delays the closing of the account.

    It does if it was filed by the end of the day of the last evaluated bet, or if there is no such
    bet.
    """
    filed = ledger_state.moment_of("ComplaintFiled", f"case:{case}") or now
    return not account.evaluated_at or day_of(filed) <= day_of(account.evaluated_at)


def repayments(account: AccountState, left: int) -> list[tuple[str, str, int]]:
    """Divide ``left`` haléř among the ways of SAZKA 12(8): (method, way, haléř).

    Everything goes to the registered payment account. Without one, cards and other means get at
    most the amount received from each, and the rest is sent by postal order.
    """
    ways = []
    for method, way in account.methods.items():
        if way == "account" and left:
            return [(method, way, left)]
    for method, way in account.methods.items():
        amount = min(left, account.deposited.get(method, 0))
        if amount > 0:
            ways.append((method, way, amount))
            left -= amount
    if left:
        ways.append(("postal", "postal", left))
    return ways


def _running(ledger_state: LedgerState, name: str) -> Cancellation:
    cancellation = ledger_state.account(name).cancellation
    if cancellation is None or ledger_state.account(name).status != "cancelling":
        raise RefusedError("CANCELLATION_NOT_RUNNING")
    return cancellation


def _require_open(case: CaseLifecycle, kind: Kind) -> None:
    if not case.is_pending_as(kind):
        raise RefusedError("CASE_NOT_OPEN", case=case.case)


def _done(
    ledger_state: LedgerState, command: OfCase, act: Callable[[CaseLifecycle], None]
) -> list[e.Event]:
    # The library is imported with the first case: that takes 30 ms.
    from ledger.decisions.accounts.cases import CaseLifecycle  # noqa: PLC0415
    from ledger.decisions.slices import SliceApplication  # noqa: PLC0415

    return SliceApplication(ledger_state).decide(CaseLifecycle(command.account, command.case, act))
