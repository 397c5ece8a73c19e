"""How much a test tries: a sample in ``make test``, everything in ``make search``."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SEARCHES", "amount", "sample", "share"]

SEARCHES = bool(os.environ.get("GAMELEDGER_SEARCH"))
"""Whether this is a run of ``make search``."""
_T = TypeVar("_T")


def amount(usual: int, searched: int) -> int:
    """Return how many cases are tried."""
    return searched if SEARCHES else usual


def sample(cases: Sequence[_T], usual: int) -> Sequence[_T]:
    """Return all cases in a search, otherwise some that the seed of the run chooses."""
    if SEARCHES or len(cases) <= usual:
        return cases
    return random.sample(cases, usual)


def share(cases: Sequence[_T], part: int, *, of: int) -> Sequence[_T]:
    """Return all cases in a search, otherwise one of several parts that together are all."""
    return cases if SEARCHES else cases[part::of]
