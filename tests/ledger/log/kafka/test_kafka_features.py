"""Features of a cluster that was upgraded and not finalized: refused with what mends it."""

from __future__ import annotations

import shlex
import subprocess
from contextlib import closing
from typing import TYPE_CHECKING
from uuid import uuid4

import pytest

from ledger.core.errors import InputError
from ledger.log.kafka import producer as kafka_producer
from ledger.log.kafka.log import KafkaLog
from tests.ledger.log.kafka.kafka_load import QUICK
from tools.workshop.broker import jars

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

FEATURES_PROGRAM = "org.apache.kafka.tools.FeatureCommand"
"""What ``kafka-features.sh`` calls."""


def change_features(*arguments: str) -> None:
    subprocess.run(  # noqa: S603 - the line is our own
        ["java", "-cp", f"{jars()}/*", FEATURES_PROGRAM, *arguments],  # noqa: S607 - the Java of this machine
        check=True,
        capture_output=True,
        timeout=60,
    )


def test_election_of_a_leader_without_the_messages_is_refused_until_the_command_is_run(
    three_nodes: Cluster, tmp_path: Path
) -> None:
    url = three_nodes.url(f"t-{uuid4().hex}", **QUICK)
    KafkaLog(url, tmp_path / "first", writable=True).close()
    feature = "eligible.leader.replicas.version=0"
    change_features("--bootstrap-server", three_nodes.bootstrap, "downgrade", "--feature", feature)
    with pytest.raises(InputError, match=r"leader\.replicas\.version switched off") as caught:
        KafkaLog(url, tmp_path / "second", writable=True)
    with closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader:
        assert str(reader.fault) == str(caught.value)
    (command,) = caught.value.__notes__
    script, *arguments = shlex.split(command)
    assert script == "kafka-features.sh"
    change_features(*arguments)
    KafkaLog(url, tmp_path / "second", writable=True).close()


def test_client_library_without_a_part_that_is_used_is_refused(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parts that are used are there, or no log would open; one that is not is named."""
    monkeypatch.setattr(kafka_producer, "_PARTS", (*kafka_producer._PARTS, "_sender.no_such_part"))
    with pytest.raises(
        InputError, match=r"kafka-python \S+ has no KafkaProducer\._sender\.no_such"
    ):
        KafkaLog(url, tmp_path, writable=True)
