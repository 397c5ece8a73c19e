from __future__ import annotations

import shutil
from typing import TYPE_CHECKING

import pytest
from cli_cases import begin

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="session")
def studio_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("studio") / "data"
    begin(data)
    return data


@pytest.fixture
def studio(studio_once: Path, tmp_path: Path) -> Path:
    """A data directory of its own with an open round; made once, then copied."""
    return shutil.copytree(studio_once, tmp_path / "data")
