"""Fold of the events of a hand into the state of its round.

A hand has no bets against the house: for those its round counts as closed from the start. The
money of a player in the hand is one bet of the round, so that corrections, withheld prizes and
complaints apply to it as to any other bet.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ledger.core.dispatch import on, table
from ledger.events import event_types as e
from ledger.state.hand import CHANGES as CHANGES_OF_HAND
from ledger.state.hand import fold as fold_hand
from ledger.state.round import RoundBet

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.state.round import RoundState

__all__ = ["HAND_EVENTS", "fold"]


def fold(state: RoundState, event: e.Event) -> None:
    """Apply an event of a hand to the state of its round; other events change nothing."""
    state.hand = fold_hand(state.hand, event)
    change = CHANGES.get(type(event))
    if change is not None and not event.tournament:  # type: ignore[attr-defined]
        change(state, event)
    if isinstance(event, e.HandStarted):
        state.status = "closed"


def _acted(state: RoundState, event: e.HandAction) -> None:
    if not event.amount:
        return
    bet = state.bets.get(event.bet)
    if bet is None:
        code = "stack" if event.street == "stack" else "pot"
        bet = RoundBet(event.account, "", code, None, 0, "", status="concluded")
        state.bets[event.bet] = bet
        state.by_account.setdefault(event.account, []).append(event.bet)
    bet.stake += event.amount


def _uncalled(state: RoundState, event: e.UncalledReturned) -> None:
    bet = state.bets[event.bet]
    bet.stake -= event.amount
    if not bet.stake:
        bet.status = "given_back"


def _misdealt(state: RoundState, event: e.MisdealDeclared) -> None:
    for name in event.bets:
        state.bets[name].status = "voided"


def _paid(state: RoundState, event: e.PotAwarded | e.PointsSettled) -> None:
    for name, due, paid in zip(event.bets, event.due, event.paid, strict=True):
        bet = state.bets[name]
        bet.status = "settled"
        bet.due += due
        bet.paid += paid


CHANGES: dict[type[e.Event], Callable[[RoundState, Any], None]] = table(
    on(e.HandAction, _acted),
    on(e.UncalledReturned, _uncalled),
    on(e.MisdealDeclared, _misdealt),
    on(e.PotAwarded, _paid),
    on(e.PointsSettled, _paid),
)

HAND_EVENTS = frozenset({e.HandStarted, *CHANGES, *CHANGES_OF_HAND})
"""Event types that change a hand or its round."""
