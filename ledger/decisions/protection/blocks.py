"""Panic button, exclusions and the long exclusion (SAZKA 9(5), 12a).

These blocks bind the person. An exclusion for a closed account applies to the person's current
account (``LedgerState.account_now``), and the next account starts with the exclusions in force.
While the panic button blocks play, no new account is opened: the press leads to an entry in the
register, and a listed person cannot open one (SAZKA 12a(1), 12a(4)).
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.session_end import end_session
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "PLAY_REFUSALS",
    "EndExclusion",
    "ImposeExclusion",
    "OfferLongExclusion",
    "PressPanicButton",
    "ReportPanicButton",
    "RequestLongExclusion",
    "block_of",
    "end_exclusion",
    "exclusions_in_force",
    "impose_exclusion",
    "offer_long_exclusion",
    "press_panic_button",
    "report_panic_button",
    "request_long_exclusion",
    "require_may_play",
    "require_no_panic",
    "require_not_blocked",
    "require_not_over",
]


PLAY_REFUSALS = (
    "ACCOUNT_CLOSED",
    "CANCELLATION_RUNS",
    "DATA_MISSING",
    "EXCLUDED",
    "PANIC_BLOCK",
    "TEMPORARY_OVER",
)
"""Refusals of :func:`require_may_play`, in the order of the checks."""


class PressPanicButton(Command, frozen=True):
    """Block gaming for 48 hours; may be pressed again."""

    account: Id
    channel: Name = "account page"


class ReportPanicButton(Command, frozen=True):
    """Record that the press was reported to the ministry."""

    account: Id
    acknowledged: bool


class OfferLongExclusion(Command, frozen=True):
    """Record the offer of a long exclusion that follows a press, and the answer."""

    account: Id
    answer: Literal["accepted", "declined"]


class RequestLongExclusion(Command, frozen=True):
    """Record an application for the register, with or without a press (SAZKA 12a(3))."""

    account: Id
    forwarded: bool


class ImposeExclusion(Command, frozen=True):
    """Exclude a participant from gaming, with this account and all later ones."""

    account: Id
    ground: Name
    until: Annotated[datetime, Meta(tz=True)] | None = None


class EndExclusion(Command, frozen=True):
    """End an exclusion."""

    account: Id
    ground: Name


def block_of(
    account: AccountState, now: int, *, without: Collection[str] = ()
) -> RefusedError | None:
    """Return the refusal that :func:`require_not_blocked` would raise; None if there is none."""
    try:
        require_not_blocked(account, now, without=without)
    except RefusedError as block:
        return block
    return None


def exclusions_in_force(account: AccountState, now: int) -> dict[str, int | None]:
    """Return the end of each exclusion in force by its ground; ``None`` means no end."""
    return {
        ground: until
        for ground, until in account.exclusions.items()
        if until is None or now < until
    }


def require_no_panic(account: AccountState, now: int) -> None:
    """Refuse during the 48 hours after a press of the panic button.

    Raises:
        RefusedError: PANIC_BLOCK.

    """
    if now < account.panic_until:
        raise RefusedError("PANIC_BLOCK", until=account.panic_until)


def require_not_over(account: AccountState, now: int) -> None:
    """Refuse after the 30 days of a temporary account.

    Raises:
        RefusedError: TEMPORARY_OVER.

    """
    until = account.temporary_until
    if until is not None and now >= until:
        raise RefusedError("TEMPORARY_OVER", until=until)


def require_may_play(account: AccountState, now: int) -> None:
    """Refuse play and deposits of a participant whose account or blocks do not allow them.

    Raises:
        RefusedError: with the reason.

    """
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if account.status == "cancelling":
        raise RefusedError("CANCELLATION_RUNS")
    if account.missing:
        raise RefusedError("DATA_MISSING", what=tuple(account.missing))
    require_not_blocked(account, now)


def require_not_blocked(account: AccountState, now: int, *, without: Collection[str] = ()) -> None:
    """Refuse while a participant is blocked from play and deposits.

    Args:
        account: the account.
        now: the moment of the check.
        without: grounds of exclusions that end in the same decision.

    Raises:
        RefusedError: EXCLUDED, PANIC_BLOCK or TEMPORARY_OVER.

    """
    if account.exclusions:
        for ground in exclusions_in_force(account, now):
            if ground not in without:
                raise RefusedError("EXCLUDED", ground=ground)
    require_no_panic(account, now)
    require_not_over(account, now)


@refuses("ACCOUNT_CLOSED")
def press_panic_button(
    ledger_state: LedgerState, command: PressPanicButton, now: int
) -> list[e.Event]:
    """Decide :class:`PressPanicButton`; the session stays open for viewing and withdrawing.

    A block by an earlier press, under rules with a longer one, is not shortened.
    """
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    until = max(now + ledger_state.rules.figures.panic_block, account.panic_until)
    return [command.as_event(e.PanicButtonPressed, until=until)]


@refuses("NO_PANIC_PRESS")
def report_panic_button(
    ledger_state: LedgerState, command: ReportPanicButton, _: int
) -> list[e.Event]:
    """Decide :class:`ReportPanicButton`."""
    _pressed(ledger_state, command.account)
    return [e.PanicButtonReported(account=command.account, acknowledged=command.acknowledged)]


@refuses("NO_PANIC_PRESS")
def offer_long_exclusion(
    ledger_state: LedgerState, command: OfferLongExclusion, _: int
) -> list[e.Event]:
    """Decide :class:`OfferLongExclusion`."""
    _pressed(ledger_state, command.account)
    return [e.LongExclusionOffered(account=command.account, answer=command.answer)]


def request_long_exclusion(
    ledger_state: LedgerState, command: RequestLongExclusion, _: int
) -> list[e.Event]:
    """Decide :class:`RequestLongExclusion`."""
    ledger_state.account(command.account)
    return [e.LongExclusionRequested(account=command.account, forwarded=command.forwarded)]


def impose_exclusion(
    ledger_state: LedgerState, command: ImposeExclusion, now: int
) -> list[e.Event]:
    """Decide :class:`ImposeExclusion`; an open session ends with it."""
    account = ledger_state.account_now(command.account)
    until = from_datetime(command.until) if command.until else None
    if until is not None and until <= now:
        raise InputError("the exclusion would end before it begins: correct `until`")
    imposed = e.ExclusionImposed(account=account.account, ground=command.ground, until=until)
    return [imposed, *end_session(account, "exclusion", ledger_state.rules)]


@refuses("NO_EXCLUSION")
def end_exclusion(ledger_state: LedgerState, command: EndExclusion, now: int) -> list[e.Event]:
    """Decide :class:`EndExclusion`."""
    account = ledger_state.account_now(command.account)
    if command.ground not in exclusions_in_force(account, now):
        raise RefusedError("NO_EXCLUSION", ground=command.ground)
    return [e.ExclusionEnded(account=account.account, ground=command.ground)]


def _pressed(ledger_state: LedgerState, name: str) -> None:
    if not ledger_state.account(name).panic_pressed_at:
        raise RefusedError("NO_PANIC_PRESS")
