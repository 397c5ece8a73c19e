"""The house edges of all plans that ship, for ``tools/plans/edges.json``."""

from __future__ import annotations

import json

from ledger import games
from tools.plans.edges import edges

__all__ = ["house_edges"]


def house_edges() -> str:
    """Write the edge of each bet that has one as a fraction, by game, version and bet."""
    found = {
        game: {
            version: {
                edge.bet: str(edge.house)
                for edge in edges(games.plan(game, version))
                if edge.house is not None
            }
            for version in games.versions(game)
        }
        for game in games.games()
    }
    return json.dumps(found, indent=1, ensure_ascii=False) + "\n"
