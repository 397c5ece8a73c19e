"""A transaction of a stranger that stays open in the topic: it is named with what ends it."""

from __future__ import annotations

import re
import shlex
import subprocess
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest
from kafka import KafkaProducer

from ledger.core.errors import AvailabilityError
from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.standby import KafkaStandby
from ledger.log.kafka.transactions import open_transaction_of
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK
from tools.workshop.broker import jars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

SOON = {**QUICK, "commit_seconds": 1, "settle_seconds": 4}
TRANSACTIONS_PROGRAM = "org.apache.kafka.tools.TransactionsCommand"
"""What ``kafka-transactions.sh`` calls."""


RUNBOOK = Path(__file__).parents[4] / "docs" / "runbook.md"


def run(command: str) -> str:
    """Run a line of ``kafka-transactions.sh``; return what it prints."""
    return subprocess.run(  # noqa: S603 - the line is our own
        ["java", "-cp", f"{jars()}/*", TRANSACTIONS_PROGRAM, *shlex.split(command)[1:]],  # noqa: S607 - the Java of this machine
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout


def commands_of_the_runbook(log: KafkaLog, offset: int) -> list[str]:
    lines = re.findall(r"^kafka-transactions\.sh .*$", RUNBOOK.read_text("utf-8"), re.MULTILINE)
    own = {"kafka-1:9092": log.settings.bootstrap, "sazka-live": log.settings.topic}
    return [
        " ".join(own.get(word, str(offset) if word == "N" else word) for word in line.split())
        for line in lines
    ]


@pytest.fixture
def log(broker: Cluster, tmp_path: Path) -> Iterator[KafkaLog]:
    url = broker.url(f"t-{uuid4().hex}", **SOON)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as made:
        made.append(Chain().open().messages)
        yield made


@pytest.fixture
def stranger(log: KafkaLog) -> Iterator[int]:
    """A transaction that a stranger leaves open; gives its offset."""
    producer = KafkaProducer(
        bootstrap_servers=log.settings.bootstrap,
        transactional_id=f"stranger-{log.settings.topic}",
        transaction_timeout_ms=600_000,
    )
    producer.init_transactions()
    producer.begin_transaction()
    yield producer.send(log.settings.topic, b"strange", partition=0).get(10).offset
    producer.close(timeout=0)


def test_open_transaction_of_a_stranger_is_named_with_the_command_that_ends_it(
    log: KafkaLog, stranger: int, tmp_path: Path
) -> None:
    opened = [body for _, body in log.read()]
    chain = Chain.behind(log)
    with pytest.raises(AvailabilityError) as caught:
        log.append(chain.add(landed(1)))
    assert f"is open in topic {log.settings.topic} at offset {stranger}," in str(caught.value)
    found = open_transaction_of(log.settings)
    assert found is not None
    (command,) = found.__notes__
    assert command in str(caught.value)
    producers, hanging, abort = commands_of_the_runbook(log, stranger)
    assert abort == command
    assert f" {stranger} " in run(producers).replace("\t", " ")
    run(hanging)
    run(abort)
    assert f"at offset {stranger}," not in str(open_transaction_of(log.settings))
    log.append(chain.messages)
    with closing(KafkaLog(log.settings, tmp_path / "reader", writable=False)) as reader:
        bodies = [body for _, body in reader.read()]
    assert bodies == [*opened, *(message.body for message in chain.messages)]


def test_leader_reports_it_and_no_transaction_of_its_own(
    log: KafkaLog, stranger: int, tmp_path: Path
) -> None:
    assert open_transaction_of(log.settings, seconds_min=600) is None
    with closing(KafkaStandby(log.settings, tmp_path / "standby", lease_seconds=6)) as standby:
        deadline = time.monotonic() + 20
        while (fault := standby.fault()) is None and time.monotonic() < deadline:
            pass
    assert fault is not None
    assert f"at offset {stranger}," in str(fault)
