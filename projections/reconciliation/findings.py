"""What reconciliation can find: one table of stable codes, and the value that names a case.

A code never changes its meaning; sentences may be improved. Amounts are haléř and their
meaning stands in the sentence; ``detail`` is what the place itself can say.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from projections.facts.words import crowns

__all__ = ["FINDINGS", "Finding", "FindingRule", "finding", "in_order"]


class FindingRule(NamedTuple):
    """What is wrong in words, with places for ``{amount}`` and ``{detail}``, and the source."""

    sentence: str
    paragraph: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it must be.

    ``position`` is that of the event that shows it; account, round and bet are empty where
    they have no part in it. ``amount`` is haléř.
    """

    code: str
    sentence: str
    position: int
    account: str
    round: str
    bet: str
    amount: int
    paragraph: str


def finding(
    code: str,
    *,
    position: int,
    account: str = "",
    round: str = "",  # noqa: A002 - the domain's word
    bet: str = "",
    amount: int = 0,
    detail: str = "",
    paragraph: str = "",
) -> Finding:
    """Make a finding of a code; ``paragraph`` names a better source than the table's."""
    rule = FINDINGS[code]
    return Finding(
        code=code,
        sentence=rule.sentence.format(amount=crowns(amount), detail=detail),
        position=position,
        account=account,
        round=round,
        bet=bet,
        amount=amount,
        paragraph=paragraph or rule.paragraph,
    )


def in_order(found: Finding) -> tuple[int, str, str, str]:
    """Sort findings by the chain, and those of one position by code, account and bet."""
    return found.position, found.code, found.account, found.bet


CONCLUSION = "SAZKA 2 (conclusion of a bet)"
RESULT = "SAZKA 14(1)"
PRIZE = "SAZKA 15(1), 15(2)"
BOOKS = "SAZKA 13(4)"

FINDINGS = {
    # A settlement against the game plan
    "DUE_WRONG": FindingRule(
        "The payment recorded as due differs by {amount} from what the plan gives: {detail}.",
        PRIZE,
    ),
    "RESULT_WRONG": FindingRule("The result of the bet is recorded wrongly: {detail}.", PRIZE),
    "PAID_TOO_LITTLE": FindingRule("{amount} less were paid than is due.", PRIZE),
    "PAID_TOO_MUCH": FindingRule("{amount} more were paid than is due.", PRIZE),
    "PRIZE_NOT_COLLECTED": FindingRule(
        "{amount} of a prize that is not due were not taken back.", "SAZKA 15(1), 17(2)"
    ),
    "CLAIM_OPEN": FindingRule(
        "The player owes {amount} that the wallet did not hold.", "SAZKA 10(3), 15(1), 17(2)"
    ),
    "BET_NOT_ALLOWED": FindingRule("The plan does not allow the bet: {detail}.", "SAZKA 13(2)"),
    "STAKES_NOT_ALLOWED": FindingRule(
        "The plan does not allow the stakes of the round together: {detail}.", "SAZKA 13(2)"
    ),
    "TABLE_LIMITS_WRONG": FindingRule(
        "The limits of the table are not within those of the plan: {detail}.", "SAZKA 13(2)"
    ),
    "OUTCOME_IMPOSSIBLE": FindingRule("The recorded outcome can't be settled: {detail}.", RESULT),
    "RAISE_MISSING": FindingRule(
        "The decision asks for a stake of {detail} that is no bet.", "SAZKA 13(5)"
    ),
    "RAISE_WITHOUT_DECISION": FindingRule(
        "{detail} were staked after the close, and no decision asks for it.", CONCLUSION
    ),
    "RAISE_NOT_ALLOWED": FindingRule(
        "The plan did not allow the raise when it was decided: {detail}.", CONCLUSION
    ),
    "RAISE_STAKE_WRONG": FindingRule(
        "The decision asks for another stake than the bet has: {detail}.", "SAZKA 13(5)"
    ),
    "PLAN_UNKNOWN": FindingRule("The round can't be settled again: {detail}.", "SAZKA 1(4)"),
    # The course of a round
    "ROUND_NOT_FINISHED": FindingRule(
        "The round has neither result nor void, and its table went on.", RESULT
    ),
    "ROUND_NOT_OPENED": FindingRule("The round has facts before or without its opening.", BOOKS),
    "ROUND_KIND_WRONG": FindingRule(
        "The game is {detail} by its plan, the round was recorded otherwise.", "SAZKA 5a(1)"
    ),
    "ROUND_FACT_TWICE": FindingRule(
        "Opening, close, result or void of the round was recorded twice.", RESULT
    ),
    "RESULT_BEFORE_CLOSE": FindingRule("The result was recorded before the close.", CONCLUSION),
    "RESULT_AND_VOID": FindingRule("The round has a result and a void.", "SAZKA 14(1), 14(3)"),
    "RESULT_NOT_LANDED": FindingRule("The result is not where the ball fell: {detail}.", RESULT),
    "RESULT_NOT_SEEN": FindingRule("The result is not what the studio recorded: {detail}.", RESULT),
    "RESULT_WITHOUT_SPIN": FindingRule(
        "The result has no valid spin before it with a ball, or wheel, at rest.", RESULT
    ),
    "SPIN_TOO_SHORT": FindingRule(
        "The spin that counted had too few turns: {detail}.", "game plan, valid spin"
    ),
    "SPIN_WRONG_DIRECTION": FindingRule(
        "Wheel and ball of the spin that counted ran in one direction.", "game plan, valid spin"
    ),
    "CLOSE_MISCOUNTED": FindingRule(
        "The close names other bets than were concluded: {detail}, {amount} too much.", CONCLUSION
    ),
    # The course of a bet
    "BET_NOT_PLACED": FindingRule("The bet has facts and no placement.", BOOKS),
    "BET_TAKEN_TWICE": FindingRule("The bet was placed or concluded twice.", BOOKS),
    "BET_NOT_CONCLUDED": FindingRule(
        "Chips that were never a bet were settled or voided.", CONCLUSION
    ),
    "BET_SETTLED_TWICE": FindingRule("The bet was settled twice; {amount} the last time.", PRIZE),
    "BET_ENDED_TWICE": FindingRule(
        "The bet was given back, voided or settled more than once.", BOOKS
    ),
    "BET_NOT_SETTLED": FindingRule(
        "The round has its result, the bet over {amount} is neither settled nor void.",
        "SAZKA 15(2)",
    ),
    "BET_SETTLED_EARLY": FindingRule("The bet was settled before the result.", RESULT),
    "BET_NOT_RETURNED": FindingRule("The round is void, the stake was not returned.", RESULT),
    "BET_LEFT_ON_TABLE": FindingRule(
        "Chips over {amount} were neither concluded nor given back.", CONCLUSION
    ),
    "BET_AFTER_CLOSE": FindingRule("The bet was taken after the close.", CONCLUSION),
    "BET_BEFORE_CLOSE": FindingRule("The bet was concluded without the close.", CONCLUSION),
    "BET_IN_NO_ROUND": FindingRule("The bet was taken in a round that was not open.", "SAZKA 5(1)"),
    "RAISE_OF_NO_BET": FindingRule(
        "The raised bet {detail} is no concluded bet of the account and round.", "SAZKA 5(2)"
    ),
    "STAKE_DIFFERS": FindingRule("Facts of the bet differ in its stake by {amount}.", BOOKS),
    # Hands among players
    "OUTCOME_DIFFERS": FindingRule(
        "The recorded outcome is not what the facts of the hand give: {detail}.", RESULT
    ),
    "POT_WRONG": FindingRule(
        "A pot is recorded wrongly by {amount}: {detail}.", "69GAMES poker rules, Showdown"
    ),
    "UNCALLED_WRONG": FindingRule(
        "What nobody called went back wrongly: {detail}.", "69GAMES poker rules, Rake"
    ),
    "RAKE_WRONG": FindingRule(
        "The rake recorded as due differs by {amount} from what the plan gives: {detail}.",
        "69GAMES poker rules, Rake",
    ),
    "RAKE_TOO_MUCH": FindingRule(
        "{amount} more rake were taken than is due.", "69GAMES poker rules, Rake"
    ),
    "RAKE_TOO_LITTLE": FindingRule(
        "{amount} less rake were taken than is due.", "69GAMES poker rules, Rake"
    ),
    "POINTS_WRONG": FindingRule(
        "Points are recorded wrongly, {amount} of the first player: {detail}.",
        "69GAMES Pineapple, Bodování",
    ),
    "SET_WRONG": FindingRule(
        "A set of cards is judged wrongly: {detail}.", "69GAMES Pineapple, Bodování"
    ),
    "MISDEAL_WRONG": FindingRule(
        "A misdeal gave back what was not put in, by {amount}: {detail}.",
        "69GAMES poker rules, Misdeal",
    ),
    "MISDEAL_TOO_LATE": FindingRule(
        "The hand was misdealt after {detail} players had acted.", "69GAMES poker rules, Misdeal"
    ),
    "ACTION_OUTSIDE_HAND": FindingRule(
        "{amount} were put in before the hand began or after it was over.",
        "69GAMES poker rules, course of the game",
    ),
    "POT_WITHOUT_RESULT": FindingRule(
        "{amount} of a hand were paid, returned or raked without its result.",
        "69GAMES poker rules, Showdown",
    ),
    # Tournaments
    "POOL_WRONG": FindingRule(
        "The money of the tournament is divided wrongly, by {amount}: {detail}.",
        "69GAMES tournament rules, Payouts",
    ),
    "PRIZE_WRONG": FindingRule(
        "The prize recorded as due differs by {amount} from what the plan gives: {detail}.",
        "69GAMES tournament rules, Payouts",
    ),
    "PRIZE_TOO_LITTLE": FindingRule(
        "{amount} less prize were paid than is due.", "69GAMES tournament rules, Payouts"
    ),
    "PRIZE_TOO_MUCH": FindingRule(
        "{amount} more prize were paid than is due.", "69GAMES tournament rules, Payouts"
    ),
    "TOURNAMENT_IMPOSSIBLE": FindingRule(
        "The tournament can't be settled as recorded: {detail}.",
        "69GAMES tournament rules, Payouts",
    ),
    "ANNOUNCED_TOO_LATE": FindingRule(
        "The tournament began less than seven days after its announcement: {detail}.",
        "69GAMES tournament rules, Payouts",
    ),
    "ENTRY_RETURN_WRONG": FindingRule(
        "{amount} of a payment into the tournament went back wrongly: {detail}.",
        "69GAMES tournament rules, Registration",
    ),
    "ENTRY_NOT_RETURNED": FindingRule(
        "The tournament was cancelled, {amount} did not go back.",
        "69GAMES tournament rules, Registration",
    ),
    # Protection of participants
    "BREAK_VIOLATED": FindingRule(
        "The bet was taken before the break of continuous play was over, {detail} of play.",
        "SAZKA 5a(3)",
    ),
    "TWO_TABLES": FindingRule(
        "The participant took part at two streamed tables at once: {detail}.", "SAZKA 5a(2)"
    ),
    "BET_WHILE_PANIC": FindingRule("The bet was taken during a panic block.", "SAZKA 12a(1)"),
    "BET_WHILE_EXCLUDED": FindingRule(
        "The bet was taken during an exclusion ({detail}).", "SAZKA 7(1), 9(5), 12a(4)"
    ),
    "BET_WHILE_TEMPORARY_OVER": FindingRule(
        "The bet was taken from a temporary account after its 30 days.", "ZHH 77, 80"
    ),
    "BET_WHILE_CANCELLING": FindingRule(
        "The bet was taken while the account was being cancelled.", "SAZKA 12(5)"
    ),
    "BET_WHILE_CLOSED": FindingRule("The bet was taken from a closed account.", "SAZKA 12"),
    "BET_WITHOUT_ACCOUNT": FindingRule("The bet was taken before the account opened.", "SAZKA 8"),
    "BET_NOT_LOGGED_IN": FindingRule(
        "The bet was taken from somebody not logged in for play.", "SAZKA 13(3)"
    ),
    "BET_WHILE_SUSPENDED": FindingRule(
        "The bet was taken while bets were suspended: {detail}.", "SAZKA 13(6)"
    ),
    "MEASURE_PASSED": FindingRule(
        "The bet passed self-restricting measure {detail} by {amount}.", "SAZKA 7(1), 13(2)"
    ),
    "LOGIN_TIME_PASSED": FindingRule(
        "The bet was taken when the login time of the day was used up: {detail} minutes.",
        "SAZKA 7(1); ZHH 15",
    ),
    "PAUSE_VIOLATED": FindingRule(
        "The bet was taken in the pause after a logout: {detail} minutes.", "SAZKA 7(1), 13(2)"
    ),
    # Money that comes in and goes out
    "DEPOSIT_METHOD_UNKNOWN": FindingRule(
        "{amount} came by {detail}, which was not registered for the account.", "SAZKA 10(1)"
    ),
    "DEPOSIT_WHILE_TEMPORARY_OVER": FindingRule(
        "{amount} came in on a temporary account after its 30 days.", "ZHH 77, 80"
    ),
    "WITHDRAWAL_METHOD_WRONG": FindingRule(
        "{amount} were to go to {detail}, which is no registered payment account.", "SAZKA 11(1)"
    ),
    "WITHDRAWAL_NOT_REQUESTED": FindingRule(
        "Withdrawal {detail} over {amount} was paid and not requested like this.", "SAZKA 11(1)"
    ),
    "CASH_LIMIT_PASSED": FindingRule(
        "Cash {detail} of 24 hours passed 10,000 CZK by {amount}.", "SAZKA 10(1)a, 11(1)a"
    ),
    "CASH_WITHOUT_DOCUMENT": FindingRule(
        "No identity document was shown for a cash {detail} of {amount}.", "SAZKA 10(1)a, 11(1)a"
    ),
    # Books
    "STATEMENT_WRONG": FindingRule(
        "A statement differs from the postings by {amount}: {detail}.", BOOKS
    ),
    "POSTINGS_UNEVEN": FindingRule("Postings of one event sum to {amount}, not to zero.", BOOKS),
    "BALANCE_NEGATIVE": FindingRule("The balance `{detail}` fell to {amount}.", "SAZKA 13(2)"),
    # What has a day to be done by
    "TEMPORARY_NOT_ENDED": FindingRule(
        "The 30 days of the temporary account are over, and it was not ended.", "ZHH 80(1)"
    ),
    "TEMPORARY_NOT_REPAID": FindingRule(
        "Unspent deposits of {amount} on a temporary account that is over were not returned.",
        "ZHH 80(5)",
    ),
    "COMPLAINT_OVERDUE": FindingRule(
        "Complaint {detail} was not decided within 30 days.", "SAZKA 16"
    ),
    "OBJECTION_OVERDUE": FindingRule(
        "Objection {detail} was not decided within 30 days.", "SAZKA 12(7)"
    ),
}
"""Every finding by its code."""
