from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests.tools.cli_cases import begin, run
from tests.tools.copied_tables import CopiedStore
from tests.worlds import shared_folder, world
from tools.data import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Demo(NamedTuple):
    """A data directory of the demo, and the text that the demo printed."""

    data: Path
    printed: str


@pytest.fixture(scope="session", autouse=True)
def copied_tables(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Copy empty tables, for all workers of a run from those that one of them makes."""
    CopiedStore.made = shared_folder(tmp_path_factory) / "tables"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "Store", CopiedStore)
        yield
    CopiedStore.made = None


@pytest.fixture(scope="session")
def studio_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return world(tmp_path_factory, "studio", begin, copied=True)


@pytest.fixture(scope="session")
def projected_once(studio_once: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same with its tables; copy it with its links before anything is done to it."""

    def make(data: Path) -> None:
        shutil.copytree(studio_once, data)
        assert run("balances", data=data).returncode == 0

    return world(tmp_path_factory, "projected", make, copied=True)


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Demo:
    """The demo and what it printed; a copy of it, in a folder of its own."""

    def make(folder: Path) -> None:
        folder.mkdir()
        done = run("demo", "--data", str(folder / "demo"), data=folder)
        assert done.returncode == 0, done.stderr
        (folder / "printed").write_text(done.stdout.replace(str(folder), "{folder}"))

    folder = world(tmp_path_factory, "demo", make, copied=True)
    printed = (folder / "printed").read_text().replace("{folder}", str(folder))
    return Demo(folder / "demo", printed)


@pytest.fixture
def studio(studio_once: Path, tmp_path: Path) -> Path:
    """A data directory of its own with an open round; made once, then copied."""
    return shutil.copytree(studio_once, tmp_path / "data")


def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark the tests of this folder as those of the program."""
    item.add_marker(pytest.mark.program)
