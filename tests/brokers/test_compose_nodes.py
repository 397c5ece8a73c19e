"""A topic of the log on the nodes of compose.yaml."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from kafka.admin import KafkaAdminClient

from ledger.log.kafka.log import KafkaLog
from tests.brokers.compose_nodes import nodes
from tests.ledger.chain_cases import Chain
from tests.ledger.log.kafka.kafka_load import QUICK

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.slow


@pytest.mark.search
@pytest.mark.usefixtures("kafka_jars")
def test_topic_of_the_log_is_spread_over_the_racks(tmp_path: Path) -> None:
    options = {**QUICK, "commit_seconds": 25}  # brokers that begin create their own topics first
    settings = "&".join(f"{name}={value}" for name, value in options.items())
    with nodes(tmp_path) as addresses:
        url = f"kafka://{','.join(addresses)}/sazka-live?replication=3&{settings}"
        with closing(KafkaLog(url, tmp_path, writable=True)) as log:
            head = log.append(Chain().open().messages)
            assert log.head() == head
        with closing(KafkaAdminClient(bootstrap_servers=addresses)) as admin:
            brokers = admin.describe_cluster()["brokers"]
            (topic,) = admin.describe_topics(["sazka-live"])
    assert {broker["rack"] for broker in brokers} == {"room-1", "room-2", "room-3"}
    assert len(topic["partitions"][0]["replica_nodes"]) == len(brokers) == 3
