"""Pots of one poker hand: uncalled money, side pots, their rake, the shares.

Pure arithmetic on totals per player. A player is "in" unless folded or with a dead hand. The pots
are cut at the totals of the players in, lowest first: each holds all players' money of its slice,
and players who put in at least as much contest it. Money above the highest slice cannot belong to
any other player and goes to the last pot; this interpretation is noted in the plans. Amounts are
haler; rake and shares are whole units.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from collections.abc import Set as AbstractSet


@dataclass(frozen=True, slots=True)
class Pot:
    """One pot and the players who contest it, sorted."""

    haler: int
    eligible: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UncalledBet:
    """The part of a bet that no player matched; it never belonged to a pot and is not raked."""

    player: str
    haler: int


def find_uncalled(totals: Mapping[str, int], players_in: AbstractSet[str]) -> UncalledBet | None:
    """Return the money that one player put in above the second highest total; None if none.

    Args:
        totals: all players' money, including folded players.
        players_in: players who neither folded nor hold a dead hand.

    """
    ranked = sorted(totals, key=lambda player: totals[player])
    player = ranked[-1]
    second = totals[ranked[-2]] if len(ranked) > 1 else 0
    if player not in players_in or totals[player] == second:
        return None
    return UncalledBet(player, totals[player] - second)


def cut_pots(
    totals: Mapping[str, int], players_in: AbstractSet[str], dead_haler: int
) -> tuple[Pot, ...]:
    """Cut the money into pots, main pot first.

    Args:
        totals: all players' called money, without dead money.
        players_in: players who neither folded nor hold a dead hand, at least one.
        dead_haler: dead money of the main pot, such as an ante that the button pays for all.

    """
    levels = sorted({totals[player] for player in players_in})
    pots: list[Pot] = []
    below = 0
    for level in levels:
        haler = sum(min(total, level) - min(total, below) for total in totals.values())
        if below == 0 and not pots:
            haler += dead_haler
        if level == levels[-1]:
            haler += sum(max(total - level, 0) for total in totals.values())
        eligible = sorted(player for player in players_in if totals[player] >= level)
        if haler:
            pots.append(Pot(haler, tuple(eligible)))
        below = level
    return tuple(pots)


def spread_rake(pots: Sequence[Pot], rake_haler: int, unit_haler: int) -> tuple[int, ...]:
    """Divide the rake of a hand over its pots: side pots by size, rounded down, main pot the rest.

    Args:
        pots: main pot first, as cut.
        rake_haler: rake of the whole hand.
        unit_haler: smallest chip.

    """
    whole = sum(pot.haler for pot in pots)
    side = [_floor(rake_haler * pot.haler // whole, unit_haler) for pot in pots[1:]]
    return (rake_haler - sum(side), *side) if pots else ()


def share_out(haler: int, winners: Sequence[str], unit_haler: int) -> dict[str, int]:
    """Divide a pot among equal hands in whole units.

    Args:
        haler: the pot less its rake, a whole number of units.
        winners: in seat order from the left of the button; the first ones get the odd chips.
        unit_haler: smallest chip.

    """
    share = _floor(haler // len(winners), unit_haler)
    odd_chips = (haler - share * len(winners)) // unit_haler
    return {
        winner: share + (unit_haler if n < odd_chips else 0) for n, winner in enumerate(winners)
    }


def clockwise_after(seats: Sequence[str], button: str) -> tuple[str, ...]:
    """Return the seats in dealing order: left of the button first, the button last."""
    first = seats.index(button) + 1
    return (*seats[first:], *seats[:first])


def _floor(haler: int, unit_haler: int) -> int:
    return haler - haler % unit_haler
