"""The register of deliberate bugs, and the search for a seed that finds one."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tests.simulation.simulated_access import access_template
from tests.simulation.simulated_plan import Plan
from tests.simulation.simulation import simulate

if TYPE_CHECKING:
    from collections.abc import Iterator

BUGS: dict[str, Any] = {}
SEEDS: dict[str, int] = {}
"""Where the tests begin to look; the figures of the table begin anywhere."""
NEEDS: dict[str, str] = {}
SEEDS_MAX = 400


def bug(name: str, seed: int = 0, needs: str = "") -> Any:
    """Register a bug under the words of the table; a rare one with a seed that finds it.

    ``needs`` is a door, the feed, streams, the library, reads of the access service, the lease,
    the mirror or the log on SQLite; bugs of the writer are looked for without them.
    """

    def register(patch: Any) -> Any:
        BUGS[name], SEEDS[name], NEEDS[name] = patch, seed, needs
        return patch

    return register


@contextmanager
def with_bug(name: str) -> Iterator[None]:
    """Run with one of the bugs; what every seed begins with is made before, without it."""
    access_template()
    with pytest.MonkeyPatch.context() as patched:
        BUGS[name](patched)
        yield


def seeds_until_found(name: str, first: int) -> tuple[int, str]:
    """Return how many seeds it took to find a bug, and as what."""
    with with_bug(name):
        for number in range(SEEDS_MAX):
            result = simulate(_plan(first + number, NEEDS[name]))
            if result.failure:
                return number + 1, result.failure
    return SEEDS_MAX + 1, "not found"


def _plan(seed: int, needs: str) -> Plan:
    doors = {"http": ("http",), "library": ("http",), "streams": ("http",), "topic": ("topic",)}
    media = {"lease": "topic", "sqlite": "sqlite"}
    plan = Plan.draw(seed)
    if needs == "mirror":
        plan.rates.update({"mirror is killed": 0.1, "disk of the mirror is full": 0.2})
    return replace(
        plan,
        doors=doors.get(needs, ("ledger",)),
        feed=1 if needs == "feed" else 0,
        streams=3 if needs == "streams" else 0,
        has_library=needs == "library",
        reads=12 if needs == "reads" else 0,
        has_lease=needs == "lease",
        has_engine=False,
        has_mirror=needs == "mirror",
        medium=media.get(needs, plan.medium.replace("sqlite", "disk")),
    )
