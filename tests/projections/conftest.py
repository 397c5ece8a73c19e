"""The engine in this process, and a fresh set of tables for each test."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from history_cases import Casino, House, emptied
from projection_cases import Chain

from projections.store.tables import Store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

NUMBERS = count(1)
FREE: list[str] = []
"""Names whose tables are empty again."""


@pytest.fixture(scope="session")
def engine_path() -> Iterator[Path]:
    """The one directory that the engine of this process may hold, in memory if there is room.

    One connection stays open, or the engine would stop and start between tests.
    """
    memory = Path("/dev/shm")  # noqa: S108 - a disk would only make the tests slower
    parent = memory if os.access(memory, os.W_OK) else None
    with TemporaryDirectory(dir=parent) as path, Store.open(path, name="held"):
        yield Path(path)


@pytest.fixture
def open_store(engine_path: Path) -> Iterator[Callable[[], Store]]:
    """Open the tables of this test, as often as it likes; they begin empty.

    Tables are emptied and used again, because making a hundred takes longer than most tests.
    """
    name = FREE.pop() if FREE else f"test_{next(NUMBERS)}"
    opened: list[Store] = []

    def open_one() -> Store:
        opened.append(Store.open(engine_path, name=name))
        return opened[-1]

    yield open_one
    for store in opened:
        store.close()
    with Store.open(engine_path, name=name) as used:
        if not used.is_current:
            return
        used.drop_unused()
        for row in used.rows(
            "SELECT name FROM system.tables WHERE database = {database:String} AND total_rows > 0",
            database=used.database,
        ):
            used.command(f"TRUNCATE TABLE {row['name']}")
    FREE.append(name)


@pytest.fixture(scope="session")
def tables(engine_path: Path) -> Iterator[Store]:
    """The one set of tables that most tests share: making it takes longer than they do."""
    with Store.open(engine_path, name="tables") as store:
        yield store


@pytest.fixture
def store(tables: Store) -> Store:
    """Empty tables."""
    return emptied(tables)


@pytest.fixture
def chain() -> Chain:
    """A chain without messages."""
    return Chain()


@pytest.fixture
def house(chain: Chain) -> House:
    """A table and an account."""
    made = House(chain)
    made.table()
    made.account()
    return made


@pytest.fixture
def casino(tmp_path: Path) -> Iterator[Casino]:
    """The write side with a table."""
    with closing(Casino(tmp_path)) as made:
        yield made
