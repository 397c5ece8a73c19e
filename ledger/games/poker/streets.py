"""Money of one poker hand by player and street.

A wager is all money of a player in the hand, divided by street. All players who are neither out nor
all-in have put in the same on every street; antes are equal for all, or only the button paid one
(both in the glossary of 69GAMES). Amounts are haler, in whole crowns.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api import round_checks as checks
from ledger.games.api.contract import Code, SettlementError, Wager

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from collections.abc import Set as AbstractSet

    from ledger.games.api.game_plan import PlanHeader

ANTE = "ante"
PREFLOP = "preflop"
BOARD_BY_STREET = {
    ANTE: slice(0, 0),
    PREFLOP: slice(0, 0),
    "flop": slice(0, 3),
    "turn": slice(3, 4),
    "river": slice(4, 5),
}
"""The streets of a hand in order, with the number of board cards of each."""
STREETS = tuple(BOARD_BY_STREET)
BETTING_STREETS = STREETS[1:]
POT_BET = "pot"
POT_WORDS = {POT_BET: "money in the pots of one hand"}
CROWN = 100


@dataclass(frozen=True, slots=True)
class Antes:
    """Antes of a hand; `dead_of` is the button if it alone paid one for the whole table."""

    dead_of: str | None
    dead_haler: int


def check_pot_wagers(header: PlanHeader, wagers: Sequence[Wager]) -> None:
    """Check every wager of a hand in turn.

    Raises:
        SettlementError: UNKNOWN_BET, INVALID_STAKE, STAKE_MISMATCH, BET_AFTER_CLOSE,
            DUPLICATE_WAGER, or MALFORMED_REQUEST for streets that do not exist.

    """
    seen: set[str] = set()
    players: set[str] = set()
    for wager in wagers:
        _check_pot_stake(wager)
        _check_streets(wager)
        checks.check_late(header, wager)
        checks.check_identifiers(wager, seen)
        _check_single(wager, players)
        players.add(wager.player)


def check_pot_chips(header: PlanHeader, wager: Wager, placed: Sequence[Wager]) -> None:
    """Check a player's money with the player's other wagers; raises `SettlementError`.

    Streets are known only after the hand and are not checked.
    """
    _check_pot_stake(wager)
    checks.check_late(header, wager)
    _check_single(wager, {other.player for other in placed})


def _check_pot_stake(wager: Wager) -> None:
    if wager.bet != POT_BET:
        raise SettlementError(Code.UNKNOWN_BET, Phrase("HAND_WITHOUT_BET", bet=wager.bet))
    if wager.stake_haler <= 0 or wager.stake_haler % CROWN:
        raise SettlementError(Code.INVALID_STAKE, Phrase("STAKE_NOT_WHOLE_CROWNS", wager=wager.id))


def _check_single(wager: Wager, players: Collection[str]) -> None:
    if wager.player in players:
        raise SettlementError(
            Code.DUPLICATE_WAGER, Phrase("TWO_WAGERS_IN_HAND", player=wager.player)
        )


def _check_streets(wager: Wager) -> None:
    streets = wager.streets_haler
    if streets is None:
        raise SettlementError(
            Code.MALFORMED_REQUEST, Phrase("WAGER_WITHOUT_STREETS", wager=wager.id)
        )
    for street, haler in streets.items():
        if street not in STREETS:
            raise SettlementError(Code.MALFORMED_REQUEST, Phrase("STREET_UNKNOWN", street=street))
        if haler < 0 or haler % CROWN:
            raise SettlementError(
                Code.INVALID_STAKE, Phrase("MONEY_NOT_WHOLE_CROWNS", wager=wager.id)
            )
    if sum(streets.values()) != wager.stake_haler:
        raise SettlementError(
            Code.STAKE_MISMATCH, Phrase("STREETS_DIFFER_FROM_STAKE", wager=wager.id)
        )


def street_haler(wager: Wager, street: str) -> int:
    """Return the money of a wager on one street."""
    return (wager.streets_haler or {}).get(street, 0)


def check_antes(wagers: Sequence[Wager], button: str, players_out: AbstractSet[str]) -> Antes:
    """Return a button ante, or require equal antes; raises CONTRIBUTION_MISMATCH.

    An all-in with less than the ante leaves the player nothing for a later street. A player who
    folded or holds a dead hand may have posted a blind only.
    """
    payers = [wager for wager in wagers if street_haler(wager, ANTE)]
    if len(payers) == 1 and payers[0].player == button:
        return Antes(button, street_haler(payers[0], ANTE))
    highest = max((street_haler(wager, ANTE) for wager in wagers), default=0)
    for wager in wagers:
        ante = street_haler(wager, ANTE)
        is_out = wager.player in players_out and not ante
        if ante < highest and not is_out and not (wager.all_in and ante == wager.stake_haler):
            raise SettlementError(
                Code.CONTRIBUTION_MISMATCH,
                Phrase("ANTE_DIFFERS", wager=wager.id, amount=highest),
            )
    return Antes(None, 0)


def check_matched(
    wagers: Sequence[Wager], folded: AbstractSet[str], dead: AbstractSet[str]
) -> None:
    """Require the maximum of each street from every player in, except from all-in players.

    The last player left need not match the bets of dead hands.

    Args:
        wagers: all wagers of the hand.
        folded: players who folded.
        dead: players who hold a dead hand.

    Raises:
        SettlementError: CONTRIBUTION_MISMATCH.

    """
    players_in = {wager.player for wager in wagers} - folded - dead
    measured = [one for one in wagers if len(players_in) > 1 or one.player not in dead]
    for street in BETTING_STREETS:
        highest = max((street_haler(wager, street) for wager in measured), default=0)
        for wager in wagers:
            bound = wager.player in players_in and not wager.all_in
            if bound and street_haler(wager, street) != highest:
                raise SettlementError(
                    Code.CONTRIBUTION_MISMATCH,
                    Phrase("WAGER_NOT_MATCHED", wager=wager.id, amount=highest, street=street),
                )
