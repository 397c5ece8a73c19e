"""Refusals: commands that the rules do not allow; each has a stable code, a sentence, a paragraph.

A decision raises :class:`RefusedError` with a code and details. The operator's rules render it
(``ledger.rules.operator``): all operators share the sentences, while figures and cited paragraphs
are the operator's own. The decider records the refusal as an event. A code never changes its
meaning; its sentence may be improved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ledger.core.phrases import (
    Parameters,
    check_parameters,
    decode_parameters,
    encode_parameters,
    placeholders_of,
    render_english,
)

__all__ = ["REFUSALS", "Refusal", "RefusedError", "refuses", "render_refusal"]


if TYPE_CHECKING:
    from collections.abc import Callable

Function = TypeVar("Function", bound="Callable[..., Any]")


class Refusal(Struct, frozen=True, gc=False):
    """A command refused by the rules: code, English sentence and cited paragraph.

    ``parameters`` is the recorded JSON of the values in the sentence.
    """

    code: str
    sentence: str
    paragraph: str
    parameters: str = "{}"

    @classmethod
    def of(cls, code: str, parameters: Parameters, paragraph: str) -> Refusal:
        """Render a refusal in English."""
        return cls(code, render_refusal(code, parameters), paragraph, encode_parameters(parameters))

    @classmethod
    def recorded(cls, code: str, parameters: str, paragraph: str) -> Refusal:
        """Return a refusal as recorded in an event.

        If this version does not know the code or its parameters, the sentence is the code followed
        by the recorded JSON.
        """
        try:
            sentence = render_refusal(code, decode_parameters(REFUSALS[code], parameters))
        except (LookupError, ValueError):
            sentence = f"{code} {parameters}"
        return cls(code, sentence, paragraph, parameters)


class RefusedError(Exception):
    """The rules do not allow a command; the decider catches it, so no caller sees it.

    It is not one of ``ledger.core.errors``: a refusal is recorded and requires no action.
    ``paragraph``, such as one of a game plan, replaces the one of the operator's rules; empty:
    none.
    """

    def __init__(self, code: str, *, paragraph: str = "", **details: object) -> None:
        """Check the details: one value of the right type for each placeholder except figures."""
        self.code = code
        places = placeholders_of(REFUSALS[code])
        placeholders = {name: kind for name, kind in places.items() if "." not in name}
        self.details = check_parameters(placeholders, details)
        self.paragraph = paragraph
        super().__init__(f"{code}: {details}" if details else code)


def refuses(*codes: str) -> Callable[[Function], Function]:
    """Declare the refusals of a decision in the order of its checks; later duplicates are ignored.

    Raises:
        LookupError: a code is unknown.

    """
    for code in codes:
        REFUSALS[code]

    def declare(function: Function) -> Function:
        function.refuses = tuple(dict.fromkeys(codes))  # type: ignore[attr-defined]
        return function

    return declare


def render_refusal(code: str, parameters: Parameters) -> str:
    """Render a refusal in English as a sentence."""
    return f"{render_english(REFUSALS[code], parameters).rstrip('.')}."


REFUSALS: dict[str, str] = {
    # Registration and account
    "UNDER_AGE": "The person is under 18.",
    "LISTED_IN_REGISTER": "The person stands in the register of excluded persons.",
    "DATA_MISSING": "Identification or contact data are missing: {what:names}.",
    "IDENTITY_NOT_VERIFIED": "Identity and age are not reliably verified.",
    "SECOND_ACCOUNT": "The person has account {account} already.",
    "PLAN_NOT_ACCEPTED": "No version of the game plan was accepted.",
    "PLAN_NOT_IN_FORCE": "No game plan of version {plan_version} is published and in force.",
    "OWNERSHIP_NOT_PROVED": "Ownership of the payment method was declared, not proved.",
    "ISSUER_NOT_ALLOWED": (
        "The issuer's state {country} is not allowed for this kind of payment method."
    ),
    "ACCOUNT_CLOSED": "The account is closed.",
    "ACCOUNT_NOT_CLOSED": "The person's account is not closed.",
    "LEGAL_HOLD": "Hold {hold} keeps the person's data as evidence until {until:phrase}.",
    "RETENTION_RUNS": "The person's data must be kept up to and including {until:day}.",
    "LAND_BASED_ONLY": "The account is not for games over the internet.",
    "ALREADY_LOGGED_IN": "Session {session} of the account is open.",
    "NOT_LOGGED_IN": "The participant is not logged in for play.",
    # Bonuses
    "BONUS_NOT_ALLOWED": (
        "No bonus is given for a withdrawal, and no competition asks for more than {most:money} "
        "of stakes a day."
    ),
    "BONUS_NOT_ANNOUNCED": "The terms of bonus {bonus} are not in force.",
    "BONUS_AFTER_REQUEST": "No bonus is given once the account is to be closed.",
    # Protection
    "EXCLUDED": "The participant is excluded ({ground}).",
    "PANIC_BLOCK": "The panic button blocks play until {until:moment}.",
    "BREAK_REQUIRED": (
        "Continuous play reached {figures.play_minutes.value:count} minutes; a bet is accepted "
        "again from {until:moment}."
    ),
    "MEASURES_MISSING": "Self-restricting measures {measures:names} are neither set nor declined.",
    "LOOSER_THAN_BEFORE": (
        "Account {account} was closed in the last 7 days and bound to {limit:count}: "
        "not looser now."
    ),
    "MEASURE_STAKES_DAY": "Bets of the day would pass {limit:money}.",
    "MEASURE_STAKES_MONTH": "Bets of the month would pass {limit:money}.",
    "MEASURE_LOSS_DAY": "Net loss of the day could pass {limit:money}.",
    "MEASURE_LOSS_MONTH": "Net loss of the month could pass {limit:money}.",
    "MEASURE_LOGINS": "The {limit:count} logins of the month are used up.",
    "MEASURE_LOGIN_TIME": "The {limit:count} minutes of login of the day are used up.",
    "MEASURE_PAUSE": "The pause after logout lasts until {until:moment}.",
    "NO_EXCLUSION": "No exclusion on the ground {ground} is in force.",
    "NO_PANIC_PRESS": "The panic button was not pressed.",
    # Money
    "INSUFFICIENT_FUNDS": "The account holds {available:money}, {needed:money} are needed.",
    "CASH_LIMIT": (
        "Cash {direction:phrase} of 24 hours would pass {figures.cash_haler.value:money}; "
        "{left:money} are left."
    ),
    "DOCUMENT_NOT_SHOWN": "No identity document was shown.",
    "METHOD_NOT_REGISTERED": "The payment method is not registered for the account.",
    "WITHDRAWAL_TO_ACCOUNT_ONLY": (
        "A withdrawal goes out in cash or to the registered payment account."
    ),
    "TEMPORARY_ACCOUNT": "A temporary account allows no withdrawal.",
    "TEMPORARY_OVER": "The 30 days of the temporary account ended {until:moment}.",
    "TEMPORARY_NOT_OVER": "There is no temporary account to end: {why:phrase}.",
    "TEMPORARY_DEPOSITS": "Deposits of a temporary account would pass 3,000 CZK.",
    "DEPOSIT_NOT_CREDITED": "That deposit was not credited.",
    "WITHDRAWAL_NOT_PENDING": "That withdrawal is not pending.",
    "FEE_TOO_LOW": "Only {left:money} of the fee are left to return.",
    "CLAIM_TOO_LOW": "Only {left:money} of claims are open.",
    # Cancellation
    "CANCELLATION_RUNS": "The account is being cancelled.",
    "CANCELLATION_NOT_RUNNING": "No cancellation is running.",
    "GROUND_NOT_GIVEN": "The ground {ground} is not met: {why:phrase}.",
    "NOT_OWN_REQUEST": "Only the participant's own request can be taken back.",
    "OBJECTION_TOO_LATE": "The {periods.objection.days:count} days for objections are over.",
    "CASE_NOT_OPEN": "Case {case} is not open.",
    "CLOSING_TOO_EARLY": "The account can't be closed yet: {why:phrase}.",
    # Tables, games, rounds
    "GAME_NOT_OFFERED": "The game is not offered.",
    "GAME_SUSPENDED": "Bets on the game are suspended.",
    "TABLE_NOT_OPEN": "The table is not open.",
    "TABLE_SUSPENDED": "Bets at the table are suspended.",
    "NO_RULES_IN_FORCE": "No version of the game plan is in force.",
    "PLAN_UNKNOWN": "The game has no plan version {plan_version}.",
    "LIMITS_NOT_ALLOWED": "{reason:phrase}",
    "TABLE_KIND_WRONG": "The game is {kind:phrase} by its plan, the table is not.",
    "DEVICE_MISSING": "The table has no {kinds:choice} that makes the result.",
    "DEVICE_ELSEWHERE": "The device is part of table {table}.",
    "ROUND_RUNNING": "Round {round} of the table is not finished.",
    "OTHER_TABLE": "The participant takes part at table {table}; one streamed table at a time.",
    "TABLE_FULL": "All {seats:count} seats of the table are taken.",
    "NOT_SEATED": "The participant has not joined the table.",
    "BET_AFTER_CLOSE": "Bets of the round are closed.",
    "BET_NOT_ALLOWED": "{reason:phrase}",
    "NO_MORE_PARTICIPANTS": (
        "No more participants: the record of the {what:phrase} can't name more."
    ),
    "BET_NOT_ON_TABLE": "The bet does not lie on the table.",
    "DISCONNECTED": "The participant is disconnected.",
    "PARENT_NOT_CONCLUDED": "The participant has no concluded bet to decide on.",
    "DECISION_NOT_ALLOWED": "{reason:phrase}",
    "DECISION_TOO_LATE": "The time to decide ended {until:moment}.",
    "WRONG_ORDER": "{what:phrase} is not possible: the round is {status}.",
    "RESULT_CONTRADICTS": "{reason:phrase}",
    "NO_VALID_SPIN": "No valid spin with a landed ball is recorded.",
    "RESULT_STANDS": "The result is recorded and stands.",
    "VOID_REASON_UNKNOWN": "{ground} is no ground for a void.",
    "RECONSTRUCTION_FIRST": "The reconstruction of the round comes first.",
    "FAULT_NOT_ANNOUNCED": "The participants were not told of the fault by voice and chat.",
    "PAYOUT_ON_HOLD": "What the round pays to the participant is on hold.",
    "PAYOUT_NOT_HELD": "What the round pays to the participant is not on hold.",
    "BET_NOT_SETTLED": "The bet is not settled.",
    "BET_IN_PRISON": "What is left to settle waits for the next valid spin at the table.",
    "COLOUR_NOT_ALLOWED": "{reason:phrase}",
    "PRIZE_TOO_LOW": "The bet's prize is {prize:money}.",
    # The floor of a casino
    "DAY_NOT_CLOSED": "Operating day {day:day} of the casino is open.",
    "DAY_TWICE": "An operating day of the casino began on {day:day} already.",
    "DAY_NOT_OPEN": "No operating day of the casino is open.",
    "SECTIONS_OPEN": "Sections are open: {sections:names}.",
    "SECTION_TWICE": "Section {section} of the same operating day is of that station.",
    "SECTION_NOT_OPEN": "Section {section} is not open.",
    "SECTION_KIND_WRONG": "Section {section} is that of a {kind}.",
    "CURRENCY_DIFFERS": "The section is held in {currency}.",
    "NOT_COUNTED": "The {stage} count is missing: {what:phrase}.",
    "COUNTED_ALREADY": "It was counted for the close: {what:phrase}.",
    "COUNTED_LATE": "The opening count comes before any movement: {what:phrase}.",
    "NO_COUNTERPART": "{section} is no open section of a cage of the casino.",
    "NOT_CASH": "At a table chips are sold for cash.",
    "DROP_NOT_MOVED": "The box holds {amount:amount} that were not moved to a cage.",
    # Hands among players
    "HAND_NOT_ALLOWED": "{reason:phrase}",
    "NOT_IN_HAND": "The player is not in the hand.",
    "ACTION_NOT_ALLOWED": "{reason:phrase}",
    "RAISE_TOO_SMALL": "{reason:phrase}",
    "NOT_WHOLE_CROWNS": "Money in a hand is whole crowns.",
    "FEE_OUT_OF_RANGE": "{reason:phrase}",
    "MISDEAL_NOT_ALLOWED": "{acted:count} players have acted: the hand is played as dealt.",
    "HAND_NOT_FINISHED": "The hand can't be settled: {reason:phrase}.",
    "SET_NOT_ALLOWED": "{reason:phrase}",
    "FANTASYLAND_DIFFERS": "In Fantasyland: {names:names}.",
    # Tournaments
    "ANNOUNCED_TOO_LATE": (
        "A tournament begins {figures.announced_days.value:count} days after its "
        "announcement at the earliest."
    ),
    "TOURNAMENT_STATUS": "{what:phrase} is not possible: the tournament is {status}.",
    "NOT_IN_TOURNAMENT": "Account {account} has no chips in the tournament.",
    "SEAT_TAKEN": "Account {account} has that seat.",
    "ENTRY_NOT_ALLOWED": "{reason:phrase}",
    "GUEST_NOT_ADMITTED": "Guest {guest} was not identified at the entrance on this operating day.",
    "CHIP_RACE_WRONG": "{reason:phrase}",
    "REFUND_NOT_ALLOWED": "{reason:phrase}",
    "ENTRIES_OUT_OF_TABLE": "{reason:phrase}",
    "DEAL_NOT_ALLOWED": "{reason:phrase}",
    "TOURNAMENT_NOT_FINISHED": "{reason:phrase}",
}
"""The sentence of every refusal by its code, with placeholders for details and figures."""
