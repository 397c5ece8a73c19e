"""House edges of the plans that ship, calculated at build time.

``edges.json`` is generated from ``tools.plans.edges``, so that a query does not have to count all
hands of a shoe again.
"""

from __future__ import annotations

import json
from fractions import Fraction
from functools import cache
from pathlib import Path

__all__ = ["house_edges"]


def house_edges(game: str, version: str) -> dict[str, Fraction] | None:
    """Return the house edge of each bet that has one, by its code; None for an unknown plan."""
    found = _counted().get(game, {}).get(version)
    return None if found is None else {bet: Fraction(house) for bet, house in found.items()}


@cache
def _counted() -> dict[str, dict[str, dict[str, str]]]:
    text = Path(__file__).with_name("edges.json").read_text(encoding="utf-8")
    found: dict[str, dict[str, dict[str, str]]] = json.loads(text)
    return found
