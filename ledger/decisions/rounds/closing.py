"""The close of betting: chips become bets or are returned (SAZKA 2, 7(1), 13(2), 13(5)).

A bet is concluded when betting closes, so all conditions of a bet are checked again then, except
for the ban of 5a(3). Changes since the placement count: a measure that changed at midnight, login
time that ran out, a block, a suspension. The chips of a participant are checked in the order of
placing, each bet counting for later ones. Chips that may not become a bet are returned with cause
and paragraph, together with chips that are not allowed without them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.rounds.betting import require_may_bet
from ledger.decisions.rounds.boxes import owners_named
from ledger.events import event_types as e
from ledger.events.command import Command, Id
from ledger.state.round_wagers import is_spun_early, plan_of, wager_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from ledger import games
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundBet, RoundState

__all__ = ["CloseBets", "close_bets"]


class CloseBets(Command, frozen=True):
    """Close the betting ("no more bets")."""

    round: Id


@refuses("WRONG_ORDER")
def close_bets(ledger_state: LedgerState, command: CloseBets, now: int) -> list[e.Event]:
    """Decide :class:`CloseBets`; refused once a wheel moves whose plan closes bets first."""
    state = ledger_state.round(command.round)
    if state.status != "open":
        raise RefusedError("WRONG_ORDER", what=Phrase("CLOSE_OF_BETS"), status=state.status)
    if is_spun_early(state):
        what = Phrase("CLOSE_OF_BETS_LATE")
        paragraph = plan_of(state).header.rule_settled
        raise RefusedError("WRONG_ORDER", what=what, status=state.status, paragraph=paragraph)
    placed = state.bets_in("placed")
    reasons: dict[str, tuple[str, str]] = {}
    for name in dict.fromkeys(bet.account for _, bet in placed):
        reasons |= _reasons_against(ledger_state, state, ledger_state.account(name), now)
    outcomes = [
        _returned(state, name, bet, *reasons[name])
        if name in reasons
        else _concluded(state, name, bet)
        for name, bet in placed
    ]
    bets = [event for event in outcomes if isinstance(event, e.BetConcluded)]
    closed = e.BetsClosed(
        round=command.round,
        table=state.table,
        bets=len(bets),
        stakes=sum(event.amount for event in bets),
    )
    concluded = [bet for name, bet in placed if name not in reasons]
    return [closed, *outcomes, *owners_named(ledger_state, state, concluded)]


def _reasons_against(
    ledger_state: LedgerState, state: RoundState, account: AccountState, now: int
) -> dict[str, tuple[str, str]]:
    """Return cause and paragraph for each of the participant's chips that may not become a bet.

    Returned chips no longer count. So chips that depend on them (such as a blind's ante) are
    removed one by one in the order of placing, and the rest is checked again.
    """
    plan = plan_of(state)
    wanted = dict(state.bets_of(account.account, "placed"))
    reasons: dict[str, tuple[str, str]] = {}
    while True:
        against = _judged(ledger_state, state, account, wanted, now)
        reasons = against | reasons
        left = {name: bet for name, bet in wanted.items() if name not in against}
        alone = _first_alone(plan, left)
        if not alone:
            return {name: reason for name, reason in reasons.items() if name not in left}
        reasons.setdefault(alone, ("incomplete", plan.header.rule_settled))
        del wanted[alone]


def _judged(
    ledger_state: LedgerState,
    state: RoundState,
    account: AccountState,
    wanted: Collection[str],
    now: int,
) -> dict[str, tuple[str, str]]:
    """Check chips in the order of placing; earlier chips at other tables count."""
    against: dict[str, tuple[str, str]] = {}
    before = 0
    for name, chips in account.bets.items():
        if chips.concluded or (chips.round == state.round and name not in wanted):
            continue
        if chips.round == state.round:
            try:
                require_may_bet(ledger_state, state, account, chips.stake, now, chips=before)
            except RefusedError as refusal:
                cause = CAUSES.get(refusal.code, refusal.code.lower())
                against[name] = (cause, ledger_state.rules.refusal(refusal).paragraph)
                continue
        before += chips.stake
    return against


CAUSES = {
    "PANIC_BLOCK": "panic",
    "EXCLUDED": "exclusion",
    "CANCELLATION_RUNS": "cancellation",
    "NOT_LOGGED_IN": "logout",
    "MEASURE_LOGIN_TIME": "login_time",
}
"""Causes whose name differs from the refusal's code."""


def _first_alone(plan: games.GamePlan, left: dict[str, RoundBet]) -> str:
    """Return the first chips of a participant that cannot be a bet without others, or ""."""
    if not plan.bets_depend:
        return ""
    wagers = [wager_of(name, bet) for name, bet in left.items()]
    for wager in wagers:
        parent = left[wager.id].parent
        if (parent and parent not in left) or not plan.may_conclude(wager, wagers):
            return wager.id
    return ""


def _concluded(state: RoundState, name: str, bet: RoundBet) -> e.BetConcluded:
    return e.BetConcluded(
        bet=name, account=bet.account, round=state.round, table=state.table, amount=bet.stake
    )


def _returned(
    state: RoundState, name: str, bet: RoundBet, cause: str, paragraph: str
) -> e.BetReturned:
    return e.BetReturned(
        bet=name,
        account=bet.account,
        round=state.round,
        amount=bet.stake,
        cause=cause,
        paragraph=paragraph,
    )
