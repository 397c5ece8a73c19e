"""The findings of reconciliation: one table of stable codes, and the values of a case.

Checks return :class:`Found`; :func:`render_findings` converts each to a :class:`Finding`, with the
sentence common to all operators and the figures and the paragraph of the chain's own operator. A
code never changes its meaning; sentences may be improved. Amounts are haléř, and the sentence
defines their meaning; ``detail`` comes from the check.
:mod:`projections.reconciliation.identity` computes the name of a finding over all runs.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Literal

from ledger.rules.duties import DUTIES
from projections.facts.words import crowns
from projections.reconciliation.identity import Side, fingerprint_of, identities_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ledger.rules.operator import OperatorRules

__all__ = ["FINDINGS", "Finding", "Found", "Side", "State", "render_findings"]

State = Literal["new", "open", "explained", "closed", "gone"]
"""New: found, but not yet recorded by a reconciliation. Gone: no longer found."""


@dataclass(frozen=True, slots=True)
class Found:
    """Result of a check: fields as in :class:`Finding`, and ``detail`` for its sentence.

    ``paragraph`` names a better source than the operator's rules, such as the plan of the game.
    ``about`` distinguishes findings with the same code, account, round and bet: a stable name,
    never a figure or a word of the sentence
    (:func:`projections.reconciliation.identity.identity_of`).
    """

    code: str
    _: KW_ONLY
    position: int
    account: str = ""
    round: str = ""
    bet: str = ""
    amount: int = 0
    detail: str = ""
    paragraph: str = ""
    about: str = ""
    ours: Side | None = None
    theirs: Side | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One violation.

    ``identity`` is its name over all runs, ``fingerprint`` that of its current facts. ``position``
    is that of the event that shows it; account, round and bet are empty if they are not involved.
    ``amount`` is haléř, ``detail`` comes from the check, ``about`` distinguishes it from others
    there. ``ours`` and ``theirs`` are the two sides of a comparison with the outside world; None
    for a side without data, and both None for findings of our own record. ``state`` is its state in
    the
    chain: new (not recorded yet), open, explained, closed or gone; ``assignee`` is the person in
    charge, ``number`` the short number of a recorded one.
    """

    identity: str
    fingerprint: str
    code: str
    sentence: str
    position: int
    account: str
    round: str
    bet: str
    amount: int
    paragraph: str
    detail: str = ""
    about: str = ""
    ours: Side | None = None
    theirs: Side | None = None
    state: State = "new"
    assignee: str = ""
    number: str = ""

    @property
    def is_open(self) -> bool:
        """Return whether anything is left to be done."""
        return self.state in {"new", "open", "explained"}


def render_findings(found: Iterable[Found], rules: OperatorRules) -> list[Finding]:
    """Render findings, in the order of the chain; at one position by code, account and bet."""
    found = sorted(found, key=_order)
    return [
        Finding(
            identity=identity,
            fingerprint=fingerprint_of(one),
            code=one.code,
            sentence=FINDINGS[one.code].format(
                amount=crowns(one.amount),
                detail=one.detail,
                figures=rules.figures,
                periods=rules.periods,
            ),
            position=one.position,
            account=one.account,
            round=one.round,
            bet=one.bet,
            amount=one.amount,
            paragraph=one.paragraph or rules.paragraph_of_finding(one.code),
            detail=one.detail,
            about=one.about,
            ours=one.ours,
            theirs=one.theirs,
        )
        for one, identity in zip(found, identities_of(found), strict=True)
    ]


def _order(one: Found) -> tuple[object, ...]:
    return one.position, one.code, one.account, one.bet, one.about, one.detail


FINDINGS: dict[str, str] = {
    # Bonuses, unclaimed money
    "BONUS_NOT_ANNOUNCED": "Bonus {detail} was given before or without its terms.",
    "BONUS_AFTER_REQUEST": "A bonus was given after the request to close the account.",
    # The clock of the record
    "CLOCK_APART": "The clock of the record was {detail} from its source of time.",
    "CLOCK_NOT_MEASURED": "The clock was not compared with its source for {detail}.",
    # What a provider's feed tells
    "FEED_UNMAPPED": "A provider's message could not be made a command: {detail}.",
    "FEED_REFUSED": "A provider told what the ledger refused: {detail}.",
    "FEED_LATE": "A provider's message came when what follows it was recorded: {detail}.",
    "FEED_ALTERED": "A provider sent other content under the identifier of a message: {detail}.",
    "FEED_MISSING": "Messages of a provider never came: {detail}.",
    # Statements of banks, payment providers and game providers
    "NOT_IN_BOOKS": "{amount} stand in a statement and not in our books: {detail}.",
    "NOT_IN_STATEMENT": (
        "{amount} stand in our books and in no statement of the days around: {detail}."
    ),
    "AMOUNT_DIFFERS": "A statement and our books differ by {amount}: {detail}.",
    "AMOUNT_ROUNDED": "A statement has our amount rounded, by {amount}: {detail}.",
    "BOOKED_LATE": "{amount} were booked too far from the day of our entry: {detail}.",
    "BOOKED_WRONG_DAY": (
        "A statement has {amount} on a day on which they were not played for: {detail}."
    ),
    "LINE_DOUBLE": "A statement has {amount} once more: {detail}.",
    "CHARGED_BACK": "{amount} went back by a statement and not in our books: {detail}.",
    "TOTAL_DIFFERS": "A total differs by {amount} from what it has to sum up: {detail}.",
    # A settlement against the game plan
    "DUE_WRONG": (
        "The payment recorded as due differs by {amount} from what the plan gives: {detail}."
    ),
    "RESULT_WRONG": "The result of the bet is recorded wrongly: {detail}.",
    "PAID_TOO_LITTLE": "{amount} less were paid than is due.",
    "PAID_TOO_MUCH": "{amount} more were paid than is due.",
    "PRIZE_NOT_COLLECTED": "{amount} of a prize that is not due were not taken back.",
    "CLAIM_OPEN": "The player owes {amount} that the wallet did not hold.",
    "BET_NOT_ALLOWED": "The plan does not allow the bet: {detail}.",
    "STAKES_NOT_ALLOWED": "The plan does not allow the stakes of the round together: {detail}.",
    "TABLE_LIMITS_WRONG": "The limits of the table are not within those of the plan: {detail}.",
    "OUTCOME_IMPOSSIBLE": "The recorded outcome can't be settled: {detail}.",
    "RAISE_MISSING": "The decision asks for a stake of {detail} that is no bet.",
    "RAISE_WITHOUT_DECISION": "{detail} were staked after the close, and no decision asks for it.",
    "RAISE_NOT_ALLOWED": "The plan did not allow the raise when it was decided: {detail}.",
    "RAISE_STAKE_WRONG": "The decision asks for another stake than the bet has: {detail}.",
    "PLAN_UNKNOWN": "The round can't be settled again: {detail}.",
    # The course of a round
    "ROUND_NOT_FINISHED": "The round has neither result nor void, and its table went on.",
    "ROUND_NOT_OPENED": "The round has facts before or without its opening.",
    "ROUND_KIND_WRONG": "The game is {detail} by its plan, the round was recorded otherwise.",
    "ROUND_FACT_TWICE": "Opening, close, result or void of the round was recorded twice.",
    "RESULT_BEFORE_CLOSE": "The result was recorded before the close.",
    "RESULT_AND_VOID": "The round has a result and a void.",
    "RESULT_NOT_LANDED": "The result is not where the ball fell: {detail}.",
    "RESULT_NOT_SEEN": "The result is not what the studio recorded: {detail}.",
    "RESULT_ON_CONTRADICTION": "The result rests on a record that says two things: {detail}.",
    "RESULT_WITHOUT_SPIN": "The result has no valid spin before it with a ball, or wheel, at rest.",
    "SPIN_TOO_SHORT": "The spin that counted had too few turns: {detail}.",
    "TOO_FEW_TABLES": "Casino {detail} live tables while its doors were open.",
    "SPIN_NOT_CHANGED": "The wheel turned the way of the spin before, {detail}.",
    "SPIN_WRONG_DIRECTION": "Wheel and ball of the spin that counted ran in one direction.",
    "PAYOUT_NOT_CHECKED": "The round paid wins of {amount} that no inspector checked within a day.",
    "CLOSE_MISCOUNTED": (
        "The close names other bets than were concluded: {detail}, {amount} too much."
    ),
    # The course of a bet
    "BET_NOT_PLACED": "The bet has facts and no placement.",
    "BET_TAKEN_TWICE": "The bet was placed or concluded twice.",
    "BET_NOT_CONCLUDED": "Chips that were never a bet were settled or voided.",
    "BET_SETTLED_TWICE": "The bet was settled twice; {amount} the last time.",
    "BET_ENDED_TWICE": "The bet was given back, voided or settled more than once.",
    "BET_NOT_SETTLED": (
        "The round has its result, the bet over {amount} is neither settled nor void."
    ),
    "PAID_ON_HOLD": "The bet was settled while its payout was on hold.",
    "BET_SETTLED_EARLY": "The bet was settled before the result.",
    "PRISON_NOT_DECIDED": (
        "The table has another result, and no decision about the chip in prison over {amount}."
    ),
    "PRISON_DECIDED_WRONG": (
        "Another number than that of the next spin decided about the chip in prison: {detail}."
    ),
    "BET_NOT_RETURNED": "The round is void, the stake was not returned.",
    "BET_LEFT_ON_TABLE": "Chips over {amount} were neither concluded nor given back.",
    "BET_AFTER_CLOSE": "The bet was taken after the close.",
    "BET_ON_KNOWN_FACT": "Chips were moved when the number or a card was known: {detail}.",
    "BET_BEFORE_CLOSE": "The bet was concluded without the close.",
    "BET_IN_NO_ROUND": "The bet was taken in a round that was not open.",
    "RAISE_OF_NO_BET": "The raised bet {detail} is no concluded bet of the account and round.",
    "STAKE_DIFFERS": "Facts of the bet differ in its stake by {amount}.",
    # The floor of a casino
    "COUNT_DIFFERS": "What was counted differs from the books: {detail}.",
    "COUNT_BOOKS_WRONG": "The books told with a count are not what was booked: {detail}.",
    "NET_RESULT_WRONG": "The net result of table {detail} was recorded wrongly, by {amount}.",
    "TABLE_RESULT_DIFFERS": (
        "The net result of table {detail} and its recorded bets differ by {amount}, more than "
        "tips explain."
    ),
    "SECTION_NOT_COUNTED": "Section {detail} was closed and not counted at both ends.",
    "OUTSIDE_SECTION": "A fact of the floor lies outside its section: {detail}.",
    "SECTION_OUTSIDE_DAY": "Section {detail} does not lie in one operating day.",
    "ROUND_OUTSIDE_SECTION": "The round at table {detail} was played outside its section.",
    "GUEST_NOT_IDENTIFIED": (
        "A guest moved {amount} in cash in an operating day, and no document was shown."
    ),
    # Hands among players
    "OUTCOME_DIFFERS": "The recorded outcome is not what the facts of the hand give: {detail}.",
    "POT_WRONG": "A pot is recorded wrongly by {amount}: {detail}.",
    "UNCALLED_WRONG": "What nobody called went back wrongly: {detail}.",
    "RAKE_WRONG": (
        "The rake recorded as due differs by {amount} from what the plan gives: {detail}."
    ),
    "RAKE_TOO_MUCH": "{amount} more rake were taken than is due.",
    "RAKE_TOO_LITTLE": "{amount} less rake were taken than is due.",
    "POINTS_WRONG": "Points are recorded wrongly, {amount} of the first player: {detail}.",
    "SET_WRONG": "A set of cards is judged wrongly: {detail}.",
    "CARDS_MOVED": "The rows differ from where the player placed the cards: {detail}.",
    "BUTTON_WRONG": "Button or blinds of the hand are not where the plan has them: {detail}.",
    "PLAYER_NOT_SEATED": "The player had no seat at the table of the tournament, or was out.",
    "FANTASYLAND_WRONG": "The player began the game in Fantasyland, or not, wrongly: {detail}.",
    "CHIP_RACE_WRONG": "The chip race was held against the rules: {detail}.",
    "ACTION_OVER_LIMIT": "The bet is outside the announced limit of the tournament: {detail}.",
    "ANTE_MISSING": "The player paid no ante, {amount} are owed.",
    "CARDS_NOT_PLACED": "Rows were set without a placement at each street: {detail}.",
    "MISDEAL_WRONG": "A misdeal gave back what was not put in, by {amount}: {detail}.",
    "MISDEAL_TOO_LATE": "The hand was misdealt after {detail} players had acted.",
    "ACTION_OUTSIDE_HAND": "{amount} were put in before the hand began or after it was over.",
    "ACTION_OUT_OF_TURN": "The player acted when it was not the player's turn: {detail}.",
    "POT_WITHOUT_RESULT": "{amount} of a hand were paid, returned or raked without its result.",
    # Tournaments
    "POOL_WRONG": "The money of the tournament is divided wrongly, by {amount}: {detail}.",
    "PRIZE_WRONG": (
        "The prize recorded as due differs by {amount} from what the plan gives: {detail}."
    ),
    "PRIZE_TOO_LITTLE": "{amount} less prize were paid than is due.",
    "PRIZE_TOO_MUCH": "{amount} more prize were paid than is due.",
    "TOURNAMENT_IMPOSSIBLE": "The tournament can't be settled as recorded: {detail}.",
    "ANNOUNCED_TOO_LATE": (
        "The tournament began less than {figures.announced_days.in_words} days after its "
        "announcement: {detail}."
    ),
    "ENTRY_RETURN_WRONG": "{amount} of a payment into the tournament went back wrongly: {detail}.",
    "ENTRY_NOT_RETURNED": "The tournament was cancelled, {amount} did not go back.",
    # Fairness of results
    "RESULTS_LEAN": (
        "Results lean: {detail}; a fair one ever gets as far once in "
        "{figures.fairness_evidence.value}."
    ),
    # What comes before play
    "REGISTER_NOT_ASKED": "The register of excluded persons was not asked at the {detail}.",
    "LISTED_LET_IN": "Somebody whom the register lists was let in at the {detail}.",
    "IDENTITY_NOT_VERIFIED": "The account was opened without a verified identity.",
    "DATA_MISSING": "The account has no identification or contact data: {detail}.",
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
        "The bet was taken before the break of continuous play was over, {detail} of play."
    ),
    "TWO_TABLES": "The participant took part at two streamed tables at once: {detail}.",
    "BET_WHILE_PANIC": "The bet was taken during a panic block.",
    "BET_WHILE_EXCLUDED": "The bet was taken during an exclusion ({detail}).",
    "BET_WHILE_TEMPORARY_OVER": "The bet was taken from a temporary account after its 30 days.",
    "BET_WHILE_CANCELLING": "The bet was taken while the account was being cancelled.",
    "BET_WHILE_CLOSED": "The bet was taken from a closed account.",
    "BET_WITHOUT_ACCOUNT": "The bet was taken before the account opened.",
    "BET_NOT_LOGGED_IN": "The bet was taken from somebody not logged in for play.",
    "BET_WHILE_SUSPENDED": "The bet was taken while bets were suspended: {detail}.",
    "MEASURE_LOOSENED_EARLY": (
        "Self-restricting measure {detail} was loosened or removed with effect before midnight of "
        "the seventh day."
    ),
    "MEASURE_LOOSER_THAN_BEFORE": (
        "Self-restricting measure {detail} is looser than that of the person's account closed in "
        "the seven days before."
    ),
    "MEASURE_PASSED": "The bet passed self-restricting measure {detail} by {amount}.",
    "LOGIN_TIME_PASSED": (
        "The bet was taken when the login time of the day was used up: {detail} minutes."
    ),
    "PAUSE_VIOLATED": "The bet was taken in the pause after a logout: {detail} minutes.",
    "LOGINS_PASSED": "The login of the month passed self-restricting measure e, {detail} logins.",
    # Money that comes in and goes out
    "DEPOSIT_METHOD_UNKNOWN": (
        "{amount} came by {detail}, which was not registered for the account."
    ),
    "DEPOSIT_WHILE_TEMPORARY_OVER": "{amount} came in on a temporary account after its 30 days.",
    "TEMPORARY_DEPOSITS_PASSED": (
        "Deposits of a temporary account passed 3,000 CZK together, by {amount}."
    ),
    "WITHDRAWAL_WHILE_TEMPORARY": "{amount} were withdrawn from a temporary account: {detail}.",
    "METHOD_ISSUER_OUTSIDE": (
        "The means of payment was issued outside the European Economic Area: {detail}."
    ),
    "METHOD_NOT_PROVED": "Ownership of means of payment {detail} was declared and not proved.",
    "WITHDRAWAL_METHOD_WRONG": (
        "{amount} were to go to {detail}, which is no registered payment account."
    ),
    "WITHDRAWAL_NOT_REQUESTED": (
        "Withdrawal {detail} over {amount} was paid and not requested like this."
    ),
    "CASH_LIMIT_PASSED": (
        "Cash {detail} of 24 hours passed {figures.cash_haler.crowns} CZK by {amount}."
    ),
    "CASH_WITHOUT_DOCUMENT": "No identity document was shown for a cash {detail} of {amount}.",
    # Books
    "STATEMENT_WRONG": "A statement differs from the postings by {amount}: {detail}.",
    "POSTINGS_UNEVEN": "Postings of one event sum to {amount}, not to zero.",
    "BALANCE_NEGATIVE": "The balance `{detail}` fell to {amount}.",
    # Personal data
    "ERASED_UNDER_HOLD": "The person was erased while hold {detail} kept the data as evidence.",
    "ERASED_TOO_EARLY": "The person was erased before {detail}, the last day to keep the data.",
    "DORMANCY_NOT_GIVEN": (
        "The account was to be cancelled because nobody used it, and it was in use: {detail}."
    ),
    "CLOSED_TOO_EARLY": "The account was closed too early: {detail}.",
    "BALANCE_NOT_RETURNED": "The account was closed with {amount} in its wallet.",
    "RECORD_DESTROYED_EARLY": "A record was destroyed before the end of its retention: {detail}.",
    "NOTICE_INCOMPLETE": "The notice of the cancellation is not complete: {detail}.",
    # Deposits of blocked accounts; dealers, cards, fees and entries against the plan
    "DEPOSIT_WHILE_EXCLUDED": "{amount} came in during an exclusion ({detail}).",
    "DEPOSIT_WHILE_PANIC": "{amount} came in during a panic block.",
    "DEPOSIT_WHILE_CANCELLING": "{amount} came in while the account was being cancelled.",
    "DEPOSIT_WHILE_CLOSED": "{amount} came in on a closed account.",
    "DEPOSIT_WITHOUT_ACCOUNT": "{amount} came in before the account opened.",
    "SPIN_NOT_RULED_ON": (
        "The spin that counted had too few turns, "
        "and neither inspector nor management decided on it: {detail}."
    ),
    "ROUND_WITHOUT_DEALER": "The streamed round was opened without a dealer.",
    "RESULT_BY_MACHINE": "A machine makes the result of the streamed round.",
    "SHOE_DECKS_WRONG": "The shoe has another number of decks than the plan: {detail}.",
    "SHOE_CUT_WRONG": "The cut card lies outside the bounds of the plan: {detail}.",
    "CARD_NOT_BURNT": "A card that the plan burns was not burnt: {detail}.",
    "DEALING_ORDER_WRONG": "The cards were dealt in another order than that of the plan: {detail}.",
    "TABLE_OVERFULL": "A seat was taken at a table without a free one: {detail}.",
    "COLOUR_TWICE": "Chips of a colour were issued against the rules: {detail}.",
    "VOID_NOT_ALLOWED": "The plan does not allow the void: {detail}.",
    "VOID_NOT_RECONSTRUCTED": "The void came before a reconstruction had failed: {detail}.",
    "FAULT_NOT_ANNOUNCED": "The void came before participants were told of the fault: {detail}.",
    "FAULT_WITHOUT_PAUSE": "A fault was announced and the game was not paused before.",
    "TIME_MONEY_WRONG": "{amount} of time money are not within the plan: {detail}.",
    "TIME_MONEY_TWICE": (
        "{amount} of time money were taken twice for the same half hour, table {detail}."
    ),
    "ENTRY_NOT_ALLOWED": "{amount} were paid into the tournament against its rules: {detail}.",
    "FEE_NOT_ALLOWED": "The fee of the tournament is outside the plan: {detail}.",
} | {duty.code: duty.finding for duty in DUTIES.values()}
"""The sentence of every finding by its code, with places for ``{amount}``, ``{detail}`` and the
operator's figures."""
