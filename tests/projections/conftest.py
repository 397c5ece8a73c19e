"""The engine in this process, and a fresh set of tables for each test."""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from projections.store.connection import Connector
from projections.store.tables import Store
from tests.projections.history_cases import Casino, House, emptied
from tests.projections.projection_cases import Chain
from tests.projections.shared_cases import play_together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

NUMBERS = count(1)
FREE: dict[str, list[str]] = {"test": [], "spare": []}
"""Names whose tables are empty again, by their beginning.

What a server has was all made at once: others than those of a data directory, which has what its
tests needed.
"""


@pytest.fixture(scope="session")
def engine_path(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """The one directory that the engine of this process may hold.

    One connection stays open, or the engine would stop and start between tests.
    """
    path = tmp_path_factory.mktemp("engine")
    with closing(Connector(path)()):
        yield path


@contextmanager
def spare_tables(engine_path: Path, begins: str) -> Iterator[str]:
    """Give the name of empty tables that nobody else uses, and empty them again behind.

    Tables are used again, because making a hundred takes longer than most tests, and the engine
    looks after all that are there, in use or not.
    """
    free = FREE[begins]
    name = free.pop() if free else f"{begins}_{next(NUMBERS)}"
    yield name
    with suppress(InputError), Store.open(engine_path, name=name, creating=False) as used:
        if used.is_current:
            used.drop_unused()
            emptied(used)
            free.append(name)


@pytest.fixture
def spare(engine_path: Path) -> Iterator[str]:
    """Name empty tables that a server has, or tables that are not there yet."""
    with spare_tables(engine_path, "spare") as name:
        yield name


@pytest.fixture
def open_store(engine_path: Path) -> Iterator[Callable[[], Store]]:
    """Open the tables of this test, as often as it likes; they begin empty."""
    with spare_tables(engine_path, "test") as name, ExitStack() as stack:
        yield lambda: stack.enter_context(Store.open(engine_path, name=name))


@pytest.fixture(scope="module")
def lend(engine_path: Path) -> Iterator[Callable[[], Store]]:
    """Open empty tables, others each time, which are there until the tests of the file end."""
    with ExitStack() as stack:

        def lend_one() -> Store:
            name = stack.enter_context(spare_tables(engine_path, "test"))
            return stack.enter_context(Store.open(engine_path, name=name))

        yield lend_one


@pytest.fixture(scope="session")
def tables(engine_path: Path) -> Iterator[Store]:
    """The one set of tables that most tests share: making it takes longer than they do."""
    with Store.open(engine_path, name="tables") as store:
        yield store


@pytest.fixture
def store(tables: Store) -> Store:
    """Empty tables."""
    return emptied(tables)


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tables: Store) -> dict[str, Exception]:
    """What went wrong where the histories of the file were played together."""
    return play_together(request, emptied(tables))


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
