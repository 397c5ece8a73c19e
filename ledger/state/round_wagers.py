"""Convert a round to the form that game plans use: its facts, and the settlement of its bets.

Additional wagers are bets of their own. The plan derives them from the actions, so that a bet
without its action and an action without its bet are both detected.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger import games
from ledger.core.phrases import Phrase
from ledger.state.round import MOVED

if TYPE_CHECKING:
    from typing import Any

    from ledger.events import event_types as e
    from ledger.state.round import RoundBet, RoundState

__all__ = [
    "action_of",
    "due_by_bet",
    "facts_of",
    "is_spun_early",
    "plan_of",
    "played_facts",
    "wager_of",
]

PLAYED = ("concluded", "settled")


def plan_of(state: RoundState) -> games.GamePlan:
    """Return the plan version of a round."""
    return games.plan(state.game, state.plan_version)


def is_spun_early(state: RoundState) -> bool:
    """Return whether the wheel was spun while bets are open although the plan closes them first."""
    return state.status == "open" and state.spin in MOVED and plan_of(state).closes_before_spin


def wager_of(name: str, bet: RoundBet) -> games.Wager:
    """Return a bet in the form that game plans use."""
    return games.Wager(
        id=name,
        player=bet.account,
        bet=bet.bet_code,
        stake_haler=bet.stake,
        selection=bet.selection,
        box=bet.box or None,
        chip_haler=bet.chip or None,
    )


def action_of(decided: e.PlayerDecided) -> games.Action:
    """Return a player's action in the form that game plans use."""
    return games.recorded_action(
        decided.account,
        decided.decision,
        hand=decided.hand,
        by=decided.by,
        street=decided.street,
        times=decided.times,
        free=decided.free,
        stake_haler=decided.stake,
    )


def facts_of(state: RoundState, *statuses: str) -> games.RoundFacts:
    """Return the facts of a round with its bets of some statuses, without additional wagers."""
    wagers = [wager_of(name, bet) for name, bet in state.bets_in(*statuses) if not bet.parent]
    players = {wager.player for wager in wagers}
    return games.RoundFacts(
        wagers=wagers,
        actions=[action_of(decided) for decided in state.actions if decided.account in players],
        cards=[
            games.RecordedCard(card.recipient, card.card)
            for _, card in sorted(state.cards.items(), key=lambda entry: entry[0])
        ],
        number=state.number if state.spin == "landed" else None,
        field=state.stopped_at if state.spin == "landed" else None,
        owners=state.owners,
    )


def played_facts(state: RoundState) -> tuple[games.RoundFacts, games.Void | None]:
    """Return the facts with all concluded bets, and the void of single players, if any.

    The bets include those that were settled while others were on hold. Cards and actions of players
    whose bets are void stay on the table. If the plan has no reason to void single players, these
    players are left out.
    """
    voided = {bet.account for _, bet in state.bets_in("voided")}
    if not voided:
        return facts_of(state, *PLAYED), None
    reason = games.reason_for_single_players(plan_of(state))
    if reason is None:
        return facts_of(state, *PLAYED), None
    return facts_of(state, *PLAYED, "voided"), games.Void(reason, tuple(sorted(voided)))


def due_by_bet(state: RoundState, outcome: dict[str, Any]) -> dict[str, games.ResultLine]:
    """Settle the concluded bets of a round by the plan version of the round.

    Bets that wait for the next spin are left out.

    Raises:
        games.SettlementError: the outcome is impossible, or bets and actions do not match.

    """
    plan = plan_of(state)
    facts, void = played_facts(state)
    if void is None and state.bets_in("voided"):
        outcome = plan.outcome_for(outcome, facts.wagers)
    if state.next_number is not None:
        outcome = outcome | {"next_number": state.next_number}
    waiting = {wager.id for wager in facts.wagers if plan.imprisoned(wager, outcome)}
    # Table limits apply when chips are placed; they must not block a settlement.
    read = plan.read_outcome(outcome, void, ())
    concluded = {name: bet for name, bet in state.bets_in("concluded") if name not in waiting}
    if not concluded:
        return {}
    wagers = [wager for wager in facts.wagers if wager.id not in waiting]
    result = games.settle_round(plan, wagers, facts.actions, read)
    due = {
        one.id: one
        for one in result.lines
        if one.id not in state.bets or state.bets[one.id].status != "voided"
    }
    played = {name: bet for name, bet in state.bets_in(*PLAYED) if name not in waiting}
    for name in sorted(played.keys() ^ due.keys()):
        why = "STAKE_WITHOUT_DECISION" if name in played else "DECISION_WITHOUT_BET"
        raise games.SettlementError(games.Code.STAKE_MISMATCH, Phrase(why, bet=name))
    for name, bet in concluded.items():
        if bet.stake != due[name].stake_haler:
            message = Phrase(
                "STAKE_DIFFERS", bet=name, amount=bet.stake, other=due[name].stake_haler
            )
            raise games.SettlementError(games.Code.STAKE_MISMATCH, message)
    return {name: due[name] for name in concluded}
