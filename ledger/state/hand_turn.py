"""Determine the player to act in a hand, owed blinds and antes, and the betting limit.

69GAMES poker rules, course of the game: the first to act is the player to the left of the big
blind, on later streets the first player in the hand to the left of the button; play goes
clockwise. The functions read the state of a hand and change nothing. Amounts are haléř, in a
tournament hundredths of a chip.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.poker import PREFLOP, clockwise_after
from ledger.state.hand import ANTE, DEAD, PASSIVE

if TYPE_CHECKING:
    from ledger.state.hand import HandState

__all__ = ["antes_missing", "blinds_missing", "limit_fault", "to_act"]

POT_LIMIT, NO_LIMIT = "pot limit", "no limit"


def to_act(hand: HandState) -> str:
    """Return the player who must act; empty if the betting of the street is over."""
    started, street = hand.started, hand.street
    live = [name for name in started.accounts if name not in hand.gone]
    if len(live) < 2:  # noqa: PLR2004 - one player left
        return ""
    unpaid = _unpaid(hand)
    betting = [act for act in hand.acts if act.street == street and act.action not in PASSIVE]
    acts = [act for act in betting if act.account not in unpaid]
    highest = hand.highest(street)
    last = started.big_blind_of if street == PREFLOP else started.button
    settled: set[str] = set()
    for act in acts:
        settled = {act.account} if act.action in {"bet", "raise"} else settled | {act.account}
        last = act.account
    for name in clockwise_after(started.accounts, last):
        if name in hand.gone or name in hand.all_in:
            continue
        is_matched = hand.on_street(name, street) == highest
        is_alone = is_matched and all(player in hand.all_in for player in live if player != name)
        if not is_alone and not (name in settled and is_matched):
            return name
    return ""


def _unpaid(hand: HandState) -> set[str]:
    """Return the players who did not pay a blind or ante; a fold instead is no turn."""
    started = hand.started
    blinds = {started.big_blind_of, started.small_blind_of if started.small_blind else ""}
    posted = {act.account for act in hand.acts if act.action == "post"}
    return {*(blinds - posted), *_without_ante(hand)}


def blinds_missing(hand: HandState) -> str:
    """Return the player who owes a blind before anybody acts; empty if no player does.

    A player owes no blind after folding instead of posting it because no stake is allowed any more,
    or after going all-in with the ante.
    """
    started = hand.started
    posted = {act.account for act in hand.acts if act.action in {"post", "fold", DEAD}}
    posted |= set(hand.all_in)
    owed = (
        (started.big_blind_of, started.big_blind),
        (started.small_blind_of, started.small_blind),
    )
    return next((name for name, due in owed if name and due and name not in posted), "")


def antes_missing(hand: HandState) -> list[str]:
    """Return the players who owe an ante before anybody acts.

    Each player owes the same ante; in a cash game the button may pay it alone for all, as the
    glossary of 69GAMES says. A player who folds instead owes none.
    """
    return [name for name in _without_ante(hand) if name not in hand.gone]


def _without_ante(hand: HandState) -> list[str]:
    """Return the players who did not pay the ante, if not the button alone pays it."""
    started = hand.started
    antes = {act.account for act in hand.acts if act.action == ANTE}
    if not started.ante or (not started.tournament and antes == {started.button}):
        return []
    return [name for name in started.accounts if name not in antes]


def limit_fault(
    hand: HandState, limit: str, account: str, total: int, *, all_in: bool
) -> Phrase | None:
    """Return why a bet or raise violates the betting limit of a tournament, or None.

    Args:
        hand: the hand before the action.
        limit: the limit as announced; empty for no limit.
        account: the player.
        total: the player's money on the street after the action.
        all_in: whether the action puts in the player's last chip.

    """
    street = hand.street
    highest = hand.highest(street)
    if limit == NO_LIMIT and not all_in and total < hand.started.big_blind:
        return Phrase("BIG_BLIND_AT_LEAST", amount=hand.started.big_blind)
    if limit == POT_LIMIT:
        pot = sum(hand.total(name) for name in hand.payers)
        call = max(highest - hand.on_street(account, street), 0)
        if total - highest > pot + call:
            return Phrase("POT_LIMIT", amount=pot + call)
    return None
