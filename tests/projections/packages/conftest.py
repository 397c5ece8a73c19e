"""The story of a month, projected once, with the package of every period that it touches."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from projections.store.tables import Store
from tests.projections.packages.build_cases import built
from tests.projections.packages.build_story import ACTIVE, told

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.packages.results import BuiltFolder
    from tests.projections.packages.build_cases import Studio


@dataclass
class Month:
    """What was told, and what the packages say of it."""

    studio: Studio
    store: Store
    packages: dict[str, BuiltFolder]


@pytest.fixture(scope="session")
def month(engine_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Month]:
    """Every package of the month."""
    folder = tmp_path_factory.mktemp("month")
    studio = told(folder)
    with Store.open(engine_path, name="month") as store:
        studio.project(store)
        packages = {period: built(store, folder / "out", period) for period in ACTIVE}
        yield Month(studio, store, packages)
    studio.close()


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let one worker run the tests of this folder, which share the packages of a month."""
    if item.path.parent == Path(__file__).parent:
        item.add_marker(pytest.mark.xdist_group("packages"))
