"""Every log that has to keep the contract, as one fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ledger.log import Log, MemoryLog, SqliteLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(params=["memory", "sqlite"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """An empty log of each kind."""
    made: Log = (
        MemoryLog()
        if request.param == "memory"
        else SqliteLog(tmp_path / "contract-log", writable=True)
    )
    yield made
    made.close()
