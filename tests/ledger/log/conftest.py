"""Every log that has to keep the contract, as one fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ledger.log import Log, MemoryLog, SqliteLog
from ledger.log.kafka.log import KafkaLog

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.broker import Cluster


@pytest.fixture(params=["memory", "sqlite", pytest.param("kafka", marks=pytest.mark.slow)])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """An empty log of each kind."""
    made: Log
    if request.param == "memory":
        made = MemoryLog()
    elif request.param == "sqlite":
        made = SqliteLog(tmp_path / "contract-log", writable=True)
    else:
        broker: Cluster = request.getfixturevalue("broker")
        made = KafkaLog(broker.url(uuid4().hex), tmp_path / "contract-log", writable=True)
    yield made
    made.close()
