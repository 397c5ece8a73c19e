"""Check at each bet whether its account was allowed to bet, with the rules that decide bets.

Input: events in the order of the chain, and the log before them. Output: for each stake the finding
that its account should not have been admitted to place it. An unknown account is read back to its
last statement, as in the writer; accounts and rounds are dropped when there are many, so that
memory is bounded. `gameledger reconcile` finds the same from the facts alone, without statements
and guards.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from ledger.core.clock import MINUTE
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError
from ledger.decisions.protection.blocks import require_may_play
from ledger.decisions.protection.continuous_play import require_no_break
from ledger.decisions.protection.measures import require_measures_allow
from ledger.decisions.rounds.betting import require_logged_in
from ledger.events import event_types as e
from ledger.log.port import Query, events_at
from ledger.state.account import STATE_VERSION, AccountState
from ledger.state.account_fold import fold
from ledger.state.participant import account_before, accounts_before, as_participant
from projections.findings.finding import DetectedFinding

if TYPE_CHECKING:
    from ledger.events.encoding import RecordedEvent
    from ledger.log.port import Log
    from ledger.rules.operator import Figures

__all__ = ["FOUND_AS", "Accounts"]

ACCOUNTS_MAX = 10_000
ROUNDS_MAX = 10_000
UNKNOWN = "ACCOUNT_UNKNOWN"
FOUND_AS = {
    UNKNOWN: "BET_WITHOUT_ACCOUNT",
    "ACCOUNT_CLOSED": "BET_WHILE_CLOSED",
    "CANCELLATION_RUNS": "BET_WHILE_CANCELLING",
    "PANIC_BLOCK": "BET_WHILE_PANIC",
    "EXCLUDED": "BET_WHILE_EXCLUDED",
    "TEMPORARY_OVER": "BET_WHILE_TEMPORARY_OVER",
    "NOT_LOGGED_IN": "BET_NOT_LOGGED_IN",
    "BREAK_REQUIRED": "BREAK_VIOLATED",
    "MEASURES_MISSING": "BET_WITHOUT_MEASURES",
    "MEASURE_STAKES_DAY": "MEASURE_PASSED",
    "MEASURE_STAKES_MONTH": "MEASURE_PASSED",
    "MEASURE_LOSS_DAY": "MEASURE_PASSED",
    "MEASURE_LOSS_MONTH": "MEASURE_PASSED",
    "MEASURE_LOGIN_TIME": "LOGIN_TIME_PASSED",
    "MEASURE_PAUSE": "PAUSE_VIOLATED",
}
"""What reconciliation calls what a guard refuses."""


class Accounts:
    """The state of accounts, updated event by event."""

    def __init__(self, log: Log, figures: Figures) -> None:
        """Begin without accounts."""
        self._log, self._figures = log, figures
        self._accounts: OrderedDict[str, AccountState] = OrderedDict()
        self._streamed: OrderedDict[str, bool] = OrderedDict()
        self._players: OrderedDict[str, set[str]] = OrderedDict()
        self._before: OrderedDict[str, str] = OrderedDict()

    def follow(self, recorded: RecordedEvent) -> DetectedFinding | None:
        """Return the finding that a stake leads to, or None; update the accounts of the event."""
        event, position = recorded.event, recorded.position
        moment = recorded.envelope.recorded_at
        if isinstance(event, e.RoundOpened):
            _keep(self._streamed, event.round, event.streamed, ROUNDS_MAX)
        stake = _stake(event)
        found = self._rule_findings(event, stake, position, moment) if stake else None
        for account in self._concerned(event):
            if account in self._accounts:
                state = fold(self._accounts[account], event, moment, self._figures)
                self._accounts[account] = state
        return found

    def _concerned(self, event: Any) -> set[str]:
        """Return the accounts an event concerns; for a result also all that placed bets."""
        name, of_round = getattr(event, "account", ""), getattr(event, "round", "")
        if isinstance(event, e.BetPlaced):
            players = self._players.get(of_round, set()) | {name}
            _keep(self._players, of_round, players, ROUNDS_MAX)
        if isinstance(event, e.RoundResulted):
            return {*event.accounts, *self._players.pop(of_round, ())}
        return {name} if name else set(getattr(event, "accounts", ()))

    def _rule_findings(
        self, event: Any, stake: int, position: int, moment: int
    ) -> DetectedFinding | None:
        account = self._participant(event.account, position, moment)
        try:
            _require_known(account)
            require_may_play(account, moment)
            require_logged_in(account)
            if isinstance(event, e.BetPlaced):
                require_measures_allow(account, stake, moment, chips=account.reserved)
                if not event.parent and self._is_streamed(event.round, position):
                    require_no_break(account, moment, self._figures)
        except RefusedError as refusal:
            passed = _passed(refusal.code, account, stake, moment)
            return DetectedFinding(
                FOUND_AS[refusal.code],
                position=position,
                account=event.account,
                round=getattr(event, "round", ""),
                bet=getattr(event, "bet", "") or getattr(event, "entry", ""),
                amount=passed[1] if passed else stake,
                detail=passed[0] if passed else _detail(refusal, account, moment),
            )
        return None

    def _participant(self, name: str, position: int, moment: int) -> AccountState:
        def before(account: AccountState) -> AccountState | None:
            if account.account not in self._before:
                found = account_before(self._log, account)
                _keep(self._before, account.account, found, ACCOUNTS_MAX)
            earlier = self._before[account.account]
            return self._account(earlier, position) if earlier else None

        account = self._account(name, position)
        if account.status == "unknown":
            return account
        earlier = [*accounts_before(account, before, moment)]
        return as_participant(account, earlier, moment, self._figures.break_length)

    def _account(self, name: str, position: int) -> AccountState:
        state = self._accounts.get(name)
        if state is None:
            state = self._read(name, position)
        _keep(self._accounts, name, state, ACCOUNTS_MAX)
        return state

    def _read(self, name: str, position: int) -> AccountState:
        tag, after, state = (f"account:{name}",), -1, AccountState(name)
        query = Query(types=("AccountStatement",), tags=tag)
        last = self._log.find(query, before=position, limit=1, backwards=True)
        for recorded in events_at(self._log, last):
            event = recorded.event
            if isinstance(event, e.AccountStatement) and event.state_version == STATE_VERSION:
                state, after = fold(state, event, 0, self._figures), recorded.position
        found = self._log.find(Query(tags=tag), after=after, before=position)
        for recorded in events_at(self._log, found):
            state = fold(state, recorded.event, recorded.envelope.recorded_at, self._figures)
        return state

    def _is_streamed(self, name: str, position: int) -> bool:
        if name not in self._streamed:
            query = Query(types=("RoundOpened",), tags=(f"round:{name}",))
            opened = events_at(self._log, self._log.find(query, before=position, limit=1))
            streamed = any(getattr(one.event, "streamed", False) for one in opened)
            _keep(self._streamed, name, streamed, ROUNDS_MAX)
        return self._streamed[name]


def _require_known(account: AccountState) -> None:
    if account.status == "unknown":
        raise RefusedError(UNKNOWN)


def _passed(code: str, account: AccountState, stake: int, moment: int) -> tuple[str, int] | None:
    """Return the money measure that a stake exceeds, and by how much; None for other refusals."""
    day, month = account.today(moment), account.this_month(moment)
    used = {
        "MEASURE_STAKES_DAY": ("a", day.stakes),
        "MEASURE_STAKES_MONTH": ("b", month.stakes),
        "MEASURE_LOSS_DAY": ("c", day.stakes - day.winnings),
        "MEASURE_LOSS_MONTH": ("d", month.stakes - month.winnings),
    }
    if code not in used:
        return None
    letter, before = used[code]
    limit = account.measures[letter].at(moment) or 0
    return letter, before + account.reserved + stake - limit


def _detail(refusal: RefusedError, account: AccountState, moment: int) -> Phrase | str:
    if refusal.code == "BREAK_REQUIRED":
        played = account.last_evaluated_at - account.sequence_started_at
        return Phrase("AFTER_MINUTES", count=played // MINUTE)
    if refusal.code == "MEASURE_LOGIN_TIME":
        return Phrase("MINUTES_ALLOWED", count=account.measures["f"].at(moment))
    if refusal.code == "MEASURE_PAUSE":
        return Phrase("MINUTES_TO_PASS", count=account.measures["g"].at(moment))
    if refusal.code == "EXCLUDED":
        return Phrase("GROUND_OF_EXCLUSION", ground=refusal.details["ground"])
    return ""


def _stake(event: e.Event) -> int:
    """Return the stake of an event that places a bet; 0 for all other events."""
    match event:
        case e.BetPlaced():
            return event.stake
        case e.HandAction(tournament=""):
            return event.amount
        case e.TournamentEntryPaid():
            return event.amount
        case _:
            return 0


def _keep(known: OrderedDict[str, Any], name: str, value: Any, most: int) -> None:
    known[name] = value
    known.move_to_end(name)
    while len(known) > most:
        known.popitem(last=False)
