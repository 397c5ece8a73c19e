"""The checks that are queries: which of them must run, and how each one is run.

What comes in: the headers of the checks (:mod:`projections.findings.headers`). What goes out: for
each check its name and a function that returns what it detects. Checks of a settlement are not
among them; :mod:`projections.reconciliation.reconcile` calls those round by round.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from projections.findings.headers import headers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from projections.checks import CheckInput
    from projections.findings.finding import DetectedFinding

    Find: TypeAlias = Callable[[CheckInput], Iterable[DetectedFinding]]

__all__ = ["Check", "python_checks"]


class Check(NamedTuple):
    """A check; it detects nothing unless an event of one of the types in ``needs`` exists.

    ``sources`` are the tables that determine its result; none if the result changes with time.
    """

    name: str
    needs: tuple[str, ...]
    find: Find
    sources: frozenset[str]


@cache
def python_checks() -> tuple[Check, ...]:
    """Return the checks that are Python modules."""
    found = []
    for name, header in headers().items():
        if not name.endswith(".py") or header.settled:
            continue
        module = import_module(f"projections.checks.{name.removesuffix('.py')}")
        sources = () if header.reads == "time" else (*header.needs, *header.reads)
        found.append(Check(name, header.needs, module.find, frozenset(sources)))
    return tuple(found)
