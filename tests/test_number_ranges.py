"""Every number that a file or a command from outside brings has a least and a greatest value.

Operators' rules state theirs in :mod:`ledger.rules.law`, with tests of their own.
"""

from __future__ import annotations

import pkgutil
from importlib import import_module
from typing import TYPE_CHECKING, Any

import pytest
from msgspec import inspect

import ledger.decisions
import ledger.games
from ledger.events.command import Command
from ledger.games.api.plan_table import PlanTable
from projections.packages.cz.settings import Settings
from tools.delivery.settings import Delivery
from tools.feed.settings import FeedSettings
from tools.statements.issuer import Issuer
from tools.watch.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

COMPARED = {"Rule.where"}
"""Only compared with fields of events."""


def loaded(package: ModuleType) -> ModuleType:
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        import_module(found.name)
    return package


def subclasses(kind: type) -> Iterator[type]:
    for one in kind.__subclasses__():
        yield from (one, *subclasses(one))


def without_range(of: Any, place: str, seen: set[type]) -> Iterator[str]:
    """Yield the places of numbers without a least or a greatest value."""
    if isinstance(of, inspect.IntType | inspect.FloatType):
        if (of.ge is None and of.gt is None) or (of.le is None and of.lt is None):
            yield place
        return
    if isinstance(of, inspect.StructType | inspect.DataclassType):
        if of.cls not in seen:
            seen.add(of.cls)
            for field in of.fields:
                yield from without_range(field.type, f"{of.cls.__name__}.{field.name}", seen)
        return
    parts = [getattr(of, name, None) for name in ("type", "item_type", "key_type", "value_type")]
    for part in (*parts, *getattr(of, "types", ()), *getattr(of, "item_types", ())):
        if isinstance(part, inspect.Type):
            yield from without_range(part, place, seen)


def roots() -> list[type]:
    loaded(ledger.decisions)
    loaded(ledger.games)
    return [
        Delivery,
        FeedSettings,
        Issuer,
        Rules,
        Settings,
        *subclasses(Command),
        *subclasses(PlanTable),
    ]


@pytest.mark.parametrize("kind", roots(), ids=lambda kind: kind.__qualname__)
def test_every_number_from_outside_has_a_range(kind: type) -> None:
    assert set(without_range(inspect.type_info(kind), "", set())) <= COMPARED
