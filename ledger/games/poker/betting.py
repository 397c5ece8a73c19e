"""Actions of one poker hand: folds, mucks, bets and raises.

The actions record who gave up; bets and raises may be recorded, and then the minimum raise is
checked. 69GAMES Cash game, Raise: the first raise is at least double, every further one at least
the last bet plus the difference of the last two; an all-in may be less and is itself the last bet
(interpreted literally). All money is haler.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.core.phrases import Phrase
from ledger.games.api.contract import Action, Code, SettlementError, read_action
from ledger.games.api.typed import Haler
from ledger.games.poker.streets import BETTING_STREETS, CROWN, PREFLOP

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

_PASSIVE = frozenset({"check", "call", "post", "show"})
_BETTING = frozenset({"check", "call", "post", "bet", "raise"})
_FOLDS = frozenset({"fold", "dead"})


@dataclass(frozen=True, slots=True)
class PlayersOut:
    """Players who gave up before the betting ended, and those who mucked at the showdown.

    The dead are those of the former whose hand was declared dead.
    """

    folded: frozenset[str]
    mucked: frozenset[str]
    dead: frozenset[str]


class _Aggression(Struct, frozen=True):
    street: str
    to_haler: Haler = field(name="to")
    all_in: bool = False


def read_actions(
    actions: Sequence[Action],
    *,
    seats: Collection[str],
    players: Collection[str],
    big_blind_haler: int | None,
    short_all_in_is_bet: bool,
) -> PlayersOut:
    """Process the actions in order; return the players who gave up.

    Args:
        actions: as recorded.
        seats: all players at the table.
        players: those of them who put money in; the others can only have folded.
        big_blind_haler: basis of a first raise before the flop; None if not recorded.
        short_all_in_is_bet: whether an all-in below the minimum raise becomes the last bet.

    Raises:
        SettlementError: ACTION_NOT_ALLOWED, RAISE_TOO_SMALL, OUTCOME_INCOMPLETE, or
            MALFORMED_REQUEST and INVALID_STAKE for the fields of a bet or raise.

    """
    folded: set[str] = set()
    mucked: set[str] = set()
    dead: set[str] = set()
    opened = {} if big_blind_haler is None else {PREFLOP: (big_blind_haler, 0)}
    for action in actions:
        player = action.player
        gave_up = player in folded or player in mucked
        if player not in seats or gave_up or (player not in players and action.type not in _FOLDS):
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED,
                Phrase("PLAYER_NOT_IN_HAND", player=player, action=action.type),
            )
        if action.type in _BETTING:
            folded |= mucked  # who gave up before the betting ended need not match what follows
            mucked.clear()
        if action.type in _FOLDS:
            folded.add(player)
            if action.type == "dead":
                dead.add(player)
        elif action.type == "muck":
            mucked.add(player)
        elif action.type in ("bet", "raise"):
            _apply_bet_or_raise(action, opened, short_all_in_is_bet=short_all_in_is_bet)
        elif action.type not in _PASSIVE:
            raise SettlementError(
                Code.ACTION_NOT_ALLOWED, Phrase("HAND_WITHOUT_DECISION", action=action.type)
            )
    return PlayersOut(frozenset(folded), frozenset(mucked), frozenset(dead))


def _apply_bet_or_raise(
    action: Action, opened: dict[str, tuple[int, int]], *, short_all_in_is_bet: bool
) -> None:
    """Check a bet or raise against the current bet and the last full raise; update both."""
    bet = read_action(action, _Aggression)
    street, to_haler = bet.street, bet.to_haler
    if street not in BETTING_STREETS:
        raise SettlementError(Code.MALFORMED_REQUEST, Phrase("NO_BETTING_ON_STREET", street=street))
    if to_haler == 0 or to_haler % CROWN:
        raise SettlementError(Code.INVALID_STAKE, Phrase("BET_NOT_WHOLE_CROWNS"))
    if street == PREFLOP and street not in opened:
        raise SettlementError(Code.OUTCOME_INCOMPLETE, Phrase("PREFLOP_MEASURE"))
    if action.type == "bet":
        if street in opened:
            raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("BETTING_IS_OPEN", street=street))
        opened[street] = (to_haler, 0)
        return
    if street not in opened:
        raise SettlementError(Code.ACTION_NOT_ALLOWED, Phrase("NOTHING_TO_RAISE", street=street))
    last, before = opened[street]
    full_raise = last + (last - before)
    minimum = last + CROWN if bet.all_in else full_raise
    if to_haler < minimum:
        raise SettlementError(
            Code.RAISE_TOO_SMALL, Phrase("RAISE_BELOW_MINIMUM", street=street, amount=minimum)
        )
    if to_haler >= full_raise or short_all_in_is_bet:
        opened[street] = (to_haler, last)
    else:  # It must be matched; the relevant raise is the one before it.
        opened[street] = (to_haler, to_haler - (last - before))
