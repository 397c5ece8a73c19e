"""The game plans in force: one data file per game and version, loaded once.

Files lie in `plan_data/`, named `<game>@<version>.toml`, and are part of the package. A version is
the day on which the plan took effect, or "unknown" where its document has no date. Loading checks
everything; a file that does not describe a game is a `PlanError` with file and key.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.games.api.contract import UnknownGameError
from ledger.games.api.game_plan import GamePlan, PlanHeader, read_header
from ledger.games.api.plan_reader import PlanError, Section
from ledger.games.api.shapes import shown
from ledger.games.baccarat import plan as baccarat
from ledger.games.blackjack import plan as blackjack
from ledger.games.cash import open_face as ofc_cash
from ledger.games.cash import poker as poker_cash
from ledger.games.casino_poker import (
    holdem as casino_poker_holdem,
)
from ledger.games.casino_poker import (
    ultimate as casino_poker_ultimate,
)
from ledger.games.roulette import plan as roulette
from ledger.games.tournament import plan as tournament
from ledger.games.wheels import plan as wheels

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.resources.abc import Traversable

_FAMILIES: dict[str, Callable[[PlanHeader, Section], GamePlan]] = {
    "baccarat": baccarat.read_plan,
    "blackjack": blackjack.read_plan,
    "casino_holdem": casino_poker_holdem.read_plan,
    "ofc_cash": ofc_cash.read_plan,
    "poker_cash": poker_cash.read_plan,
    "roulette": roulette.read_plan,
    "tournament": tournament.read_plan,
    "ultimate_texas_holdem": casino_poker_ultimate.read_plan,
    "wheel": wheels.read_plan,
}
ADDITIONAL_WAGERS = frozenset[str]().union(
    blackjack.BlackjackPlan.additional_wagers,
    casino_poker_holdem.CasinoHoldemPlan.additional_wagers,
    casino_poker_ultimate.UltimateHoldemPlan.additional_wagers,
)
"""Actions that ask for more chips in any game."""
_SUFFIX = ".toml"
_UNKNOWN = "unknown"


def games() -> tuple[str, ...]:
    """List the ids of all games that can be settled, sorted."""
    return tuple(sorted(_plan_files()))


def versions(game: str) -> tuple[str, ...]:
    """List the versions of a game's plan, newest last; raises `UnknownGameError`."""
    found = _plan_files().get(game)
    if found is None:
        raise UnknownGameError(f"there is no game {shown(game)}")
    return tuple(sorted(found, key=lambda version: (version != _UNKNOWN, version)))


def plan(game: str, version: str | None = None) -> GamePlan:
    """Return a plan, the newest version if none is named; the same object every time.

    Raises:
        UnknownGameError: the game or the version does not exist.

    """
    known = versions(game)
    if version is None:
        version = known[-1]
    elif version not in known:
        raise UnknownGameError(f"{game} has no plan version {shown(version)}")
    return _load(game, version)


def document(game: str, version: str) -> str:
    """Return the data file of a plan version as it ships, TOML text.

    Raises:
        UnknownGameError: the game or the version does not exist.

    """
    plan(game, version)
    return _plan_files()[game][version].read_text(encoding="utf-8")


def read_plan(content: bytes, where: str) -> GamePlan:
    """Read a plan from the bytes of a plan file.

    Args:
        content: TOML in UTF-8.
        where: name of the file, for messages.

    Raises:
        PlanError: the text is not TOML or does not describe a game of a known family.

    """
    try:
        section = Section(tomllib.loads(content.decode()), where)
    except ValueError as error:
        raise PlanError(where, f"is not TOML: {error}") from error
    family = section.text("family")
    if family not in _FAMILIES:
        raise PlanError(section.place("family"), f"must be one of {', '.join(_FAMILIES)}")
    loaded = _FAMILIES[family](read_header(section), section)
    section.close()
    return loaded


@cache
def _load(game: str, version: str) -> GamePlan:
    file = _plan_files()[game][version]
    loaded = read_plan(file.read_bytes(), file.name)
    if (loaded.header.game, loaded.header.version) != (game, version):
        raise PlanError(file.name, "names another game or version inside")
    return loaded


@cache
def _plan_files() -> dict[str, dict[str, Traversable]]:
    found: dict[str, dict[str, Traversable]] = {}
    for file in files("ledger.games").joinpath("plan_data").iterdir():
        if file.name.endswith(_SUFFIX):
            game, _at, version = file.name.removesuffix(_SUFFIX).partition("@")
            found.setdefault(game, {})[version] = file
    return found
