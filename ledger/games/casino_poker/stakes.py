"""Stakes that actions add in the poker games against the dealer, and their time limits.

An action that adds a stake is checked when it is made, against the cards on the table: a call after
the last board cards are seen, or a raise of four antes after the flop, would be a bet on a known
result.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, Wager
from ledger.games.api.round_facts import BOARD, DEALER, SHARED, known, not_allowed
from ledger.games.casino_poker.common import BOARD_CARDS, FLOP_CARDS
from ledger.games.casino_poker.holdem_actions import (
    HoldemAction,
    check_action_shapes,
    check_actions,
)
from ledger.games.casino_poker.ultimate_actions import play_times, read_street_actions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.games.api.round_facts import RoundFacts

_BOARD_ON = {"preflop": 0, "flop": FLOP_CARDS, "river": BOARD_CARDS}


def holdem_stakes(call_times: int, facts: RoundFacts, action: Action) -> tuple[Wager, ...]:
    """Return the call that an action in Casino Hold'em adds; raises ACTION_NOT_ALLOWED."""
    antes = {wager.player: wager for wager in facts.wagers if wager.bet == "ante"}
    actions = (*facts.actions, action)
    check_action_shapes(actions)
    acts = check_actions(actions, players=antes, playing=(), disconnected=())
    act = acts[action.player]
    if act is HoldemAction.FOLD:
        return ()
    board, dealer = known(facts.dealt_to(BOARD)), known(facts.dealt_to(DEALER))
    if act is HoldemAction.CALL_BLIND:
        if board or dealer or facts.dealt_to(SHARED):
            raise not_allowed(Phrase("BLIND_CALL_TOO_LATE"))
    elif len(board) != FLOP_CARDS or dealer:
        raise not_allowed(Phrase("CALL_NEEDS_FLOP"))
    ante = antes[action.player]
    return (_added(ante, str(act), call_times * ante.stake_haler),)


def ultimate_stakes(
    allowed: Sequence[Sequence[int]], facts: RoundFacts, action: Action
) -> tuple[Wager, ...]:
    """Return the play bet that an action in Ultimate Texas Hold'em adds.

    Raises:
        SettlementError: ACTION_NOT_ALLOWED, ACTION_MISSING if an earlier street was skipped, or
            MALFORMED_REQUEST.

    """
    *before, last = read_street_actions((*facts.actions, action))
    antes = {wager.box: wager for wager in facts.wagers if wager.bet == "ante"}
    ante = antes.get(last.box)
    if ante is None or ante.player != last.player:
        raise not_allowed(Phrase("ANTE_MISSING_ON_BOX", player=last.player, box=last.box))
    decided = [*(earlier for earlier in before if earlier.box == last.box), last]
    try:
        times = play_times(allowed, decided, {last.box: ante.player})[last.box]
    except SettlementError as error:
        if error.code is not Code.ACTION_MISSING or last.move != "check":
            raise
        return ()
    if not times:
        return ()
    if len(known(facts.dealt_to(BOARD))) > _BOARD_ON[last.street] or known(facts.dealt_to(DEALER)):
        raise not_allowed(Phrase("STREET_CARDS_SEEN", street=last.street))
    return (_added(ante, "play", times * ante.stake_haler),)


def _added(ante: Wager, bet: str, stake_haler: int) -> Wager:
    return Wager(
        id=f"{ante.id}:{bet}", player=ante.player, bet=bet, stake_haler=stake_haler, box=ante.box
    )
