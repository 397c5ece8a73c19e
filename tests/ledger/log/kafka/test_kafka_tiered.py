"""Tiered storage of a real broker: segments that left its disk are read, proved and continued."""

from __future__ import annotations

import time
from contextlib import closing
from typing import TYPE_CHECKING, NamedTuple

import pytest

from ledger.core.errors import InputError, IntegrityError
from ledger.log.kafka.log import KafkaLog
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK
from tests.ledger.log.kafka.test_kafka_rot import CLIENTS, flipped
from tests.ledger.log.kafka.test_kafka_topic import made
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

pytestmark = pytest.mark.slow

SEGMENTS = 6
MOVED_SECONDS = 90
TOPIC = {"remote_storage_enable": "true", "local_retention_ms": "1", "segment_ms": "1000"}


class Tiered(NamedTuple):
    """A topic whose older segments are in the remote folder alone, and what was appended."""

    cluster: Cluster
    remote: Path
    topic: str
    chain: Chain

    @property
    def segments(self) -> list[Path]:
        """The remote segments in order."""
        return sorted(self.remote.glob(f"**/{self.topic}*/**/*.log"))

    def url(self, client: str = "auto") -> str:
        """Return the URL of the topic."""
        return self.cluster.url(self.topic, **QUICK, scan_client=client)


@pytest.fixture(scope="module")
def nodes(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[tuple[Cluster, Path]]:
    """One node with the plug-in that the broker's own tests use."""
    remote = tmp_path_factory.mktemp("remote")
    cluster = Cluster(tmp_path_factory.mktemp("tiered"))
    cluster.nodes[0].settings = {
        "remote.log.storage.system.enable": "true",
        "remote.log.storage.manager.class.name": (
            "org.apache.kafka.server.log.remote.storage.LocalTieredStorage"
        ),
        "remote.log.metadata.manager.listener.name": "PLAINTEXT",
        "rlmm.config.remote.log.metadata.topic.num.partitions": "1",
        "rlmm.config.remote.log.metadata.topic.replication.factor": "1",
        "rsm.config.dir": str(remote),
        "remote.log.manager.task.interval.ms": "200",
        "log.retention.check.interval.ms": "200",
        "log.initial.task.delay.ms": "200",
    }
    with cluster:
        yield cluster, remote


@pytest.fixture(scope="module")
def tiered(nodes: tuple[Cluster, Path], tmp_path_factory: pytest.TempPathFactory) -> Tiered:
    """Append until some segments are not on the broker's disk any more."""
    cluster, remote = nodes
    found = Tiered(cluster, remote, made(cluster, **TOPIC), Chain().open())
    local = cluster.nodes[0].folder / "data" / f"{found.topic}-0"
    with closing(KafkaLog(found.url(), tmp_path_factory.mktemp("writer"), writable=True)) as log:
        log.append(found.chain.messages)
        deadline = time.monotonic() + MOVED_SECONDS
        while len(found.segments) < SEGMENTS or len(list(local.glob("*.log"))) > SEGMENTS // 2:
            assert time.monotonic() < deadline, "the broker moved nothing"
            log.append(found.chain.add(*(landed(number) for number in range(5))))
            time.sleep(0.3)
    return found


@pytest.mark.parametrize("client", CLIENTS)
def test_what_left_the_disk_is_read_and_proved(tiered: Tiered, tmp_path: Path, client: str) -> None:
    stored = tiered.chain.stored
    assert len(tiered.segments) > 1
    with closing(KafkaLog(tiered.url(client), tmp_path, writable=False)) as log:
        assert list(log.read(3, 9)) == stored[3:9], "found by position"
        assert list(log.read()) == stored
        assert verify(log.read()).head == tiered.chain.head


@pytest.mark.parametrize("client", CLIENTS)
def test_a_bit_that_rots_in_a_remote_segment_is_named(
    tiered: Tiered, tmp_path: Path, client: str
) -> None:
    stored = tiered.chain.stored
    segment, position, body = next(  # some hold but the end of a transaction
        (segment, position, body)
        for segment in tiered.segments[1:]
        for position, body in stored
        if body in segment.read_bytes()
    )
    held = segment.read_bytes()
    with (
        flipped(segment, held.index(body) + len(body) - 1, 0),
        closing(KafkaLog(tiered.url(client), tmp_path, writable=False)) as log,
    ):
        with pytest.raises(IntegrityError) as fault:
            list(log.read())
        assert fault.value.position in {position, position + 1}
        assert log.head() == tiered.chain.head, "of the segment on the disk"


def test_a_new_writer_continues_it(tiered: Tiered, tmp_path: Path) -> None:
    with closing(KafkaLog(tiered.url(), tmp_path, writable=True)) as log:
        assert log.head() == tiered.chain.head
        log.append(tiered.chain.add(landed(1)))
        assert verify(log.read()).head == tiered.chain.head


def test_a_topic_that_would_delete_what_was_moved_is_refused(
    nodes: tuple[Cluster, Path], tmp_path: Path
) -> None:
    topic = made(nodes[0], **TOPIC, remote_log_delete_on_disable="true")
    with pytest.raises(InputError, match=r"remote\.log\.delete\.on\.disable is true"):
        KafkaLog(nodes[0].url(topic, **QUICK), tmp_path, writable=True)
