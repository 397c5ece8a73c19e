"""Self-restricting measures a to g (sebeomezující opatření; ZHH 15, SAZKA 8(3), 13(2)).

A first setting takes effect at once, a stricter one at the next midnight, a looser one or a
removal at midnight of the seventh day after, all in Prague time. A measure is checked when chips
are placed and again when they become a bet; chips that would violate it are refused. It limits the
person, so earlier accounts count as well (``LedgerState.participant``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.clock import MINUTE, midnight_after
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import Command, Id
from ledger.rules.law import LOOSER_DAYS, MEASURES_KEPT_DAYS
from ledger.state.account import MEASURES

if TYPE_CHECKING:
    from ledger.state.account import AccountState, Measure
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "MEASURE_REFUSALS",
    "DeclineLimit",
    "SetLimit",
    "decline_limit",
    "login_time_left",
    "require_measures_allow",
    "set_limit",
]

_ALL_MEASURES = frozenset(MEASURES)
LONGER_IS_STRICTER = "g"
IN_MINUTES = frozenset("fg")
MINUTES_MAX = 366 * 24 * 60
Letter = Literal["a", "b", "c", "d", "e", "f", "g"]


MEASURE_REFUSALS = (
    "MEASURES_MISSING",
    "MEASURE_STAKES_DAY",
    "MEASURE_STAKES_MONTH",
    "MEASURE_LOSS_DAY",
    "MEASURE_LOSS_MONTH",
    "MEASURE_LOGIN_TIME",
    "MEASURE_PAUSE",
)
"""Refusals of :func:`require_measures_allow`, in the order of the checks."""


class SetLimit(Command, frozen=True):
    """Set a measure: haléř for a to d, logins for e, minutes for f and g."""

    account: Id
    measure: Letter
    value: Annotated[int, Meta(ge=0, le=10**15)]


class DeclineLimit(Command, frozen=True):
    """Decline a measure, or remove the one in force."""

    account: Id
    measure: Letter


@refuses("ACCOUNT_CLOSED", "LOOSER_THAN_BEFORE")
def set_limit(ledger_state: LedgerState, command: SetLimit, now: int) -> list[e.Event]:
    """Decide :class:`SetLimit`; the event contains the time at which it takes effect."""
    account = ledger_state.account(command.account)
    if command.measure in IN_MINUTES and command.value > MINUTES_MAX:
        raise InputError(f"measure {command.measure} is at most {MINUTES_MAX} minutes, a year")
    _require_not_closed(account)
    measure = account.measures.get(command.measure)
    previous = measure.at(now) if measure else None
    change = _change(command.measure, measure, command.value, now)
    if change == "first":
        _require_not_looser_than_before(ledger_state, account, command.measure, command.value)
    return [
        command.as_event(
            e.LimitSet, previous=previous, change=change, effective_at=_effective_at(change, now)
        )
    ]


def _change(letter: str, measure: Measure | None, value: int, now: int) -> str:
    if measure is None:
        return "first"
    strictest = measure.strictest(now)
    if strictest is None:
        return "stricter"
    return "stricter" if _is_as_strict(letter, value, strictest) else "looser"


def _is_as_strict(letter: str, value: int, other: int) -> bool:
    return value >= other if letter == LONGER_IS_STRICTER else value <= other


def _require_not_closed(account: AccountState) -> None:
    """Refuse changes to a closed account: its measures bind the next account (ZHH 14a)."""
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")


def _require_not_looser_than_before(
    ledger_state: LedgerState, account: AccountState, letter: str, value: int | None
) -> None:
    """Check a first setting against every account closed in the 7 days before (ZHH 14a)."""
    earlier = account
    while name := earlier.earlier_account:
        earlier = ledger_state.account(name)
        if account.opened_at >= midnight_after(earlier.closed_at, days=MEASURES_KEPT_DAYS + 1):
            return
        measure = earlier.measures.get(letter)
        bound = measure.strictest(earlier.closed_at) if measure else None
        if bound is not None and (value is None or not _is_as_strict(letter, value, bound)):
            raise RefusedError("LOOSER_THAN_BEFORE", limit=bound, account=name)


def _effective_at(change: str, now: int) -> int:
    if change == "first":
        return now
    return midnight_after(now, days=1 if change == "stricter" else LOOSER_DAYS)


@refuses("ACCOUNT_CLOSED", "LOOSER_THAN_BEFORE")
def decline_limit(ledger_state: LedgerState, command: DeclineLimit, now: int) -> list[e.Event]:
    """Decide :class:`DeclineLimit`."""
    account = ledger_state.account(command.account)
    _require_not_closed(account)
    measure = account.measures.get(command.measure)
    previous = measure.at(now) if measure else None
    change = "first" if measure is None or measure.strictest(now) is None else "looser"
    if measure is None:
        _require_not_looser_than_before(ledger_state, account, command.measure, None)
    return [
        command.as_event(
            e.LimitDeclined, previous=previous, effective_at=_effective_at(change, now)
        )
    ]


def require_measures_allow(account: AccountState, stake: int, now: int, *, chips: int) -> None:
    """Refuse a stake that would violate a measure, or that precedes the decision on all measures.

    Net loss counts every stake of the period as lost until it is paid: a stake is refused
    if losing all of them would exceed the limit.

    Args:
        account: account of the stake, from ``LedgerState.participant``.
        stake: haléř.
        now: timestamp that determines the day and month of the stake.
        chips: sum in haléř of chips on the table that can become a bet before this stake; they
            count in the day and month of ``now``, too.

    Raises:
        RefusedError: with the code of the measure.

    """
    measures, more = account.measures, chips + stake
    if not _ALL_MEASURES.issubset(measures):
        missing = [letter for letter in MEASURES if letter not in measures]
        raise RefusedError("MEASURES_MISSING", measures=tuple(missing))
    for letter, code, is_of_day, is_loss in (
        ("a", "MEASURE_STAKES_DAY", True, False),
        ("b", "MEASURE_STAKES_MONTH", False, False),
        ("c", "MEASURE_LOSS_DAY", True, True),
        ("d", "MEASURE_LOSS_MONTH", False, True),
    ):
        limit = measures[letter].at(now)
        if limit is not None:
            sums = account.today(now) if is_of_day else account.this_month(now)
            used = sums.stakes - sums.winnings if is_loss else sums.stakes
            if used + more > limit:
                raise RefusedError(code, limit=limit)
    left = login_time_left(account, now)
    if left is not None and left <= 0:
        raise RefusedError("MEASURE_LOGIN_TIME", limit=account.measures["f"].at(now))
    _require_pause_over(account, now)


def _require_pause_over(account: AccountState, now: int) -> None:
    pause = account.measures["g"].at(now)
    if pause is None or not account.last_logout_at:
        return
    until = account.last_logout_at + pause * MINUTE
    if now < until:
        raise RefusedError("MEASURE_PAUSE", until=until)


def login_time_left(account: AccountState, now: int) -> int | None:
    """Return the remaining login time of the day in microseconds; ``None`` without measure f."""
    measure = account.measures.get("f")
    limit = measure.at(now) if measure else None
    if limit is None:
        return None
    used = account.today(now).login_time
    if account.session:
        used += now - max(account.session_since, midnight_after(now, days=0))
    return limit * MINUTE - used
