"""Every log that has to keep the contract, as one fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ledger.log import Log, MemoryLog, SqliteLog
from ledger.log.dry_run import DryRunLog
from ledger.log.kafka.log import KafkaLog
from tests.simulation.simulated_broker import Broker
from tests.simulation.simulated_disk import Disk
from tests.simulation.simulated_disk_log import DiskLog
from tests.simulation.simulated_topic_log import SimulatedTopicLog
from tests.simulation.simulated_world import World

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

KINDS = ("memory", "sqlite", "disk", "topic", "rehearsal")


@pytest.fixture(params=[*KINDS, pytest.param("kafka", marks=pytest.mark.broker)])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Log]:
    """An empty log of each kind; that of a simulated disk and of a simulated topic, too."""
    made: Log
    if request.param == "memory":
        made = MemoryLog()
    elif request.param == "rehearsal":
        made = DryRunLog(MemoryLog())
    elif request.param == "sqlite":
        made = SqliteLog(tmp_path / "contract-log", writable=True)
    elif request.param in {"disk", "topic"}:
        world, never = World(0), lambda _: False
        disk = Disk(world, never, "host")
        is_topic = request.param == "topic"
        made = SimulatedTopicLog(Broker(world, never), disk) if is_topic else DiskLog(disk)
    else:
        broker: Cluster = request.getfixturevalue("broker")
        made = KafkaLog(broker.url(uuid4().hex), tmp_path / "contract-log", writable=True)
    yield made
    made.close()
