"""The games that the simulator can deal: all that are played against the house."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import InputError
from tools.simulator._baccarat import BaccaratCroupier
from tools.simulator._blackjack import BlackjackCroupier
from tools.simulator._blackjack_shared import SharedBlackjackCroupier
from tools.simulator._croupier import Croupier, RouletteCroupier, WheelCroupier
from tools.simulator._holdem import HoldemCroupier, UltimateCroupier

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ALL", "SAZKA", "Dealt", "chosen"]


class Dealt(NamedTuple):
    """A game: the short name of its tables, and who deals it."""

    game: str
    short: str
    croupier: type[Croupier]


SAZKA = (
    Dealt("sazka.roulette_evolution", "evo", RouletteCroupier),
    Dealt("sazka.roulette_synot", "synot", RouletteCroupier),
    Dealt("sazka.blackjack_evolution", "bje", BlackjackCroupier),
    Dealt("sazka.blackjack_synot", "bjs", BlackjackCroupier),
    Dealt("sazka.infinite_blackjack", "inf", SharedBlackjackCroupier),
    Dealt("sazka.all_bets_blackjack", "all", SharedBlackjackCroupier),
    Dealt("sazka.casino_holdem", "chold", HoldemCroupier),
)
"""The seven games of the SAZKA studio."""
ALL = (
    *SAZKA,
    Dealt("baccarat.commission", "bac", BaccaratCroupier),
    Dealt("69games.roulette", "rou", RouletteCroupier),
    Dealt("69games.blackjack", "bj69", BlackjackCroupier),
    Dealt("69games.ultimate_texas_holdem", "uth", UltimateCroupier),
    Dealt("69games.lucky_wheel", "wheel", WheelCroupier),
    Dealt("69games.lucky_wheel_2", "wheel2", WheelCroupier),
    Dealt("czech_casinos.american_roulette", "amer", RouletteCroupier),
    Dealt("sl.free_bet_blackjack", "free", BlackjackCroupier),
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
