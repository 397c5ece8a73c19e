"""Game plans: shipped ones and those that chains published; each is parsed once.

A plan is one TOML document. Shipped plans are files in `plan_data/`, named
`<game>@<version>.toml`. A chain records the whole document of each plan that it puts into force
(`RulesPublished`); state and projections register these documents here before they settle, so that
a chain is settled by the plans it recorded, whatever this package ships. A version is the day on
which the plan took effect, or "unknown" if its document has no date; game and version identify one
document. Parsing checks everything; an invalid file raises a `PlanError` with file and key.

The `family` of a plan selects the code that parses it; a new plan needs no other change.
A new family is a package with its own `GamePlan`, whose fields are the tables of its files, and an
entry in `FAMILIES`; the attributes of that plan describe it to ledger, replay and simulator. The
import contract must list the package.
"""

from __future__ import annotations

from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from hashlib import sha256
from importlib.resources import files
from typing import TYPE_CHECKING

from msgspec import Struct, field

from ledger.core.bounded_toml import parse_toml
from ledger.core.errors import IntegrityError
from ledger.core.extras import MissingExtraError, require_module
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
    from collections.abc import Iterable, Iterator
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
PLAN_BYTES_MAX = 50_000
"""A published plan fits into one message, with the other facts of its event."""
_HEADER = frozenset(PlanHeader.__struct_fields__)
_SUFFIX = ".toml"
_UNKNOWN = "unknown"
_PUBLISHED: dict[tuple[str, str], str] = {}
_ONLY: ContextVar[dict[tuple[str, str], str] | None] = ContextVar("_ONLY", default=None)
_PARSED_MAX = 512


def games() -> tuple[str, ...]:
    """Return the ids of all games that can be settled, sorted."""
    return tuple(sorted(_plan_files().keys() | {game for game, _ in _published()}))


def versions(game: str) -> tuple[str, ...]:
    """Return the versions of a game's plan, newest last; raises `UnknownGameError`."""
    names = _plan_files().get(game, {}).keys() | {
        version for name, version in _published() if name == game
    }
    if not names:
        raise UnknownGameError(Phrase("GAME_UNKNOWN", game=game))
    return tuple(sorted(names, key=lambda version: (version != _UNKNOWN, version)))


def plan(game: str, version: str | None = None) -> GamePlan:
    """Return a plan, by default its newest version; the same object at every call.

    Raises:
        UnknownGameError: the game or the version does not exist, or a chain published a document
            that this program cannot parse, such as a plan of a family that only a later version
            has.
        MissingExtraError: the game needs the ranking of poker hands, which is not installed.

    """
    version = versions(game)[-1] if version is None else version
    text = _published().get((game, version))  # each bet asks here
    return _parse(game, version, text or document(game, version))


def plans_of(game: str) -> list[GamePlan]:
    """Return the plans of a game that can be settled here, newest last."""
    plans = []
    for version in versions(game):
        with suppress(UnknownGameError, MissingExtraError):
            plans.append(plan(game, version))
    return plans


def document(game: str, version: str) -> str:
    """Return the TOML text of a plan version, as published or otherwise as shipped.

    Raises:
        UnknownGameError: the game or the version does not exist.

    """
    text = _published().get((game, version)) or _shipped().get((game, version))
    if text is None:
        raise UnknownGameError(
            Phrase("VERSION_UNKNOWN", game=game, version=version, known=versions(game))
        )
    return text


class ChainPlans(Struct):
    """Versions of plans that one chain published; of each its first whole document counts.

    A document that is empty or has a wrong digest, or a second one, as a foreign application could
    record them, is ignored (reported as PLAN_DIGEST_WRONG, PLAN_PUBLISHED_TWICE).
    """

    texts: dict[tuple[str, str], str] = field(default_factory=dict)

    def register(self, game: str, version: str, text: str, digest: str) -> None:
        """Register a document for settlement, in the order in which the chain has them.

        Args:
            game: game as recorded.
            version: version as recorded.
            text: TOML; parsed when it is needed.
            digest: SHA-256 of the text in UTF-8, hexadecimal.

        Raises:
            IntegrityError: another chain in this process published another document under the same
                game and version.

        """
        if not self.add(game, version, text, digest):
            return
        if _PUBLISHED.setdefault((game, version), text) != text:
            raise IntegrityError(
                f"{game} version {version} was published with two documents; the later one has the "
                f"SHA-256 {digest}"
            )

    def add(self, game: str, version: str, text: str, digest: str) -> bool:
        """Add a document, for this chain alone; return whether it counts."""
        is_whole = bool(text) and sha256(text.encode()).hexdigest() == digest
        return is_whole and self.texts.setdefault((game, version), text) is text


@contextmanager
def only_published(plans: Iterable[tuple[str, str, str, str]]) -> Iterator[None]:
    """Settle only by the given published plans and by shipped plans, within this context.

    For data from outside, such as evidence of another chain: its plans are valid in this context
    only, and those of this process's own chain are not used.

    Args:
        plans: game, version, text and digest of each, as :meth:`ChainPlans.register` takes them.

    """
    chain_plans = ChainPlans()
    for one in plans:
        chain_plans.add(*one)
    token = _ONLY.set(chain_plans.texts)
    try:
        yield
    finally:
        _ONLY.reset(token)


def _published() -> dict[tuple[str, str], str]:
    only = _ONLY.get()
    return _PUBLISHED if only is None else only


def read_plan(content: bytes, where: str) -> GamePlan:
    """Parse a plan from the bytes of a plan file.

    Args:
        content: TOML in UTF-8.
        where: name of the file, for messages.

    Raises:
        PlanError: the text is not TOML or does not define a game of a known family.

    """
    try:
        tables = parse_toml(content)
    except ValueError as error:
        raise PlanError(where, f"is not TOML: {error}") from error
    family = tables.pop("family", None)
    if not isinstance(family, str) or family not in FAMILIES:
        raise PlanError(f"{where}.family", f"must be one of {', '.join(FAMILIES)}")
    header = {key: tables.pop(key) for key in _HEADER & tables.keys()}
    return read_tables({"header": header, **tables}, FAMILIES[family], where)


def read_new_plan(content: bytes, where: str) -> GamePlan:
    """Parse a plan that a chain is about to publish; it needs an English name.

    Raises:
        PlanError: as :func:`read_plan`; or it has more than ``PLAN_BYTES_MAX`` bytes, or no name in
            English.

    """
    if len(content) > PLAN_BYTES_MAX:
        raise PlanError(where, f"has {len(content)} bytes, and a plan {PLAN_BYTES_MAX} at most")
    parsed = read_plan(content, where)
    if parsed.header.name_en is None:
        raise PlanError(f"{where}.name_en", "is missing: the name of the game in English")
    return parsed


@lru_cache(maxsize=_PARSED_MAX)
def _parse(game: str, version: str, text: str) -> GamePlan:
    try:
        return _named_plan(game, version, text)
    except PlanError as error:
        if _shipped().get((game, version)) != text:
            raise UnknownGameError(Phrase("PLAN_INVALID", problem=error)) from error
        raise


def _named_plan(game: str, version: str, text: str) -> GamePlan:
    where = f"{game}@{version}{_SUFFIX}"
    parsed = read_plan(text.encode(), where)
    if (parsed.header.game, parsed.header.version) != (game, version):
        raise PlanError(where, "names another game or version inside")
    if parsed.ranks_hands:  # now, and not in the middle of a decision
        require_module("pokerkit")
    return parsed


@cache
def _shipped() -> dict[tuple[str, str], str]:
    return {
        (game, version): file.read_text(encoding="utf-8")
        for game, files_of_game in _plan_files().items()
        for version, file in files_of_game.items()
    }


@cache
def _plan_files() -> dict[str, dict[str, Traversable]]:
    found: dict[str, dict[str, Traversable]] = {}
    for file in files("ledger.games").joinpath("plan_data").iterdir():
        if file.name.endswith(_SUFFIX):
            game, _at, version = file.name.removesuffix(_SUFFIX).partition("@")
            found.setdefault(game, {})[version] = file
    return found
