"""Long reads by either client give the same, and refuse the same."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from kafka import KafkaProducer, TopicPartition

from ledger.core.errors import InputError, IntegrityError
from ledger.log import Head
from ledger.log.kafka.log import KafkaLog
from ledger.verification.verify import verify
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

MANY = 3000
CLIENTS = ["kafka-python", "confluent"]


@pytest.fixture(scope="module")
def written(
    broker: Cluster, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, Chain]]:
    """A long chain in uneven transactions, one of them given up."""
    url = broker.url(f"t-{uuid4().hex}", **QUICK)
    with closing(KafkaLog(url, tmp_path_factory.mktemp("writer"), writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        for batch in (1, 700, 3, 2, 1500, 900):
            log.append([m for n in range(batch) for m in chain.add(landed(n % 37))])
            assert log._writer is not None
            log._writer._transactions.send([b"never committed"] * 40)
            log._writer._transactions.abort()
        assert chain.head.size > MANY
        yield url, chain


@pytest.mark.parametrize("client", CLIENTS)
def test_whole_and_parts_are_read_in_order(
    written: tuple[str, Chain], tmp_path: Path, client: str
) -> None:
    url, chain = written
    with closing(KafkaLog(f"{url}&scan_client={client}", tmp_path, writable=False)) as log:
        assert log.head() == chain.head
        assert list(log.read()) == chain.stored
        assert list(log.read(5, 2900)) == chain.stored[5:2900]
        assert list(log.read(1400)) == chain.stored[1400:]
        first = next(iter(log.read()))
        assert first == chain.stored[0]
        assert verify(log.read()).head == chain.head


@pytest.mark.parametrize("client", CLIENTS)
def test_broken_chain_is_found(broker: Cluster, tmp_path: Path, client: str) -> None:
    url = broker.url(f"t-{uuid4().hex}", **QUICK)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        for number in range(1500):
            chain.add(landed(number % 37))
        log.append(chain.messages)
        topic = log.settings.topic
    forged = Chain(Head(chain.head.size, b"\x07" * 32)).add(landed(1))[0]
    with closing(KafkaProducer(bootstrap_servers=broker.bootstrap)) as producer:
        producer.send(topic, forged.body, partition=0).get(10)
    reading = f"{url}&scan_client={client}"
    with (
        closing(KafkaLog(reading, tmp_path / "reader", writable=False)) as log,
        pytest.raises(IntegrityError, match="does not name the hash") as caught,
    ):
        list(log.read())
    assert caught.value.position == chain.head.size


@pytest.mark.parametrize("client", CLIENTS)
def test_beginning_that_is_gone_is_refused(broker: Cluster, tmp_path: Path, client: str) -> None:
    """Somebody with the right to delete records deleted the first ones."""
    url = broker.url(f"t-{uuid4().hex}", **QUICK)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        for number in range(2000):
            chain.add(landed(number % 37))
        log.append(chain.messages)
        topic = log.settings.topic
    with closing(broker.open_admin()) as admin:
        admin.delete_records({TopicPartition(topic, 0): 300})
    reading = f"{url}&scan_client={client}"
    with (
        closing(KafkaLog(reading, tmp_path / "reader", writable=False)) as log,
        pytest.raises(IntegrityError, match="message 0 is missing"),
    ):
        list(log.read())


def test_client_that_is_not_installed_is_refused(
    written: tuple[str, Chain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ledger.log.kafka.fast.find_spec", lambda _: None)
    with pytest.raises(InputError, match=r"gameledger\[fast\]"):
        KafkaLog(f"{written[0]}&scan_client=confluent", tmp_path, writable=False)
    with closing(KafkaLog(written[0], tmp_path, writable=False)) as log:
        assert list(log.read()) == written[1].stored
