"""The game plans in force: one data file per game and version, loaded once.

Files are in `plan_data/`, named `<game>@<version>.toml`, and are part of the package. A version is
the day on which the plan took effect, or "unknown" where its document has no date. Loading checks
everything; an invalid file is a `PlanError` with file and key.

A new plan, or a new version of one, is a new file there: its `family` selects the rules that parse
it, and nothing else must change. A new family is a package with its own `GamePlan`, whose fields
are the tables of its files, and an entry in `FAMILIES`; what ledger, replay and simulator need to
know are attributes of that plan. The import contract must list the package.
"""

from __future__ import annotations

import tomllib
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from ledger.core.phrases import Phrase
from ledger.games.api.contract import UnknownGameError
from ledger.games.api.game_plan import GamePlan, PlanHeader
from ledger.games.api.plan_table import PlanError, read_tables
from ledger.games.baccarat.plan import BaccaratPlan
from ledger.games.blackjack.plan import BlackjackPlan
from ledger.games.cash.open_face import OfcCashPlan
from ledger.games.cash.poker import PokerCashPlan
from ledger.games.casino_poker.holdem import CasinoHoldemPlan
from ledger.games.casino_poker.ultimate import UltimateHoldemPlan
from ledger.games.roulette.plan import RoulettePlan
from ledger.games.tournament.plan import TournamentPlan
from ledger.games.wheels.plan import WheelPlan

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

FAMILIES: dict[str, type[GamePlan]] = {
    "baccarat": BaccaratPlan,
    "blackjack": BlackjackPlan,
    "casino_holdem": CasinoHoldemPlan,
    "ofc_cash": OfcCashPlan,
    "poker_cash": PokerCashPlan,
    "roulette": RoulettePlan,
    "tournament": TournamentPlan,
    "ultimate_texas_holdem": UltimateHoldemPlan,
    "wheel": WheelPlan,
}
ADDITIONAL_WAGERS = frozenset[str]().union(
    *(family.additional_wagers for family in FAMILIES.values())
)
"""Actions that add chips in any game."""
_HEADER = frozenset(PlanHeader.__struct_fields__)
_SUFFIX = ".toml"
_UNKNOWN = "unknown"


def games() -> tuple[str, ...]:
    """Return the ids of all games that can be settled, sorted."""
    return tuple(sorted(_plan_files()))


def versions(game: str) -> tuple[str, ...]:
    """Return the versions of a game's plan, newest last; raises `UnknownGameError`."""
    found = _plan_files().get(game)
    if found is None:
        raise UnknownGameError(Phrase("GAME_UNKNOWN", game=game))
    return tuple(sorted(found, key=lambda version: (version != _UNKNOWN, version)))


@cache
def plan(game: str, version: str | None = None) -> GamePlan:
    """Return a plan, by default the newest version; the same object at every call.

    Raises:
        UnknownGameError: the game or the version does not exist.

    """
    known = versions(game)
    if version is None:
        version = known[-1]
    elif version not in known:
        raise UnknownGameError(Phrase("VERSION_UNKNOWN", game=game, version=version))
    return _load(game, version)


def document(game: str, version: str) -> str:
    """Return the data file of a plan version as it ships, TOML text.

    Raises:
        UnknownGameError: the game or the version does not exist.

    """
    plan(game, version)
    return _plan_files()[game][version].read_text(encoding="utf-8")


def read_plan(content: bytes, where: str) -> GamePlan:
    """Parse a plan from the bytes of a plan file.

    Args:
        content: TOML in UTF-8.
        where: name of the file, for messages.

    Raises:
        PlanError: the text is not TOML or does not define a game of a known family.

    """
    try:
        tables = tomllib.loads(content.decode())
    except ValueError as error:
        raise PlanError(where, f"is not TOML: {error}") from error
    family = tables.pop("family", None)
    if not isinstance(family, str) or family not in FAMILIES:
        raise PlanError(f"{where}.family", f"must be one of {', '.join(FAMILIES)}")
    header = {key: tables.pop(key) for key in _HEADER & tables.keys()}
    return read_tables({"header": header, **tables}, FAMILIES[family], where)


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
