"""Load and build everything that requests share before the first request.

A type, a module or a cached value that several requests initialise at the same time costs each of
them the whole work, and some libraries fail on it. :func:`warm_up` runs in the main thread before
the service listens. A test requests every route and reports modules that were not loaded. Only the
PDF printing of evidence is loaded by its first request: it is rare and takes a second.
"""

from __future__ import annotations

import sys
from importlib import import_module

from ledger.core.clock import SystemClock
from ledger.core.decoders import build_types
from ledger.games import games, plans_of
from ledger.rules.operator import shipped_rules
from ledger.rules.periods import Period, end_of_period
from projections.reconciliation.checks import python_checks
from projections.store import engine

__all__ = ["load_engine", "warm_up"]

MODULES = (
    "anyio._backends._asyncio",
    "anyio._core._fileio",
    "clickhouse_connect",
    "encodings.idna",
    "encodings.unicode_escape",
    "encodings.utf_16_le",
    "ledger.tlog.tag_entries",
    "pokerkit",
    "projections.packages.cz.confirmation",
    "projections.packages.cz.links",
    "projections.store.arrow",
    "projections.store.blocks",
    "pyarrow.compute",
    "pyarrow.csv",
    "pyarrow.parquet",
    "tools.access.app",
    "tools.plans.edges",
    "tools.plans.rows",
    "tools.plans.shipped",
    "xlsxwriter",
)
"""Modules that functions import, so that commands which do not need them start sooner."""


def load_engine() -> None:
    """Load the engine's module, before a thread opens tables while others import."""
    engine.load()


def warm_up() -> None:
    """Load modules, fill caches and resolve types that requests would initialise otherwise."""
    for name in MODULES:
        import_module(name)
    _leave_out_pandas()
    shipped_rules()
    end_of_period(SystemClock().now(), Period(days=1, source=""))
    for game in games():
        plans_of(game)
    build_types()
    python_checks()


class _NoPandas:
    """A finder of modules that has no pandas."""

    def find_spec(self, name: str, *_: object) -> None:
        """Refuse pandas; leave all other modules to the next finders."""
        if name == "pandas":
            raise ModuleNotFoundError(name)


def _leave_out_pandas() -> None:
    """Make pyarrow decide once that pandas is missing; it would import pandas for its first list.

    Nothing here uses pandas, and it takes as long to import as all other modules of the list.
    """
    import pyarrow as pa

    finder = _NoPandas()
    sys.meta_path.insert(0, finder)
    try:
        pa.array([0])
    finally:
        sys.meta_path.remove(finder)
