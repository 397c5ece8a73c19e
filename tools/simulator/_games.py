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

__all__ = ["ALL", "SAZKA", "SimulatedGame", "chosen"]


class SimulatedGame(NamedTuple):
    """A game: the short name of its tables, and what they are."""

    game: str
    short: str
    table: type[HouseTable]


SAZKA = (
    SimulatedGame("sazka.roulette_evolution", "evo", RouletteTable),
    SimulatedGame("sazka.roulette_synot", "synot", RouletteTable),
    SimulatedGame("sazka.blackjack_evolution", "bje", BlackjackTable),
    SimulatedGame("sazka.blackjack_synot", "bjs", BlackjackTable),
    SimulatedGame("sazka.infinite_blackjack", "inf", SharedBlackjackTable),
    SimulatedGame("sazka.all_bets_blackjack", "all", SharedBlackjackTable),
    SimulatedGame("sazka.casino_holdem", "chold", CasinoHoldemTable),
)
"""The seven games of the SAZKA studio."""
ALL = (
    *SAZKA,
    SimulatedGame("baccarat.commission", "bac", BaccaratTable),
    SimulatedGame("69games.roulette", "rou", RouletteTable),
    SimulatedGame("69games.blackjack", "bj69", BlackjackTable),
    SimulatedGame("69games.ultimate_texas_holdem", "uth", UltimateTable),
    SimulatedGame("69games.lucky_wheel", "wheel", WheelTable),
    SimulatedGame("69games.lucky_wheel_2", "wheel2", WheelTable),
    SimulatedGame("czech_casinos.american_roulette", "amer", RouletteTable),
    SimulatedGame("sl.free_bet_blackjack", "free", BlackjackTable),
)
"""Every game against the house."""


def chosen(names: Sequence[str]) -> tuple[SimulatedGame, ...]:
    """Find games by name; ``all`` is every one, ``sazka`` the seven of the studio.

    Raises:
        InputError: there is no such game, or players play it against each other.

    """
    known = {one.game: one for one in ALL}
    found: dict[str, SimulatedGame] = {}
    for name in names:
        if name in {"all", "sazka"}:
            found |= {one.game: one for one in (ALL if name == "all" else SAZKA)}
        elif name in known:
            found[name] = known[name]
        else:
            raise InputError(f"the simulator deals no {name!r}: it deals {', '.join(known)}")
    return tuple(found.values())
