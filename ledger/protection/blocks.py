"""Panic button, exclusions and the long exclusion (SAZKA 9(5), 12a)."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger import events as e
from ledger.accounts.leaving import session_over
from ledger.clock import HOUR, from_datetime, in_prague
from ledger.command import Command, Id, Text
from ledger.errors import InputError
from ledger.refusals import RefusedError

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger.accounts.state import AccountState
    from ledger.world import World

__all__ = [
    "EndExclusion",
    "ImposeExclusion",
    "OfferLongExclusion",
    "PressPanicButton",
    "ReportPanicButton",
    "RequestLongExclusion",
    "assert_not_blocked",
    "block_of",
    "end_exclusion",
    "impose_exclusion",
    "offer_long_exclusion",
    "press_panic_button",
    "report_panic_button",
    "request_long_exclusion",
]

PANIC_BLOCK = 48 * HOUR


class PressPanicButton(Command, frozen=True):
    """Block gaming for 48 hours; may be pressed again."""

    account: Id
    channel: Text = "account page"


class ReportPanicButton(Command, frozen=True):
    """Record that the press went to the ministry."""

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
    """Exclude a participant from gaming."""

    account: Id
    ground: Text
    until: Annotated[datetime, Meta(tz=True)] | None = None


class EndExclusion(Command, frozen=True):
    """End an exclusion."""

    account: Id
    ground: Text


def block_of(
    account: AccountState, now: int, *, without: Collection[str] = ()
) -> RefusedError | None:
    """Give the exclusion or panic block that is in force, if any.

    Args:
        account: the account.
        now: the moment asked about.
        without: grounds of exclusions that end in the same decision.

    """
    for ground, until in account.exclusions.items():
        if ground not in without and (until is None or now < until):
            return RefusedError("EXCLUDED", ground=ground)
    if now < account.panic_until:
        return RefusedError("PANIC_BLOCK", until=in_prague(account.panic_until).isoformat())
    return None


def assert_not_blocked(account: AccountState, now: int) -> None:
    """Refuse while an exclusion or panic block is in force.

    Raises:
        RefusedError: EXCLUDED or PANIC_BLOCK.

    """
    block = block_of(account, now)
    if block is not None:
        raise block


def press_panic_button(world: World, command: PressPanicButton, now: int) -> list[e.Event]:
    """Decide :class:`PressPanicButton`; the session goes on for viewing and withdrawing."""
    account = world.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    return [
        e.PanicButtonPressed(
            account=command.account, until=now + PANIC_BLOCK, channel=command.channel
        )
    ]


def report_panic_button(world: World, command: ReportPanicButton, _: int) -> list[e.Event]:
    """Decide :class:`ReportPanicButton`."""
    _pressed(world, command.account)
    return [e.PanicButtonReported(account=command.account, acknowledged=command.acknowledged)]


def offer_long_exclusion(world: World, command: OfferLongExclusion, _: int) -> list[e.Event]:
    """Decide :class:`OfferLongExclusion`."""
    _pressed(world, command.account)
    return [e.LongExclusionOffered(account=command.account, answer=command.answer)]


def request_long_exclusion(world: World, command: RequestLongExclusion, _: int) -> list[e.Event]:
    """Decide :class:`RequestLongExclusion`."""
    world.account(command.account)
    return [e.LongExclusionRequested(account=command.account, forwarded=command.forwarded)]


def impose_exclusion(world: World, command: ImposeExclusion, now: int) -> list[e.Event]:
    """Decide :class:`ImposeExclusion`; an open session ends with it."""
    account = world.account(command.account)
    until = from_datetime(command.until) if command.until else None
    if until is not None and until <= now:
        raise InputError("the exclusion would end before it begins: correct `until`")
    imposed = e.ExclusionImposed(account=command.account, ground=command.ground, until=until)
    return [imposed, *session_over(account, "exclusion")]


def end_exclusion(world: World, command: EndExclusion, now: int) -> list[e.Event]:
    """Decide :class:`EndExclusion`."""
    exclusions = world.account(command.account).exclusions
    until = exclusions.get(command.ground)
    if command.ground not in exclusions or (until is not None and now >= until):
        raise RefusedError("NO_EXCLUSION", ground=command.ground)
    return [e.ExclusionEnded(account=command.account, ground=command.ground)]


def _pressed(world: World, name: str) -> None:
    if not world.account(name).panic_pressed_at:
        raise RefusedError("NO_PANIC_PRESS")
