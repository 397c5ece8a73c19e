"""Refusals: what the rules do not allow, each with a stable code, a sentence, a paragraph.

A decision raises :class:`RefusedError`; the decider turns it into the event that records
the refusal. Codes never change their meaning; sentences may be improved.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["REFUSALS", "RefusedError", "Rule"]


class Rule(NamedTuple):
    """Why something is refused: the sentence (with places for details) and the source."""

    sentence: str
    paragraph: str


class RefusedError(Exception):
    """A command that the rules do not allow; never leaves the ledger as an exception."""

    def __init__(self, code: str, **details: object) -> None:
        """Fill the sentence of a code of :data:`REFUSALS` with its details."""
        rule = REFUSALS[code]
        self.code = code
        self.sentence = rule.sentence.format(**details)
        self.paragraph = str(details.get("paragraph", rule.paragraph))
        super().__init__(f"{code}: {self.sentence} ({self.paragraph})")


REFUSALS = {
    # Registration and account
    "UNDER_AGE": Rule("The person is under 18.", "SAZKA 7(1), 8(2)"),
    "LISTED_IN_REGISTER": Rule(
        "The person stands in the register of excluded persons.", "SAZKA 8(2), 8(11), 12a(4)"
    ),
    "IDENTITY_NOT_VERIFIED": Rule("Identity and age are not reliably verified.", "SAZKA 8(10)"),
    "SECOND_ACCOUNT": Rule("The person has account {account} already.", "SAZKA 9(3)"),
    "PLAN_NOT_ACCEPTED": Rule("No version of the game plan was accepted.", "SAZKA 8(13)"),
    "PLAN_NOT_IN_FORCE": Rule(
        "No game plan of version {plan_version} is published and in force.", "SAZKA 8(13)"
    ),
    "OWNERSHIP_NOT_PROVED": Rule(
        "Ownership of the payment method was declared, not proved.", "SAZKA 8(9)"
    ),
    "ISSUER_NOT_ALLOWED": Rule(
        "The issuer's state {country} is not allowed for this kind of payment method.",
        "SAZKA 8(6) to (8)",
    ),
    "ACCOUNT_CLOSED": Rule("The account is closed.", "SAZKA 12"),
    "ACCOUNT_NOT_CLOSED": Rule("The person's account is not closed.", "AML act"),
    "LAND_BASED_ONLY": Rule("The account is not for games over the internet.", "SAZKA 8(1)"),
    "ALREADY_LOGGED_IN": Rule("Session {session} of the account is open.", "SAZKA 13(3)"),
    "NOT_LOGGED_IN": Rule("The participant is not logged in for play.", "SAZKA 13(3)"),
    # Protection
    "EXCLUDED": Rule("The participant is excluded ({ground}).", "SAZKA 7(1), 9(5), 12a(4)"),
    "PANIC_BLOCK": Rule("The panic button blocks play until {until}.", "SAZKA 12a(1)"),
    "BREAK_REQUIRED": Rule(
        "Continuous play reached 120 minutes; a bet is accepted again from {until}.",
        "SAZKA 5a(3)",
    ),
    "MEASURES_MISSING": Rule(
        "Self-restricting measures {measures} are neither set nor declined.",
        "SAZKA 8(3), 8(4); ZHH 15",
    ),
    "LOOSER_THAN_BEFORE": Rule(
        "Account {account} was closed in the last 7 days and bound to {limit}: not looser now.",
        "ZHH 14a",
    ),
    "MEASURE_STAKES_DAY": Rule("Bets of the day would pass {limit} haléř.", "SAZKA 13(2)"),
    "MEASURE_STAKES_MONTH": Rule("Bets of the month would pass {limit} haléř.", "SAZKA 13(2)"),
    "MEASURE_LOSS_DAY": Rule("Net loss of the day could pass {limit} haléř.", "SAZKA 13(2)"),
    "MEASURE_LOSS_MONTH": Rule("Net loss of the month could pass {limit} haléř.", "SAZKA 13(2)"),
    "MEASURE_LOGINS": Rule("The {limit} logins of the month are used up.", "ZHH 15"),
    "MEASURE_LOGIN_TIME": Rule("The {limit} minutes of login of the day are used up.", "ZHH 15"),
    "MEASURE_PAUSE": Rule("The pause after logout lasts until {until}.", "SAZKA 13(2)"),
    "NO_EXCLUSION": Rule("No exclusion on the ground {ground} is in force.", "SAZKA 12a"),
    "NO_PANIC_PRESS": Rule("The panic button was not pressed.", "SAZKA 12a(1), (2)"),
    # Money
    "INSUFFICIENT_FUNDS": Rule(
        "The account holds {available} haléř, {needed} haléř are needed.", "SAZKA 13(2)"
    ),
    "CASH_LIMIT": Rule(
        "Cash {direction} of 24 hours would pass 10,000 CZK; {left} haléř are left.",
        "SAZKA 10(1)a, 11(1)a",
    ),
    "DOCUMENT_NOT_SHOWN": Rule("No identity document was shown.", "SAZKA 10(1)a, 11(1)a"),
    "METHOD_NOT_REGISTERED": Rule(
        "The payment method is not registered for the account.", "SAZKA 10(1)b, c, 11(1)b"
    ),
    "WITHDRAWAL_TO_ACCOUNT_ONLY": Rule(
        "A withdrawal goes out in cash or to the registered payment account.", "SAZKA 11(1)"
    ),
    "TEMPORARY_ACCOUNT": Rule("A temporary account allows no withdrawal.", "ZHH 77"),
    "TEMPORARY_OVER": Rule("The 30 days of the temporary account ended {until}.", "ZHH 77, 80"),
    "TEMPORARY_NOT_OVER": Rule("There is no temporary account to end: {why}.", "ZHH 80"),
    "TEMPORARY_DEPOSITS": Rule("Deposits of a temporary account would pass 3,000 CZK.", "ZHH 77"),
    "DEPOSIT_NOT_CREDITED": Rule("That deposit was not credited.", "SAZKA 10(3)"),
    "WITHDRAWAL_NOT_PENDING": Rule("That withdrawal is not pending.", "SAZKA 11(1)"),
    "FEE_TOO_LOW": Rule("Only {left} haléř of the fee are left to return.", "decree 10/2019"),
    "CLAIM_TOO_LOW": Rule(
        "Only {left} haléř of claims are open.", "SAZKA 17(3): civil code, unjust enrichment"
    ),
    # Cancellation
    "CANCELLATION_RUNS": Rule("The account is being cancelled.", "SAZKA 12(5)"),
    "CANCELLATION_NOT_RUNNING": Rule("No cancellation is running.", "SAZKA 12"),
    "GROUND_NOT_GIVEN": Rule("The ground {ground} is not met: {why}.", "SAZKA 12(1), (2), (4)"),
    "NOT_OWN_REQUEST": Rule("Only the participant's own request can be taken back.", "SAZKA 12(4)"),
    "OBJECTION_TOO_LATE": Rule("The 15 days for objections are over.", "SAZKA 12(6)"),
    "CASE_NOT_OPEN": Rule("Case {case} is not open.", "SAZKA 12(7), 16"),
    "CLOSING_TOO_EARLY": Rule("The account can't be closed yet: {why}.", "SAZKA 12(6)"),
    # Tables, games, rounds
    "GAME_NOT_OFFERED": Rule("The game is not offered.", "SAZKA 13(6)"),
    "GAME_SUSPENDED": Rule("Bets on the game are suspended.", "SAZKA 13(6)"),
    "TABLE_NOT_OPEN": Rule("The table is not open.", "ZHH 83"),
    "TABLE_SUSPENDED": Rule("Bets at the table are suspended.", "SAZKA 13(6)"),
    "NO_RULES_IN_FORCE": Rule("No version of the game plan is in force.", "SAZKA 1(4)"),
    "PLAN_UNKNOWN": Rule("The game has no plan version {plan_version}.", "SAZKA 1(4)"),
    "LIMITS_NOT_ALLOWED": Rule("{reason}", "game plan"),
    "TABLE_KIND_WRONG": Rule("The game is {kind} by its plan, the table is not.", "SAZKA 5a(1)"),
    "ROUND_RUNNING": Rule("Round {round} of the table is not finished.", "SAZKA 5(1)"),
    "OTHER_TABLE": Rule(
        "The participant takes part at table {table}; one streamed table at a time.",
        "SAZKA 5a(2)",
    ),
    "NOT_SEATED": Rule("The participant has not joined the table.", "SAZKA 5a(2)"),
    "BET_AFTER_CLOSE": Rule("Bets of the round are closed.", "SAZKA 2 (conclusion of a bet)"),
    "BET_NOT_ALLOWED": Rule("{reason}", "game plan"),
    "BET_NOT_ON_TABLE": Rule("The bet does not lie on the table.", "SAZKA 2"),
    "DISCONNECTED": Rule("The participant is disconnected.", "SAZKA 14(2)"),
    "PARENT_NOT_CONCLUDED": Rule(
        "The participant has no concluded bet to decide on.", "SAZKA 5(2)"
    ),
    "DECISION_NOT_ALLOWED": Rule("{reason}", "game plan"),
    "WRONG_ORDER": Rule("{what} is not possible: the round is {status}.", "SAZKA 5, 14"),
    "RESULT_CONTRADICTS": Rule("{reason}", "SAZKA 14(1)"),
    "NO_VALID_SPIN": Rule("No valid spin with a landed ball is recorded.", "game plan"),
    "RESULT_STANDS": Rule("The result is recorded and stands.", "SAZKA 14(1), 14(3)"),
    "VOID_REASON_UNKNOWN": Rule("{ground} is no ground for a void.", "game plan"),
    "RECONSTRUCTION_FIRST": Rule(
        "The reconstruction of the round comes first.", "SAZKA annex, void reasons"
    ),
    "BET_NOT_SETTLED": Rule("The bet is not settled.", "SAZKA 15"),
    "PRIZE_TOO_LOW": Rule("The bet's prize is {prize} haléř.", "SAZKA 15(1), 17(2)"),
    # Hands among players
    "HAND_NOT_ALLOWED": Rule("{reason}", "69GAMES poker rules, course of the game"),
    "NOT_IN_HAND": Rule(
        "The player is not in the hand.", "69GAMES poker rules, course of the game"
    ),
    "ACTION_NOT_ALLOWED": Rule("{reason}", "69GAMES poker rules, course of the game"),
    "RAISE_TOO_SMALL": Rule("{reason}", "69GAMES poker rules, Raise"),
    "NOT_WHOLE_CROWNS": Rule(
        "Money in a hand is whole crowns.", "69GAMES poker rules, Rake (rounding)"
    ),
    "FEE_OUT_OF_RANGE": Rule("{reason}", "69GAMES poker rules, fees"),
    "MISDEAL_NOT_ALLOWED": Rule(
        "{acted} players have acted: the hand is played as dealt.", "69GAMES poker rules, Misdeal"
    ),
    "HAND_NOT_FINISHED": Rule(
        "The hand can't be settled: {reason}.", "69GAMES poker rules, Showdown"
    ),
    "SET_NOT_ALLOWED": Rule("{reason}", "69GAMES Pineapple, rules and dealing"),
    "FANTASYLAND_DIFFERS": Rule("In Fantasyland: {names}.", "69GAMES Pineapple, Fantasy Land"),
    # Tournaments
    "ANNOUNCED_TOO_LATE": Rule(
        "A tournament begins seven days after its announcement at the earliest.",
        "69GAMES tournament rules, Payouts",
    ),
    "TOURNAMENT_STATUS": Rule(
        "{what} is not possible: the tournament is {status}.", "69GAMES tournament rules"
    ),
    "NOT_IN_TOURNAMENT": Rule(
        "Account {account} has no chips in the tournament.", "69GAMES tournament rules"
    ),
    "ENTRY_NOT_ALLOWED": Rule("{reason}", "69GAMES tournament rules, kinds of tournament"),
    "REFUND_NOT_ALLOWED": Rule("{reason}", "69GAMES tournament rules, Registration"),
    "ENTRIES_OUT_OF_TABLE": Rule("{reason}", "69GAMES tournament rules, Payouts"),
    "DEAL_NOT_ALLOWED": Rule("{reason}", "69GAMES tournament rules, Deal"),
    "TOURNAMENT_NOT_FINISHED": Rule("{reason}", "69GAMES tournament rules, Payouts"),
}
"""Every refusal by its code."""
