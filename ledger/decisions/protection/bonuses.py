"""Bonuses and their terms (D466 1): announced in advance, and not for forbidden purposes.

The platform manages bonuses. Only the value of a bonus is recorded; it is not money of the wallet,
because stakes are money. Refused: a bonus without announced terms, one after the request to close
the account, one for a withdrawal, and a competition for stakes above the decree's limit.
"""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.clock import from_datetime
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.events import event_types as e
from ledger.events.command import Amount, Command, Id, Text
from ledger.rules.law import COMPETITION_STAKE_MAX

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState

__all__ = ["AnnounceBonus", "GrantBonus", "announce_bonus", "grant_bonus"]


class AnnounceBonus(Command, frozen=True):
    """Announce the terms of a bonus; ``kind`` is the reason for which it is given.

    ``stake_day_max`` is the maximum stake of a participant per day for a competition.
    """

    bonus: Id
    kind: Literal["deposit", "withdrawal", "bet", "login", "competition", "other"]
    terms: Text
    effective_from: Annotated[datetime, Meta(tz=True)]
    stake_day_max: Amount | None = None


class GrantBonus(Command, frozen=True):
    """Give an announced bonus to a participant; ``amount`` is its value in haléř."""

    account: Id
    bonus: Id
    amount: Amount


@refuses("BONUS_NOT_ALLOWED")
def announce_bonus(ledger_state: LedgerState, command: AnnounceBonus, now: int) -> list[e.Event]:
    """Decide :class:`AnnounceBonus`."""
    if ledger_state.exists(f"bonus:{command.bonus}"):
        raise InputError(f"bonus {command.bonus} exists already; give every bonus its own name")
    effective_from = from_datetime(command.effective_from)
    if effective_from < now:
        raise InputError("terms are known beforehand: `effective_from` lies in the past")
    is_competition = command.kind == "competition"
    if is_competition is (command.stake_day_max is None):
        raise InputError("a competition, and no other bonus, has a `stake_day_max`")
    if command.kind == "withdrawal" or (command.stake_day_max or 0) > COMPETITION_STAKE_MAX:
        raise RefusedError("BONUS_NOT_ALLOWED", most=COMPETITION_STAKE_MAX)
    return [command.as_event(e.BonusAnnounced, effective_from=effective_from)]


@refuses("BONUS_NOT_ANNOUNCED", "BONUS_AFTER_REQUEST")
def grant_bonus(ledger_state: LedgerState, command: GrantBonus, now: int) -> list[e.Event]:
    """Decide :class:`GrantBonus`."""
    account = ledger_state.account(command.account)
    effective_from = ledger_state.bonus_effective_from(command.bonus)
    if effective_from is None or now < effective_from:
        raise RefusedError("BONUS_NOT_ANNOUNCED", bonus=command.bonus)
    if account.status != "open":
        raise RefusedError("BONUS_AFTER_REQUEST")
    return [command.as_event(e.BonusGranted)]
