"""Actions of players after betting closes, with the wagers that they add (SAZKA 5(2), 5a(4)).

An action and its stake are one decision: an additional wager requires its action, and an action
whose stake is refused does not take place. The plan checks it against the cards on the table at
that time, so that no player doubles after seeing the card; the law's conditions apply to the stake
as to any other, except for the ban of 5a(3), which does not apply to finishing a started round.

The names ``decide``, ``decision`` and ``PlayerDecided`` are fixed by commands and events.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Literal

from msgspec import Meta

from ledger import games
from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError, refuses
from ledger.decisions.decision_time import require_in_time
from ledger.decisions.payments.funds import require_funds
from ledger.decisions.rounds.betting import (
    BET_REFUSALS,
    CANCELLED,
    require_may_bet,
    require_may_place,
    table_limits,
)
from ledger.decisions.rounds.boxes import deputy_for
from ledger.events import event_types as e
from ledger.events.command import Command, Id, Moment, OptionalName, OptionalWord, Word
from ledger.state.round_wagers import action_of, facts_of, plan_of

if TYPE_CHECKING:
    from ledger.core.refusals import Refusal
    from ledger.state.account import AccountState
    from ledger.state.ledger_state import LedgerState
    from ledger.state.round import RoundState

__all__ = ["Decide", "action_refused", "decide"]


class Decide(Command, frozen=True):
    """Record a player's action, or one by a time limit, a disconnection or an absence.

    ``decision`` is an action of the game: hit, stand, double, split, insurance, skip_insurance,
    even_money; call, call_blind, fold; check, raise, fold. ``hand`` is the hand or, for actions of
    a box, the box; where players share one box it begins with the account. ``stake`` is haléř of an
    insurance, ``free`` a double or split with a token, ``street`` and ``times`` are those of
    Ultimate Texas Hold'em. ``asked_at`` and ``until`` are the first and the last moment of the time
    to decide, by the clock of the platform. The wager that the action adds is placed and concluded
    with it, as a bet named after the main bet, such as ``q1-1:double:1``.
    """

    account: Id
    round: Id
    decision: Word
    box: OptionalWord = ""
    hand: OptionalName = ""
    by: Literal["player", "timeout", "disconnect", "absent"] = "player"
    stake: Annotated[int, Meta(ge=0, le=10**15)] = 0
    free: bool = False
    street: Literal["", "preflop", "flop", "river"] = ""
    times: Annotated[int, Meta(ge=0, le=100)] = 0
    asked_at: Moment = 0
    until: Moment = 0


@refuses(
    "DECISION_TOO_LATE",
    "BET_AFTER_CLOSE",
    "WRONG_ORDER",
    "DECISION_NOT_ALLOWED",
    "DISCONNECTED",
    "NOT_SEATED",
    "PARENT_NOT_CONCLUDED",
    *BET_REFUSALS,
    "INSUFFICIENT_FUNDS",
)
def decide(ledger_state: LedgerState, command: Decide, now: int) -> list[e.Event]:
    """Decide :class:`Decide`."""
    require_in_time(command, now)
    state = ledger_state.round(command.round)
    account = ledger_state.account(command.account)
    is_early = command.decision in plan_of(state).early_actions
    _require_time(state, is_early=is_early)
    _require_actor(state, account, command)
    deputy = deputy_for(ledger_state, state, command)
    action, stakes = _evaluate_action(ledger_state, state, command, is_deputy=bool(deputy))
    _require_may_add(ledger_state, state, account, stakes, now)
    events: list[e.Event] = [*deputy, action]
    for stake in stakes:
        placed = _placed(state, stake)
        events += [placed] if is_early else [placed, _concluded(placed)]
    return events


def _require_may_add(
    ledger_state: LedgerState,
    state: RoundState,
    account: AccountState,
    stakes: tuple[games.Wager, ...],
    now: int,
) -> None:
    if any(stake.id in state.cancelled for stake in stakes):
        raise _not_allowed(plan_of(state), CANCELLED)
    added = sum(stake.stake_haler for stake in stakes)
    if not added:
        return
    if state.status == "open":
        require_may_place(ledger_state, state, account, added, now)
    else:
        require_may_bet(ledger_state, state, account, added, now, chips=account.reserved)
    require_funds(account, added)


def _require_time(state: RoundState, *, is_early: bool) -> None:
    if is_early and (state.status == "closed" or state.is_known):
        raise RefusedError("BET_AFTER_CLOSE")
    if state.status != ("open" if is_early else "closed"):
        raise RefusedError("WRONG_ORDER", what=Phrase("PLAYER_DECISION"), status=state.status)


def _require_actor(state: RoundState, account: AccountState, command: Decide) -> None:
    """Refuse a player's own action without a connection to the table.

    An action caused by a lost connection is refused while the player is connected.
    """
    is_seated = state.table in account.tables
    is_connected = is_seated and state.table not in account.disconnected
    if command.by == "disconnect" and is_connected:
        raise _not_allowed(plan_of(state), Phrase("CONNECTION_WHOLE"))
    if command.by == "player" and not is_connected:
        raise RefusedError("DISCONNECTED" if is_seated else "NOT_SEATED")


def _evaluate_action(
    ledger_state: LedgerState, state: RoundState, command: Decide, *, is_deputy: bool = False
) -> tuple[e.PlayerDecided, tuple[games.Wager, ...]]:
    """Return the action and the wagers that the plan adds for it.

    A deputy decides in place of the owner of the box.

    Raises:
        RefusedError: PARENT_NOT_CONCLUDED or DECISION_NOT_ALLOWED.

    """
    plan = plan_of(state)
    own = "placed" if command.decision in plan.early_actions else "concluded"
    if not state.bets_of(command.account, own):
        raise RefusedError("PARENT_NOT_CONCLUDED")
    action = command.as_event(e.PlayerDecided, box=command.box or command.hand.partition(".")[0])
    facts = facts_of(state, own, "voided")
    if is_deputy:
        facts = replace(facts, owners={**facts.owners, action.box: command.account})
    try:
        stakes = plan.stakes_added(facts, action_of(action), table_limits(ledger_state, state))
    except games.SettlementError as error:
        raise _not_allowed(plan, error.phrase) from error
    _require_matching_stake(plan, action, stakes)
    if any(stake.id in state.bets for stake in stakes):
        raise _not_allowed(plan, Phrase("STAKE_PLACED_BEFORE"))
    return action, stakes


def _require_matching_stake(
    plan: games.GamePlan, action: e.PlayerDecided, stakes: tuple[games.Wager, ...]
) -> None:
    """Refuse a box other than that of the hand, and a wrong stake; 0 leaves it to the plan."""
    if action.hand and action.hand.partition(".")[0] != action.box:
        raise _not_allowed(
            plan, Phrase("HAND_NOT_ON_BOX", hand=action.hand[:40], box=action.box[:40])
        )
    stake_sum = sum(stake.stake_haler for stake in stakes)
    if action.stake not in {0, stake_sum}:
        raise _not_allowed(
            plan, Phrase("DECISION_STAKE_WRONG", amount=stake_sum, other=action.stake)
        )


def _not_allowed(plan: games.GamePlan, reason: Phrase) -> RefusedError:
    return RefusedError("DECISION_NOT_ALLOWED", reason=reason, paragraph=plan.header.rule_settled)


def _placed(state: RoundState, stake: games.Wager) -> e.BetPlaced:
    parent, _, named = stake.id.partition(":")
    kind, _, hand = named.partition(":")
    words = kind.replace("_", " ")
    return e.BetPlaced(
        bet=stake.id,
        account=stake.player,
        round=state.round,
        table=state.table,
        box=stake.box or "",
        bet_code=kind,
        selection="",
        wording=f"{words}, {hand}" if hand else words,
        stake=stake.stake_haler,
        parent=parent,
    )


def _concluded(placed: e.BetPlaced) -> e.BetConcluded:
    return e.BetConcluded(
        bet=placed.bet,
        account=placed.account,
        round=placed.round,
        table=placed.table,
        amount=placed.stake,
    )


def action_refused(ledger_state: LedgerState, command: Decide, refusal: Refusal) -> list[e.Event]:
    """Return the event that records why :func:`decide` refused.

    An action with a stake is recorded as a refused bet, another one as a refused command. The stake
    is 0 if the plan does not allow the action and therefore requires none.
    """
    state = ledger_state.round(command.round)
    wanted = _wanted(ledger_state, state, command)
    if wanted is None:
        return [command.as_event(e.CommandRefused, refusal, command="decide", table=state.table)]
    return [
        command.as_event(
            e.BetRefused,
            refusal,
            bet=wanted.id,
            table=state.table,
            bet_code=wanted.bet,
            selection="",
            stake=wanted.stake_haler,
        )
    ]


def _wanted(ledger_state: LedgerState, state: RoundState, command: Decide) -> games.Wager | None:
    """Return the stake that a refused action required; None if it required none."""
    if command.decision not in games.ADDITIONAL_WAGERS:
        return None
    try:
        _, stakes = _evaluate_action(ledger_state, state, command)
    except RefusedError:
        stakes = ()
    if stakes:
        return stakes[0]
    own = [name for name, bet in state.bets_of(command.account, "placed", "concluded")]
    return games.Wager(
        id=f"{own[0] if own else command.round}:{command.decision}",
        player=command.account,
        bet=command.decision,
        stake_haler=command.stake,
    )
