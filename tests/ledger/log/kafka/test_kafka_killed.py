"""Nodes killed and paused under load: what was acknowledged is there once, in its place."""

from __future__ import annotations

import os
import threading
import time
from contextlib import closing
from typing import TYPE_CHECKING, Self
from uuid import uuid4

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.log.kafka import log as kafka_log
from ledger.log.kafka.log import KafkaLog
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, Load, judge
from tests.ledger.log.kafka.kafka_segments import batches, segment_of, settled
from tests.search import amount
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tools.workshop.broker import Node

pytestmark = pytest.mark.slow

KILLS = int(os.environ.get("GAMELEDGER_TEST_KILLS") or amount(1, 4))
PAUSE_SECONDS = 7.0
"""Longer than request and commit may take, and than the cluster waits for a node."""


@pytest.fixture(scope="module")
def one_node(
    kafka_jars: None,  # noqa: ARG001 - asked for its effect
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Cluster]:
    """A node that a test may kill and start again, and whose files it may touch."""
    with Cluster(tmp_path_factory.mktemp("node")) as cluster:
        yield cluster


@pytest.fixture
def topic() -> str:
    return f"t-{uuid4().hex}"


def leader(cluster: Cluster, topic: str, *, other_than: Node | None = None) -> Node:
    """Wait until a node leads."""
    deadline = time.monotonic() + 180
    while time.monotonic() < deadline:
        found = cluster.leader_of(topic)
        if found is not None and found is not other_than and found.is_running:
            return found
        time.sleep(0.1)
    pytest.fail(f"nobody leads {topic}")


class Watcher:
    """Reads while nodes come and go: the log may be away, but never shorter or broken."""

    def __init__(self, url: str, folder: Path) -> None:
        self.seen = 0
        self.away = 0
        self.faults: list[str] = []
        self._url, self._folder = url, folder
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join(180)

    def _run(self) -> None:
        with closing(KafkaLog(self._url, self._folder, writable=False)) as log:
            while not self._is_over.wait(0.05):
                try:
                    size = log.head().size
                    read = sum(1 for _ in log.read(self.seen, size))
                except AvailabilityError:
                    self.away += 1
                except Exception as error:  # noqa: BLE001 - the test asks whether there was one
                    self.faults.append(repr(error))
                else:
                    if size < self.seen or read != size - self.seen:
                        self.faults.append(f"{read} messages from {self.seen} to {size}")
                    self.seen = size


def test_leader_killed_again_and_again_loses_nothing(
    three_nodes: Cluster, topic: str, tmp_path: Path, keep_figures: Callable[..., None]
) -> None:
    url = three_nodes.url(topic, **QUICK)
    with (
        closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log,
        Load(log) as load,
        Watcher(url, tmp_path / "watcher") as watcher,
    ):
        for _ in range(KILLS):
            load.await_batches(10)
            node = leader(three_nodes, topic)
            node.kill()
            leader(three_nodes, topic, other_than=node)
            load.await_batches(10)
            node.start()
    assert load.error is None
    assert watcher.faults == []
    assert watcher.seen > 0
    counts = judge(url, tmp_path / "reader", load.acknowledged)
    keep_figures(
        kills=KILLS,
        **counts,
        watched=watcher.seen,
        refused=load.refused,
        longest_stall=f"{load.longest_stall:.1f} s",
    )


@pytest.mark.search
def test_paused_leader_is_left_behind_and_loses_nothing(
    three_nodes: Cluster, topic: str, tmp_path: Path, keep_figures: Callable[..., None]
) -> None:
    """The paused node answers late what it had taken: it must not count, or count once."""
    url = three_nodes.url(topic, **QUICK)
    with (
        closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log,
        Load(log) as load,
    ):
        load.await_batches(10)
        node = leader(three_nodes, topic)
        node.pause()
        try:
            time.sleep(PAUSE_SECONDS)
        finally:
            node.resume()
        load.await_batches(10)
    assert load.error is None
    counts = judge(url, tmp_path / "reader", load.acknowledged)
    keep_figures(**counts, refused=load.refused, longest_stall=f"{load.longest_stall:.1f} s")


def test_only_node_killed_and_paused_and_back_loses_nothing(
    one_node: Cluster, topic: str, tmp_path: Path, keep_figures: Callable[..., None]
) -> None:
    (node,) = one_node.nodes
    url = one_node.url(topic, **QUICK)
    with (
        closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log,
        Load(log) as load,
    ):
        load.await_batches(10)
        node.kill()
        node.start()
        load.await_batches(10)
        node.pause()
        try:
            time.sleep(PAUSE_SECONDS)
        finally:
            node.resume()
        load.await_batches(10)
    assert load.error is None
    counts = judge(url, tmp_path / "reader", load.acknowledged)
    keep_figures(**counts, refused=load.refused, longest_stall=f"{load.longest_stall:.1f} s")


@pytest.mark.search
def test_broker_that_is_away_too_long_closes_the_log_and_a_new_writer_goes_on(
    one_node: Cluster, topic: str, tmp_path: Path
) -> None:
    url = one_node.url(topic, **{**QUICK, "commit_seconds": 1, "settle_seconds": 1})
    (node,) = one_node.nodes
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        kept = list(chain.messages)
        node.kill()
        lost = chain.add(landed(1))
        with pytest.raises(AvailabilityError, match=r"unknown .*start the writer again"):
            log.append(lost)
        with pytest.raises(AvailabilityError, match="closed for good"):
            log.head()
    with pytest.raises(AvailabilityError, match="look at the brokers"):
        KafkaLog(url, tmp_path / "writer", writable=True)
    node.start()
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        continued = Chain.behind(log)
        log.append(further := continued.add(landed(2)))
    judge(url, tmp_path / "reader", kept + further)


@pytest.mark.search
def test_broker_that_lost_its_tail_is_refused_by_a_new_writer(
    one_node: Cluster, topic: str, tmp_path: Path
) -> None:
    url = one_node.url(topic, **QUICK)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        log.append(chain.add(landed(1)))
    lose_tail(one_node, topic)
    with pytest.raises(IntegrityError, match=r"ends at \d+, and \d+ were acknowledged.*restore"):
        KafkaLog(url, tmp_path / "writer", writable=True)


def test_broker_that_loses_its_tail_under_a_writer_stops_it(
    one_node: Cluster, topic: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_log, "STALE_SECONDS", 0)
    url = one_node.url(topic, **QUICK)
    with (
        closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log,
        closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader,
    ):
        chain = Chain().open()
        log.append(chain.messages)
        log.append(chain.add(landed(1)))
        assert reader.head() == chain.head
        lose_tail(one_node, topic)
        with pytest.raises(IntegrityError, match="behind the writer's back"):
            log.append(chain.add(landed(2)))
        with pytest.raises(IntegrityError, match="behind the writer's back"):
            log.head()
        with pytest.raises(IntegrityError, match=r"recreated|truncated"):
            reader.head()


def lose_tail(cluster: Cluster, topic: str) -> None:
    """Kill the node and cut its last transaction off the file, as a lost disk cache does."""
    (node,) = cluster.nodes
    held = batches(settled(cluster, topic))
    node.kill()
    segment = segment_of(node, topic)
    segment.write_bytes(b"".join(held[:-2]))  # the last message and its marker
    for state in segment.parent.glob("*.snapshot"):
        state.unlink()
    node.start()
