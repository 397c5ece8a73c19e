"""Hands of tournaments: amounts of the level in force, play hand for hand, players in a hand.

69GAMES tournament rules, course of the game and Hand for hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.core.refusals import RefusedError

if TYPE_CHECKING:
    from ledger.state.ledger_state import LedgerState
    from ledger.state.tournament import TournamentState

__all__ = ["require_hand_of_tournament", "require_not_in_hand", "require_tables_wait"]


def require_hand_of_tournament(
    ledger_state: LedgerState, tournament: str, table: str, amounts: tuple[int, int, int, int]
) -> None:
    """Require that a hand may begin at a table: other tables are waited for, its level is played.

    Args:
        ledger_state: all state.
        tournament: of the hand; empty at a cash table.
        table: where the hand begins.
        amounts: small blind, big blind, ante and value of a point, in hundredths of a chip; a small
            blind that no player owes is 0.

    Raises:
        RefusedError: HAND_FOR_HAND, or HAND_NOT_ALLOWED.

    """
    if not tournament:
        return
    state = ledger_state.tournament(tournament)
    require_tables_wait(ledger_state, state, table)
    level = state.level
    if level is None:
        if state.levels:
            raise RefusedError("HAND_NOT_ALLOWED", reason=Phrase("LEVEL_BEFORE_HANDS"))
        return
    small, *others = amounts
    due = (level.big_blind, level.ante, level.point_value)
    if tuple(others) != due or small not in {0, level.small_blind}:
        raise RefusedError("HAND_NOT_ALLOWED", reason=Phrase("AMOUNTS_OF_LEVEL", level=level.level))


def require_tables_wait(ledger_state: LedgerState, state: TournamentState, table: str = "") -> None:
    """Refuse, hand for hand, while another table is in a hand that this one has finished.

    Args:
        ledger_state: all state.
        state: the tournament.
        table: which waits; empty for all tables.

    Raises:
        RefusedError: HAND_FOR_HAND.

    """
    since = state.hands_since
    if since is None:
        return
    played = since.get(table, 0) if table else max(since.values(), default=0)
    for other, name in state.last_hands.items():
        is_behind = other != table and since.get(other, 0) <= played
        if is_behind and ledger_state.round(name).status == "closed":
            raise RefusedError("HAND_FOR_HAND", reason=Phrase("TABLE_IN_HAND", table=other))


def require_not_in_hand(ledger_state: LedgerState, state: TournamentState, account: str) -> None:
    """Refuse to move a player, or to record the player as out, during the player's hand.

    A player is out with the loss of the last chip, and a hand is played where it began (69GAMES
    tournament rules); after a fold the rest of the hand no longer concerns the player.

    Raises:
        RefusedError: PLAYER_IN_HAND.

    """
    for name in state.last_hands.values():
        round_ = ledger_state.round(name)
        hand = round_.hand
        if hand is None or round_.status != "closed" or account in hand.gone:
            continue
        if account in hand.started.accounts:
            raise RefusedError("PLAYER_IN_HAND", account=account, round=name)
