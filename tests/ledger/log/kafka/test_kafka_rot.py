"""Bits that rot in segments of real brokers: what was appended is shown, or the fault named."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager
from random import Random
from typing import TYPE_CHECKING, NamedTuple
from uuid import uuid4

import pytest

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.log.kafka.log import KafkaLog
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK
from tests.ledger.log.kafka.kafka_segments import segment_of, settled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster, Node

pytestmark = pytest.mark.slow

CLIENTS = ("kafka-python", "confluent")
OTHER_LEADER_SECONDS = 60


class Topic(NamedTuple):
    """A topic that was written and closed, and its messages."""

    name: str
    url: str
    chain: Chain


def written(cluster: Cluster, folder: Path, **options: str) -> Topic:
    name = f"rot-{uuid4().hex}"
    url = cluster.url(name, **{**QUICK, "read_seconds": 1, **options})
    with closing(KafkaLog(url, folder / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        for number in range(20):
            log.append(chain.add(*(landed(number, f"r-{at}") for at in range(3))))
    return Topic(name, url, chain)


@contextmanager
def flipped(segment: Path, at: int, bit: int) -> Iterator[None]:
    """Let one bit of a file be another, also for the process that has it open."""
    flip(segment, at, bit)
    yield
    flip(segment, at, bit)


def flip(segment: Path, at: int, bit: int) -> None:
    with segment.open("r+b") as file:
        file.seek(at)
        before = file.read(1)
        file.seek(at)
        file.write(bytes([before[0] ^ 1 << bit]))


def shown(topic: Topic, folder: Path, client: str) -> str:
    """Read the end, everything, some of it; require what was appended; name the fault."""
    stored = topic.chain.stored
    size = len(stored)
    try:
        url = f"{topic.url}&scan_client={client}"
        with closing(KafkaLog(url, folder / "reader", writable=False)) as log:
            assert log.head() == topic.chain.head
            for start, stop in ((size - 1, size), (size - 30, size - 25), (0, size)):
                found = []
                for pair in log.read(start, stop):
                    found.append(pair)
                    assert pair == stored[pair[0]], "another event is shown"
                assert found == stored[start:stop]
    except IntegrityError as error:
        return f"damaged at {error.position}"
    except AvailabilityError as error:
        assert "nothing came from offset" in str(error)  # noqa: PT017 - what else it may be
        return "nothing came"
    return ""


@pytest.mark.parametrize("client", CLIENTS)
def test_a_reader_is_never_shown_another_event(
    broker: Cluster, tmp_path: Path, client: str
) -> None:
    topic = written(broker, tmp_path)
    segment = segment_of(broker.nodes[0], topic.name)
    held = settled(broker, topic.name)
    chance = Random(client)
    last = held.rindex(topic.chain.messages[-1].body)
    places = [
        *(last + chance.randrange(len(topic.chain.messages[-1].body)) for _ in range(8)),
        *(len(held) - 1 - chance.randrange(700) for _ in range(8)),
        *(chance.randrange(len(held)) for _ in range(8)),
    ]
    named = []
    for at in places:
        with flipped(segment, at, chance.randrange(8)):
            named.append(shown(topic, tmp_path, client))
    assert all(named[:8])
    assert any(one.startswith("damaged at ") for one in named)
    assert segment.read_bytes() == held
    assert shown(topic, tmp_path, client) == ""


@pytest.mark.parametrize("client", CLIENTS)
def test_a_compressed_batch_that_rots_is_damage(
    broker: Cluster, tmp_path: Path, client: str
) -> None:
    """One bit takes the whole batch with it."""
    topic = written(broker, tmp_path, compression="gzip")
    segment = segment_of(broker.nodes[0], topic.name)
    held = settled(broker, topic.name)
    chance = Random(client)
    named = []
    for _ in range(12):
        with flipped(segment, chance.randrange(len(held)), chance.randrange(8)):
            named.append(shown(topic, tmp_path, client))
    assert sum(one.startswith("damaged at ") for one in named) > len(named) // 2
    assert shown(topic, tmp_path, client) == ""


@pytest.mark.parametrize("client", CLIENTS)
def test_damage_in_the_middle_is_named_with_its_position(
    broker: Cluster, tmp_path: Path, client: str
) -> None:
    topic = written(broker, tmp_path)
    segment = segment_of(broker.nodes[0], topic.name)
    held = settled(broker, topic.name)
    for position in (3, 100, 255, len(topic.chain.messages) - 8):
        body = topic.chain.messages[position].body
        with flipped(segment, held.index(body) + len(body) - 1, 0):
            said = shown(topic, tmp_path, client)
        assert said in {f"damaged at {position}", f"damaged at {position + 1}"}


def test_damage_on_one_of_three_brokers_is_healed_by_another_leader(
    three_nodes: Cluster, tmp_path: Path
) -> None:
    """The damage is not copied; a broker that is started again gets the batch from the others."""
    topic = written(three_nodes, tmp_path)
    leader = three_nodes.leader_of(topic.name)
    assert leader is not None
    segments = {node.number: segment_of(node, topic.name) for node in three_nodes.nodes}
    held = settled(three_nodes, topic.name)
    body = topic.chain.messages[-1].body
    at = held.rindex(body) + len(body) - 1
    flip(segments[leader.number], at, 0)
    assert shown(topic, tmp_path, "confluent").startswith("damaged")
    leader.kill()
    following = _other_leader(three_nodes, topic, leader)
    assert shown(topic, tmp_path, "confluent") == ""
    leader.launch()
    leader.await_started()
    with closing(KafkaLog(topic.url, tmp_path / "writer", writable=True)) as log:
        log.append(topic.chain.add(landed(1)))
    assert shown(topic, tmp_path, "kafka-python") == ""
    assert [one.read_bytes()[: len(held)] == held for one in segments.values()] == [True] * 3
    assert following is three_nodes.leader_of(topic.name)
    flip(segments[following.number], at, 0)
    assert shown(topic, tmp_path, "kafka-python").startswith("damaged")


def _other_leader(cluster: Cluster, topic: Topic, before: Node) -> Node:
    deadline = time.monotonic() + OTHER_LEADER_SECONDS
    while time.monotonic() < deadline:
        found = cluster.leader_of(topic.name)
        if found is not None and found is not before:
            return found
        time.sleep(0.2)
    raise AssertionError("no other broker leads")
