"""Tables that the tests of a file share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from history_cases import House, emptied
from shared_cases import play_together

from projections.store.tables import Store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from projection_cases import Chain


@pytest.fixture(scope="session")
def tables(engine_path: Path) -> Iterator[Store]:
    with Store.open(engine_path, name="reconciled") as store:
        yield store


@pytest.fixture
def store(tables: Store) -> Store:
    """Empty tables, without making new ones for every test."""
    return emptied(tables)


@pytest.fixture
def house(chain: Chain) -> House:
    made = House(chain)
    made.table()
    made.account()
    return made


@pytest.fixture(scope="module")
def outcomes(request: pytest.FixtureRequest, tables: Store) -> dict[str, Exception]:
    """What went wrong where the histories of the file were played together."""
    return play_together(request, emptied(tables))
