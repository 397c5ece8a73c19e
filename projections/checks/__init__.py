"""The checks, one file each: its header (:mod:`projections.findings.headers`), then its code.

A Python check has a function ``find`` that takes a :class:`CheckInput` and returns what it detects;
only those of a settlement (``settled`` in the header) are called round by round. One that declares
a duty has a function ``started`` instead, which returns each duty that began; a duty that begins
and ends with facts needs no code, and is a TOML file.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from types import ModuleType

    from ledger.rules.operator import OperatorRules
    from projections.store.operator import PublishedRules
    from projections.store.tables import Store

__all__ = ["CheckInput", "check_module"]


class CheckInput(NamedTuple):
    """Input of a check: messages below ``size``, judged at the moment ``now``.

    A check of a duty may leave out what was done within ``least`` microseconds: it is not late.
    ``memory`` is what checks remember of an earlier examination of fewer messages, by name, as JSON
    has it; a check that remembers something puts it there for the next one.
    """

    store: Store
    size: int
    now: int
    published: PublishedRules
    memory: dict[str, Any]
    least: int = 0

    @property
    def rules(self) -> OperatorRules:
        """The operator's rules that were published last."""
        return self.published.last


def check_module(name: str) -> ModuleType:
    """Return the module of a check by the name of its file, such as ``shoes.py``."""
    return import_module(f"projections.checks.{name.removesuffix('.py')}")
