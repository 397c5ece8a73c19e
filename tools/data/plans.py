"""Games known to the program, for command line and service: plans and house edges."""

from __future__ import annotations

from dataclasses import dataclass

from ledger import games as plans

__all__ = ["Edge", "GameVersion", "edges_of", "game_versions"]


@dataclass(frozen=True, slots=True)
class GameVersion:
    """A game and one version of its plan."""

    game: str
    version: str
    name: str


@dataclass(frozen=True, slots=True)
class Edge:
    """The house edge of a bet, counted and published."""

    game: str
    version: str
    bet: str
    house_edge: str | None
    percent: str | None
    published_percent: str | None
    published_in: str | None
    note: str


def game_versions() -> list[GameVersion]:
    """List the games that can be settled, with the versions of their plans."""
    return [
        GameVersion(game=game, version=plan.header.version, name=plan.header.name)
        for game in plans.games()
        for plan in plans.plans_of(game)
    ]


def edges_of(game: str, version: str | None = None) -> list[Edge]:
    """Return the house edge of every bet of a game.

    Raises:
        InputError: there is no such game or version.

    """
    from tools.plans.edges import edges, percent

    plan = plans.plan(game, version)
    return [
        Edge(
            game=game,
            version=plan.header.version,
            bet=one.bet,
            house_edge=None if one.house is None else str(one.house),
            percent=None if one.house is None else percent(one.house),
            published_percent=one.published,
            published_in=one.where or None,
            note=one.note,
        )
        for one in edges(plan)
    ]
