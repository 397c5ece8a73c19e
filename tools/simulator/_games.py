"""The games that the simulator can deal: all that are played against the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import InputError
from tools.simulator._baccarat import BaccaratTable
from tools.simulator._blackjack import BlackjackTable
from tools.simulator._blackjack_shared import SharedBlackjackTable
from tools.simulator._holdem import CasinoHoldemTable, UltimateTable
from tools.simulator._wheels import RouletteTable, WheelTable

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tools.simulator._house import HouseTable

__all__ = ["ALL", "SAZKA", "Dealt", "chosen"]


class Dealt(NamedTuple):
    """A game: the short name of its tables, and what they are."""

    game: str
    short: str
    table: type[HouseTable]


SAZKA = (
    Dealt("sazka.roulette_evolution", "evo", RouletteTable),
    Dealt("sazka.roulette_synot", "synot", RouletteTable),
    Dealt("sazka.blackjack_evolution", "bje", BlackjackTable),
    Dealt("sazka.blackjack_synot", "bjs", BlackjackTable),
    Dealt("sazka.infinite_blackjack", "inf", SharedBlackjackTable),
    Dealt("sazka.all_bets_blackjack", "all", SharedBlackjackTable),
    Dealt("sazka.casino_holdem", "chold", CasinoHoldemTable),
)
"""The seven games of the SAZKA studio."""
ALL = (
    *SAZKA,
    Dealt("baccarat.commission", "bac", BaccaratTable),
    Dealt("69games.roulette", "rou", RouletteTable),
    Dealt("69games.blackjack", "bj69", BlackjackTable),
    Dealt("69games.ultimate_texas_holdem", "uth", UltimateTable),
    Dealt("69games.lucky_wheel", "wheel", WheelTable),
    Dealt("69games.lucky_wheel_2", "wheel2", WheelTable),
    Dealt("czech_casinos.american_roulette", "amer", RouletteTable),
    Dealt("sl.free_bet_blackjack", "free", BlackjackTable),
)
"""Every game against the house."""


def chosen(names: Sequence[str]) -> tuple[Dealt, ...]:
    """Find games by name; ``all`` is every one, ``sazka`` the seven of the studio.

    Raises:
        InputError: there is no such game, or players play it against each other.

    """
    known = {one.game: one for one in ALL}
    found: dict[str, Dealt] = {}
    for name in names:
        if name in {"all", "sazka"}:
            found |= {one.game: one for one in (ALL if name == "all" else SAZKA)}
        elif name in known:
            found[name] = known[name]
        else:
            raise InputError(f"the simulator deals no {name!r}: it deals {', '.join(known)}")
    return tuple(found.values())
