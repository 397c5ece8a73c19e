"""English sentences of findings by code, and the values of a recorded or new finding.

A code never changes its meaning; a sentence may be improved. The Czech sentences are in
``cs/findings_said.toml``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

import msgspec

from ledger.core.phrases import check_parameters, placeholders_of, render, typed_value
from ledger.rules.duties import DUTIES

if TYPE_CHECKING:
    from ledger.core.phrases import ValueRenderer

__all__ = ["FINDINGS", "FindingFacts", "fill_finding"]


class FindingFacts(Protocol):
    """Fields of a finding that its sentence needs.

    ``parameters`` is JSON with its values except the amount (haléř). If it lacks the detail, as in
    records of version 1, ``detail`` is the text of the detail.
    """

    @property
    def code(self) -> str:
        """The code of the sentence."""

    @property
    def amount(self) -> int:
        """The amount concerned, in haléř."""

    @property
    def detail(self) -> str:
        """The detail in English."""

    @property
    def parameters(self) -> str:
        """The values as JSON."""


def fill_finding(template: str, finding: FindingFacts, show: ValueRenderer) -> str:
    """Fill in the placeholders of a sentence.

    A code or parameters of another version are shown as they are.

    Args:
        template: the sentence of the finding's code in a language.
        finding: its values.
        show: formats a value, given the name and the type of its placeholder.

    """
    as_recorded = " ".join(filter(None, (finding.code, finding.detail or finding.parameters)))
    try:
        places = placeholders_of(FINDINGS[finding.code])
        given = {"amount": finding.amount, **msgspec.json.decode(finding.parameters or "{}")}
        values = {name: typed_value(given[name]) for name in places if name in given}
        values = check_parameters({name: places[name] for name in values}, values)
    except (TypeError, LookupError, msgspec.DecodeError):
        return as_recorded
    shown: dict[str, Any] = {"detail": finding.detail, **values}
    try:
        return render(
            template,
            shown,
            lambda name, _, value: show(name, places[name], value) if name in values else value,
        )
    except ValueError:
        return as_recorded  # not a valid day


FINDINGS: dict[str, str] = {
    # Bonuses, unclaimed money
    "BONUS_NOT_ANNOUNCED": "Bonus {detail} was given before or without its terms.",
    "BONUS_AFTER_REQUEST": "A bonus was given after the request to close the account.",
    # Clock of the ledger
    "CLOCK_APART": "The clock of the record was {detail:phrase} from its source of time.",
    "CLOCK_NOT_MEASURED": "The clock was not compared with its source for {detail:phrase}.",
    # Messages of providers' feeds
    "FEED_UNMAPPED": "A provider's message could not be made a command: {detail:phrase}.",
    "FEED_REFUSED": "A provider told what the ledger refused: {detail:phrase}.",
    "FEED_LATE": "A provider's message came when what follows it was recorded: {detail:phrase}.",
    "FEED_ALTERED": (
        "A provider sent other content under the identifier of a message: {detail:phrase}."
    ),
    "FEED_MISSING": "Messages of a provider never came: {detail:phrase}.",
    # Statements of banks, payment providers and game providers
    "NOT_IN_BOOKS": "{amount:money} stand in a statement and not in our books: {detail:phrase}.",
    "NOT_IN_STATEMENT": (
        "{amount:money} stand in our books and in no statement of the days around: {detail:phrase}."
    ),
    "AMOUNT_DIFFERS": "A statement and our books differ by {amount:money}: {detail:phrase}.",
    "AMOUNT_ROUNDED": "A statement has our amount rounded, by {amount:money}: {detail:phrase}.",
    "BOOKED_LATE": "{amount:money} were booked too far from the day of our entry: {detail:phrase}.",
    "BOOKED_WRONG_DAY": (
        "A statement has {amount:money} on a day on which "
        "they were not played for: {detail:phrase}."
    ),
    "LINE_DOUBLE": "A statement has {amount:money} once more: {detail:phrase}.",
    "CHARGED_BACK": (
        "{amount:money} went back by a statement and not in our books: {detail:phrase}."
    ),
    "TOTAL_DIFFERS": (
        "A total differs by {amount:money} from what it has to sum up: {detail:phrase}."
    ),
    # Settlement compared with the game plan
    "DUE_WRONG": (
        "The payment recorded as due differs by {amount:money} from "
        "what the plan gives: {detail:phrase}."
    ),
    "RESULT_WRONG": "The result of the bet is recorded wrongly: {detail:phrase}.",
    "PAID_TOO_LITTLE": "{amount:money} less were paid than is due.",
    "PAID_TOO_MUCH": "{amount:money} more were paid than is due.",
    "PRIZE_NOT_COLLECTED": "{amount:money} of a prize that is not due were not taken back.",
    "CLAIM_OPEN": "The player owes {amount:money} that the wallet did not hold.",
    "BET_NOT_ALLOWED": "The plan does not allow the bet: {detail:phrase}.",
    "STAKES_NOT_ALLOWED": (
        "The plan does not allow the stakes of the round together: {detail:phrase}."
    ),
    "TABLE_LIMITS_WRONG": (
        "The limits of the table are not within those of the plan: {detail:phrase}."
    ),
    "OUTCOME_IMPOSSIBLE": "The recorded outcome can't be settled: {detail:phrase}.",
    "RAISE_MISSING": "The decision asks for a stake of {detail:money} that is no bet.",
    "RAISE_WITHOUT_DECISION": (
        "{detail:money} were staked after the close, and no decision asks for it."
    ),
    "RAISE_NOT_ALLOWED": "The plan did not allow the raise when it was decided: {detail:phrase}.",
    "RAISE_STAKE_WRONG": "The decision asks for another stake than the bet has: {detail:phrase}.",
    "PLAN_UNKNOWN": "The round can't be settled again: {detail:phrase}.",
    # Events of a round in their order
    "ROUND_NOT_FINISHED": "The round has neither result nor void, and its table went on.",
    "ROUND_NOT_OPENED": "The round has facts before or without its opening.",
    "ROUND_KIND_WRONG": (
        "The game is {detail:phrase} by its plan, the round was recorded otherwise."
    ),
    "ROUND_FACT_TWICE": "Opening, close, result or void of the round was recorded twice.",
    "RESULT_BEFORE_CLOSE": "The result was recorded before the close.",
    "RESULT_AND_VOID": "The round has a result and a void.",
    "RESULT_NOT_LANDED": "The result is not where the ball fell: {detail:phrase}.",
    "RESULT_NOT_SEEN": "The result is not what the studio recorded: {detail:phrase}.",
    "RESULT_ON_CONTRADICTION": (
        "The result rests on a record that says two things: {detail:phrases}."
    ),
    "RESULT_WITHOUT_SPIN": "The result has no valid spin before it with a ball, or wheel, at rest.",
    "SPIN_TOO_SHORT": "The spin that counted had too few turns: {detail:phrase}.",
    "TOO_FEW_TABLES": "Casino {detail:phrase} live tables while its doors were open.",
    "SPIN_NOT_CHANGED": "The wheel turned the way of the spin before, {detail}.",
    "SPIN_WRONG_DIRECTION": "Wheel and ball of the spin that counted ran in one direction.",
    "PAYOUT_NOT_CHECKED": (
        "The round paid wins of {amount:money} that no inspector checked within a day."
    ),
    "CLOSE_MISCOUNTED": (
        "The close names other bets than were concluded: {detail:phrase}, {amount:money} too much."
    ),
    # Events of a bet in their order
    "BET_NOT_PLACED": "The bet has facts and no placement.",
    "BET_TAKEN_TWICE": "The bet was placed or concluded twice.",
    "BET_NOT_CONCLUDED": "Chips that were never a bet were settled or voided.",
    "BET_SETTLED_TWICE": "The bet was settled twice; {amount:money} the last time.",
    "BET_ENDED_TWICE": "The bet was given back, voided or settled more than once.",
    "BET_NOT_SETTLED": (
        "The round has its result, the bet over {amount:money} is neither settled nor void."
    ),
    "PAID_ON_HOLD": "The bet was settled while its payout was on hold.",
    "BET_SETTLED_EARLY": "The bet was settled before the result.",
    "PRISON_NOT_DECIDED": (
        "The table has another result, and no decision about "
        "the chip in prison over {amount:money}."
    ),
    "PRISON_DECIDED_WRONG": (
        "Another number than that of the next spin decided "
        "about the chip in prison: {detail:phrase}."
    ),
    "BET_NOT_RETURNED": "The round is void, the stake was not returned.",
    "BET_LEFT_ON_TABLE": "Chips over {amount:money} were neither concluded nor given back.",
    "BET_AFTER_CLOSE": "The bet was taken after the close.",
    "BET_ON_KNOWN_FACT": "Chips were moved when the number or a card was known: {detail:phrase}.",
    "BET_BEFORE_CLOSE": "The bet was concluded without the close.",
    "BET_IN_NO_ROUND": "The bet was taken in a round that was not open.",
    "RAISE_OF_NO_BET": "The raised bet {detail} is no concluded bet of the account and round.",
    "STAKE_DIFFERS": "Facts of the bet differ in its stake by {amount:money}.",
    # The floor of a casino
    "COUNT_DIFFERS": "What was counted differs from the books: {detail:phrase}.",
    "COUNT_BOOKS_WRONG": "The books told with a count are not what was booked: {detail:phrase}.",
    "NET_RESULT_WRONG": "The net result of table {detail} was recorded wrongly, by {amount:money}.",
    "TABLE_RESULT_DIFFERS": (
        "The net result of table {detail} and its recorded "
        "bets differ by {amount:money}, more than "
        "tips explain."
    ),
    "SECTION_NOT_COUNTED": "Section {detail} was closed and not counted at both ends.",
    "OUTSIDE_SECTION": "A fact of the floor lies outside its section: {detail}.",
    "SECTION_OUTSIDE_DAY": "Section {detail} does not lie in one operating day.",
    "ROUND_OUTSIDE_SECTION": "The round at table {detail} was played outside its section.",
    "GUEST_NOT_IDENTIFIED": (
        "A guest moved {amount:money} in cash in an operating day, and no document was shown."
    ),
    # Hands among players
    "OUTCOME_DIFFERS": (
        "The recorded outcome is not what the facts of the hand give: {detail:phrase}."
    ),
    "POT_WRONG": "A pot is recorded wrongly by {amount:money}: {detail:phrase}.",
    "UNCALLED_WRONG": "An uncalled amount was returned wrongly: {detail:phrase}.",
    "RAKE_WRONG": (
        "The rake recorded as due differs by {amount:money} from "
        "what the plan gives: {detail:phrase}."
    ),
    "RAKE_TOO_MUCH": "{amount:money} more rake were taken than is due.",
    "RAKE_TOO_LITTLE": "{amount:money} less rake were taken than is due.",
    "POINTS_WRONG": (
        "Points are recorded wrongly, {amount:money} of the first player: {detail:phrase}."
    ),
    "SET_WRONG": "A set of cards is judged wrongly: {detail:phrase}.",
    "CARDS_MOVED": "The rows differ from where the player placed the cards: {detail:phrase}.",
    "BUTTON_WRONG": (
        "Button or blinds of the hand are not where the plan has them: {detail:phrase}."
    ),
    "PLAYER_NOT_SEATED": "The player had no seat at the table of the tournament, or was out.",
    "FANTASYLAND_WRONG": (
        "The player began the game in Fantasyland, or not, wrongly: {detail:phrase}."
    ),
    "CHIP_RACE_WRONG": "The chip race was held against the rules: {detail:phrase}.",
    "ACTION_OVER_LIMIT": (
        "The bet is outside the announced limit of the tournament: {detail:phrase}."
    ),
    "ANTE_MISSING": "The player paid no ante, {amount:money} are owed.",
    "CARDS_NOT_PLACED": "Rows were set without a placement at each street: {detail:phrase}.",
    "MISDEAL_WRONG": "A misdeal gave back what was not put in, by {amount:money}: {detail:phrase}.",
    "MISDEAL_TOO_LATE": "The hand was misdealt after {detail:count} players had acted.",
    "ACTION_OUTSIDE_HAND": "{amount:money} were put in before the hand began or after it was over.",
    "ACTION_OUT_OF_TURN": "The player acted when it was not the player's turn: {detail:phrase}.",
    "POT_WITHOUT_RESULT": (
        "{amount:money} of a hand were paid, returned or raked without its result."
    ),
    # Tournaments
    "POOL_WRONG": (
        "The money of the tournament is divided wrongly, by {amount:money}: {detail:phrase}."
    ),
    "PRIZE_WRONG": (
        "The prize recorded as due differs by {amount:money} from "
        "what the plan gives: {detail:phrase}."
    ),
    "PRIZE_TOO_LITTLE": "{amount:money} less prize were paid than is due.",
    "PRIZE_TOO_MUCH": "{amount:money} more prize were paid than is due.",
    "TOURNAMENT_IMPOSSIBLE": "The tournament can't be settled as recorded: {detail:phrase}.",
    "ANNOUNCED_TOO_LATE": (
        "The tournament began less than {figures.announced_days.value:count} days after its "
        "announcement: {detail:local}."
    ),
    "ENTRY_RETURN_WRONG": (
        "{amount:money} of a payment into the tournament went back wrongly: {detail:phrase}."
    ),
    "ENTRY_NOT_RETURNED": "The tournament was cancelled, {amount:money} did not go back.",
    # Fairness of results
    "RESULTS_LEAN": (
        "Results lean: {detail:phrase}; a fair one ever gets as far once in "
        "{figures.fairness_evidence.value:count}."
    ),
    # Requirements before play
    "REGISTER_NOT_ASKED": "The register of excluded persons was not asked at the {detail:phrase}.",
    "LISTED_LET_IN": "A person listed in the register was let in at the {detail:phrase}.",
    "IDENTITY_NOT_VERIFIED": "The account was opened without a verified identity.",
    "DATA_MISSING": "The account has no identification or contact data: {detail:names}.",
    "SECOND_ACCOUNT": "The person had account {detail} already, which was not closed.",
    "PLAN_NOT_IN_FORCE": "The account was opened under game plan {detail}, which was not in force.",
    "RULES_NOT_IN_FORCE": "The round was opened under rules {detail}, which were not in force.",
    "BET_WITHOUT_MEASURES": (
        "The bet was taken before each self-restricting measure was set or declined."
    ),
    "GUEST_NOT_ADMITTED": (
        "A guest got chips and was not identified at the entrance on that day: {detail}."
    ),
    # Protection of participants
    "BREAK_VIOLATED": (
        "The bet was taken before the break of continuous play was over, {detail:phrase} of play."
    ),
    "TWO_TABLES": "The participant took part at two streamed tables at once: {detail:phrase}.",
    "BET_WHILE_PANIC": "The bet was taken during a panic block.",
    "BET_WHILE_EXCLUDED": "The bet was taken during an exclusion ({detail:phrase}).",
    "BET_WHILE_TEMPORARY_OVER": "The bet was taken from a temporary account after its 30 days.",
    "BET_WHILE_CANCELLING": "The bet was taken while the account was being cancelled.",
    "BET_WHILE_CLOSED": "The bet was taken from a closed account.",
    "BET_WITHOUT_ACCOUNT": "The bet was taken before the account opened.",
    "BET_NOT_LOGGED_IN": "The bet was taken from a participant not logged in for play.",
    "BET_WHILE_SUSPENDED": "The bet was taken while bets were suspended: {detail:phrase}.",
    "MEASURE_LOOSENED_EARLY": (
        "Self-restricting measure {detail} was loosened or removed with effect before midnight of "
        "the seventh day."
    ),
    "MEASURE_LOOSER_THAN_BEFORE": (
        "Self-restricting measure {detail} is looser than that of the person's account closed in "
        "the seven days before."
    ),
    "MEASURE_PASSED": "The bet passed self-restricting measure {detail} by {amount:money}.",
    "LOGIN_TIME_PASSED": (
        "The bet was taken when the login time of the day was used up: {detail:phrase} minutes."
    ),
    "PAUSE_VIOLATED": "The bet was taken in the pause after a logout: {detail:phrase} minutes.",
    "LOGINS_PASSED": (
        "The login of the month passed self-restricting measure e, {detail:count} logins."
    ),
    # Deposits and withdrawals
    "DEPOSIT_METHOD_UNKNOWN": (
        "{amount:money} came by {detail}, which was not registered for the account."
    ),
    "DEPOSIT_WHILE_TEMPORARY_OVER": (
        "{amount:money} came in on a temporary account after its 30 days."
    ),
    "TEMPORARY_DEPOSITS_PASSED": (
        "Deposits of a temporary account passed 3,000 CZK together, by {amount:money}."
    ),
    "WITHDRAWAL_WHILE_TEMPORARY": (
        "{amount:money} were withdrawn from a temporary account: {detail}."
    ),
    "METHOD_ISSUER_OUTSIDE": (
        "The means of payment was issued outside the European Economic Area: {detail:phrase}."
    ),
    "METHOD_NOT_PROVED": "Ownership of means of payment {detail} was declared and not proved.",
    "WITHDRAWAL_METHOD_WRONG": (
        "{amount:money} were to go to {detail}, which is no registered payment account."
    ),
    "WITHDRAWAL_NOT_REQUESTED": (
        "Withdrawal {detail} over {amount:money} was paid and not requested like this."
    ),
    "CASH_LIMIT_PASSED": (
        "Cash {detail:phrase} of 24 hours passed "
        "{figures.cash_haler.value:money} by {amount:money}."
    ),
    "CASH_WITHOUT_DOCUMENT": (
        "No identity document was shown for a cash {detail:phrase} of {amount:money}."
    ),
    # Books
    "STATEMENT_WRONG": "A statement differs from the postings by {amount:money}: {detail:phrase}.",
    "POSTINGS_UNEVEN": "Postings of one event sum to {amount:money}, not to zero.",
    "BALANCE_NEGATIVE": "The balance `{detail}` fell to {amount:money}.",
    # Personal data
    "ERASED_UNDER_HOLD": "The person was erased while hold {detail} kept the data as evidence.",
    "ERASED_TOO_EARLY": (
        "The person was erased before {detail:phrase}, the last day to keep the data."
    ),
    "DORMANCY_NOT_GIVEN": (
        "The account was to be cancelled because it was unused, and it was in use: {detail:phrase}."
    ),
    "CLOSED_TOO_EARLY": "The account was closed too early: {detail:phrase}.",
    "BALANCE_NOT_RETURNED": "The account was closed with {amount:money} in its wallet.",
    "RECORD_DESTROYED_EARLY": (
        "A record was destroyed before the end of its retention: {detail:phrase}."
    ),
    "NOTICE_INCOMPLETE": "The notice of the cancellation is not complete: {detail:phrase}.",
    # Deposits of blocked accounts; dealers, cards, fees and entries against the plan
    "DEPOSIT_WHILE_EXCLUDED": "{amount:money} came in during an exclusion ({detail:phrase}).",
    "DEPOSIT_WHILE_PANIC": "{amount:money} came in during a panic block.",
    "DEPOSIT_WHILE_CANCELLING": "{amount:money} came in while the account was being cancelled.",
    "DEPOSIT_WHILE_CLOSED": "{amount:money} came in on a closed account.",
    "DEPOSIT_WITHOUT_ACCOUNT": "{amount:money} came in before the account opened.",
    "SPIN_NOT_RULED_ON": (
        "The spin that counted had too few turns, "
        "and neither inspector nor management decided on it: {detail:phrase}."
    ),
    "ROUND_WITHOUT_DEALER": "The streamed round was opened without a dealer.",
    "RESULT_BY_MACHINE": "A machine makes the result of the streamed round.",
    "SHOE_DECKS_WRONG": "The shoe has another number of decks than the plan: {detail:phrase}.",
    "SHOE_CUT_WRONG": "The cut card lies outside the bounds of the plan: {detail:phrase}.",
    "CARD_NOT_BURNT": "A card that the plan burns was not burnt: {detail:phrase}.",
    "DEALING_ORDER_WRONG": (
        "The cards were dealt in another order than that of the plan: {detail:phrase}."
    ),
    "TABLE_OVERFULL": "A seat was taken at a table without a free one: {detail:phrase}.",
    "COLOUR_TWICE": "Chips of a colour were issued against the rules: {detail:phrase}.",
    "VOID_NOT_ALLOWED": "The plan does not allow the void: {detail:phrase}.",
    "VOID_NOT_RECONSTRUCTED": "The void came before a reconstruction had failed: {detail:phrase}.",
    "FAULT_NOT_ANNOUNCED": (
        "The void came before participants were told of the fault: {detail:phrase}."
    ),
    "FAULT_WITHOUT_PAUSE": "A fault was announced and the game was not paused before.",
    "TIME_MONEY_WRONG": "{amount:money} of time money are not within the plan: {detail:phrase}.",
    "TIME_MONEY_TWICE": (
        "{amount:money} of time money were taken twice for the same half hour, table {detail}."
    ),
    "ENTRY_NOT_ALLOWED": (
        "{amount:money} were paid into the tournament against its rules: {detail:phrase}."
    ),
    "FEE_NOT_ALLOWED": "The fee of the tournament is outside the plan: {detail:phrase}.",
} | {duty.code: duty.finding for duty in DUTIES.values()}
"""The sentence of every finding by its code. Placeholders are the amount, the detail and figures of
the operator; their types are those of :mod:`ledger.core.phrases`."""
