"""Registration of a participant, and changes of the participant's data (SAZKA 7 to 9)."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger.core.clock import age_in_years, midnight_after
from ledger.core.errors import InputError
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.protection.blocks import (
    exclusions_in_force,
    require_no_panic,
    require_not_over,
)
from ledger.decisions.protection.register import (
    REGISTER,
    RegisterPersonAnswer,
    checked_outside_login,
)
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Name, OptionalName, OptionalWord
from ledger.privacy import LeftKeyError
from ledger.rules.law import ADULT_YEARS, EEA, MEASURES_KEPT_DAYS
from ledger.state.account import CONTACT

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState

__all__ = [
    "ChangeAccountMode",
    "ChangePerson",
    "OpenAccount",
    "RegisterPaymentMethod",
    "VerifyPerson",
    "change_account_mode",
    "change_person",
    "open_account",
    "register_payment_method",
    "registration_refused",
    "verify_person",
]

NOT_A_METHOD = frozenset({"cash", "postal"})
WHOLE = re.compile(r"(\d[\s-]*){9}")
"""More consecutive digits than a masked identifier has."""
Regime = Literal["temporary", "permanent"]
Country = Annotated[str, Meta(pattern=r"^[A-Z]{2}\Z")]


class OpenAccount(Command, frozen=True):
    """Open a user account.

    ``identity`` identifies the person uniquely (such as country and number of the identity); only
    its keyed digest is stored. ``verified_how`` is empty when identity and age could not be
    verified. ``plan_version`` is the accepted version of a game plan; one of a game of the operator
    must be in force (SAZKA 8(13)). Without ``address`` and ``email`` the registration is refused
    (SAZKA 8(3), 8(10)).
    """

    account: Id
    identity: Name
    name: Name
    birth_date: date
    register: RegisterPersonAnswer
    address: OptionalName = ""
    email: OptionalName = ""
    document: OptionalName = ""
    verified_how: OptionalName = ""
    regime: Regime = "permanent"
    internet: bool = True
    land_based: bool = False
    plan_version: OptionalWord = ""


class ChangeAccountMode(Command, frozen=True):
    """Change the mode of an account, such as from temporary to permanent."""

    account: Id
    regime: Regime
    internet: bool
    land_based: bool


class RegisterPaymentMethod(Command, frozen=True):
    """Register a payment account, card or other means.

    ``country`` is the state of the bank or issuer; check beforehand that a bank may provide payment
    services in the Czech Republic. ``proof`` states how ownership was proved; a declaration is not
    a proof. ``masked`` is the identifier without its middle: at most eight consecutive digits, as
    in the issuer's part of a card (ISO/IEC 7812-1).
    """

    account: Id
    method: Id
    method_class: Literal["account", "card", "other"]
    masked: Name
    country: Country
    proof: Literal["declaration", "test_payment", "bank_identity", "card_3ds", "statement"]


class VerifyPerson(Command, frozen=True):
    """Record that data of a person were verified, and how."""

    account: Id
    what: Name
    how: Name


class ChangePerson(Command, frozen=True):
    """Record changed identification or contact data (SAZKA 8(12))."""

    account: Id
    name: OptionalName = ""
    address: OptionalName = ""
    email: OptionalName = ""


@refuses(
    "UNDER_AGE",
    "LISTED_IN_REGISTER",
    "DATA_MISSING",
    "IDENTITY_NOT_VERIFIED",
    "PLAN_NOT_ACCEPTED",
    "PLAN_NOT_IN_FORCE",
    "SECOND_ACCOUNT",
    "PANIC_BLOCK",
)
def open_account(ledger_state: LedgerState, command: OpenAccount, now: int) -> list[e.Event]:
    """Decide :class:`OpenAccount` (SAZKA 7(1), 8(2), 8(3), 8(10), 8(11), 8(13), 9(3))."""
    if ledger_state.account_or_new(command.account).status != "unknown":
        raise InputError(f"account {command.account} exists already")
    person = ledger_state.keys.person(command.identity)
    known = ledger_state.account_of_person(person)
    _may_register(ledger_state, command, known, now)
    if person in ledger_state.operator_state.erased and ledger_state.keys.has_key(person):
        # It is destroyed first: new data are never sealed with the key of an erasure.
        raise LeftKeyError(
            f"the person of account {command.account} is just being erased: send it again"
        )
    opened = e.AccountOpened(
        account=command.account,
        person=person,
        regime=command.regime,
        internet=command.internet,
        land_based=command.land_based,
        plan_version=command.plan_version,
        earlier_account=_just_closed(known, now),
        name_digest=ledger_state.keys.name_digest(command.account),
        **{
            field: ledger_state.keys.seal(person, f"AccountOpened.{field}", text)
            for field, text in (
                ("name", command.name),
                ("birth_date", command.birth_date.isoformat()),
                ("address", command.address),
                ("email", command.email),
                ("document", command.document),
            )
        },
    )
    answer = "clear" if command.register == "clear" else "not_checked"
    return [
        opened,
        e.PersonVerified(
            account=command.account, what="identity and age", how=command.verified_how
        ),
        e.RegisterChecked(
            account=command.account,
            occasion="registration",
            answer=known.register_answer if known and answer == "not_checked" else answer,
            live=command.register != "unavailable",
        ),
        *_handed_on(known, command, now),
    ]


def _handed_on(known: AccountState | None, command: OpenAccount, now: int) -> list[e.Event]:
    """Return the events that copy the exclusions of the person's last account to the new one.

    If the register's answer is clear, an exclusion by the register ends instead (SAZKA 8(11)).
    """
    if known is None:
        return []
    in_force = exclusions_in_force(known, now)
    ended: list[e.Event] = []
    if command.register == "clear" and REGISTER in in_force:
        del in_force[REGISTER]
        ended.append(e.ExclusionEnded(account=known.account, ground=REGISTER))
    return ended + [
        e.ExclusionImposed(account=command.account, ground=ground, until=until)
        for ground, until in in_force.items()
    ]


def _may_register(
    ledger_state: LedgerState, command: OpenAccount, known: AccountState | None, now: int
) -> None:
    if age_in_years(command.birth_date, now) < ADULT_YEARS:
        raise RefusedError("UNDER_AGE")
    is_away = command.register == "unavailable"
    if command.register == "listed" or (
        is_away and known is not None and REGISTER in exclusions_in_force(known, now)
    ):
        raise RefusedError("LISTED_IN_REGISTER")
    missing = [name for name in CONTACT if not getattr(command, name)]
    if missing:
        raise RefusedError("DATA_MISSING", what=tuple(missing))
    if not command.verified_how:
        raise RefusedError("IDENTITY_NOT_VERIFIED")
    if not command.plan_version:
        raise RefusedError("PLAN_NOT_ACCEPTED")
    if not ledger_state.operator_state.is_plan_in_force(command.plan_version, now):
        raise RefusedError("PLAN_NOT_IN_FORCE", plan_version=command.plan_version)
    if known is None:
        return
    if known.status != "closed":
        raise RefusedError("SECOND_ACCOUNT", account=known.account)
    require_no_panic(known, now)


def _just_closed(known: AccountState | None, now: int) -> str:
    """Return the person's account that was closed in the last 7 calendar days; empty if none.

    Source: ZHH 14a.
    """
    if known is None or now >= midnight_after(known.closed_at, days=MEASURES_KEPT_DAYS + 1):
        return ""
    return known.account


def registration_refused(
    ledger_state: LedgerState, command: OpenAccount, refusal: Refusal
) -> list[e.Event]:
    """Return the events that record why :func:`open_account` refused.

    A person listed in the register is excluded at once.
    """
    person = ledger_state.keys.person(command.identity)
    refused = command.as_event(e.RegistrationRefused, refusal, person=person)
    known = ledger_state.account_of_person(person)
    if known is None or command.register != "listed":
        return [refused]
    return [
        refused,
        *checked_outside_login(known, command.register, "registration", ledger_state.rules),
    ]


@refuses("ACCOUNT_CLOSED", "TEMPORARY_OVER")
def change_account_mode(
    ledger_state: LedgerState, command: ChangeAccountMode, now: int
) -> list[e.Event]:
    """Decide :class:`ChangeAccountMode`; after 30 days an account cannot become permanent."""
    account = ledger_state.account(command.account)
    if account.status == "closed":
        raise RefusedError("ACCOUNT_CLOSED")
    if command.regime == "temporary" and account.regime != "temporary":
        raise InputError(f"account {command.account} is permanent and never becomes temporary")
    require_not_over(account, now)
    return [command.as_event(e.AccountModeChanged)]


@refuses("OWNERSHIP_NOT_PROVED", "ISSUER_NOT_ALLOWED")
def register_payment_method(
    ledger_state: LedgerState, command: RegisterPaymentMethod, _: int
) -> list[e.Event]:
    """Decide :class:`RegisterPaymentMethod` (SAZKA 8(6) to 8(9))."""
    account = ledger_state.account(command.account)
    if command.method in NOT_A_METHOD:
        raise InputError(f"a payment method can't be called {command.method}: give another name")
    if command.method in account.methods:
        raise InputError(f"method {command.method} is registered for {command.account} already")
    if WHOLE.search(command.masked):
        raise InputError(
            "masked shows a whole number, which the log would keep for ever: leave its middle out, "
            "such as **** 1111"
        )
    if command.proof == "declaration":
        raise RefusedError("OWNERSHIP_NOT_PROVED")
    if command.country not in EEA:
        raise RefusedError("ISSUER_NOT_ALLOWED", country=command.country)
    return [command.as_event(e.PaymentMethodRegistered, verified_how=command.proof)]


def verify_person(ledger_state: LedgerState, command: VerifyPerson, _: int) -> list[e.Event]:
    """Decide :class:`VerifyPerson`."""
    ledger_state.account(command.account)
    return [command.as_event(e.PersonVerified)]


def change_person(ledger_state: LedgerState, command: ChangePerson, _: int) -> list[e.Event]:
    """Decide :class:`ChangePerson`."""
    person = ledger_state.account(command.account).person
    if person in ledger_state.operator_state.erased:
        raise InputError(f"the person of account {command.account} was erased")
    return [
        e.PersonChanged(
            account=command.account,
            person=person,
            **{
                field: ledger_state.keys.seal(
                    person, f"PersonChanged.{field}", getattr(command, field)
                )
                for field in ("name", "address", "email")
            },
        )
    ]
