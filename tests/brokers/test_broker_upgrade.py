"""Brokers are upgraded one at a time, as ``deploy/README.md`` says, under load."""

from __future__ import annotations

import re
import threading
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from ledger.log.kafka.log import KafkaLog
from tests.ledger.log.kafka.kafka_secured import run_tool, write_tools
from tests.tools.cli_cases import ROOT, run
from tests.tools.cli_cases import studio as studio_lines
from tests.tools.failover_cases import OneByOne, Pair, Sender, require_once
from tools.workshop.broker import Cluster

if TYPE_CHECKING:
    from pathlib import Path

    from kafka.admin import KafkaAdminClient

pytestmark = [pytest.mark.slow, pytest.mark.search]

BEFORE = "4.0.0"
TOPIC = "upgraded-brokers"
COMPLETE_SECONDS = 120.0
PAGE = (ROOT / "deploy" / "README.md").read_text(encoding="utf-8")


@pytest.mark.usefixtures("kafka_jars")
def test_brokers_are_upgraded_one_at_a_time_under_load(tmp_path: Path) -> None:
    cluster, stop = Cluster(tmp_path / "cluster", size=3), threading.Event()
    for node in cluster.nodes:
        node.version = BEFORE
    write_tools(tmp_path)
    with cluster, closing(cluster.open_admin()) as admin, ExitStack() as stack:
        environment = {"GAMELEDGER_LOG": cluster.url(TOPIC)}
        environment["GAMELEDGER_KEYS"] = str(tmp_path / "keys")
        init = ("init", "--operator", "26493993", "--name", "Test", "--chain", "test")
        refused = run(*init, data=tmp_path / "one", environment=environment)
        assert refused.returncode != 0, "a cluster of 4.0 has the feature switched off"
        features(tmp_path, cluster, *re.findall(r"kafka-features.sh .*", refused.stderr))
        deadline = time.monotonic() + COMPLETE_SECONDS  # each broker learns of it by itself
        begun = refused
        while begun.returncode and time.monotonic() < deadline:
            begun = run(*init, data=tmp_path / "one", environment=environment)
        assert begun.returncode == 0, begun.stderr
        lines = studio_lines()
        done = run("record", data=tmp_path / "one", lines=lines, environment=environment)
        assert done.returncode == 0, done.stdout
        (tmp_path / "two").mkdir()
        pair = Pair([tmp_path / "one", tmp_path / "two"], stack, environment=environment)
        pair.writers[1].wait_for("standby")
        senders = [Sender("many", pair.urls, stop), OneByOne("one", pair.urls, stop)]
        for node in cluster.nodes:
            before = [len(one.acknowledged) for one in senders]
            node.stop()
            node.version = ""
            node.start()
            wait_until_complete(admin)
            stop.wait(2.0)
            gained = [len(one.acknowledged) for one in senders]
            assert all(now > then for now, then in zip(gained, before, strict=True))
        (finalize,) = re.findall(r"`(kafka-features.sh [^`]*--release-version [^`]*)`", PAGE)
        features(tmp_path, cluster, finalize)
        stop.wait(2.0)
        stop.set()
        for sender in senders:
            sender.join()
        log_url = cluster.url(TOPIC)
        with closing(KafkaLog(log_url, tmp_path / "reader", writable=False)) as log:
            sent = {name: at for one in senders for name, at in one.acknowledged.items()}
            require_once(log, sent)


def features(folder: Path, cluster: Cluster, *commands: str) -> None:
    """Run commands that set features of the cluster."""
    assert commands
    for command in commands:
        words = command.replace("BROKER", cluster.bootstrap).split()
        done = run_tool(folder, *words)
        assert done.returncode == 0, done.stdout + done.stderr


def wait_until_complete(admin: KafkaAdminClient) -> None:
    """Wait until each of the three brokers has every message of the chain's topic."""
    deadline = time.monotonic() + COMPLETE_SECONDS
    while True:
        (topic,) = admin.describe_topics([TOPIC])
        if len(topic["partitions"][0]["isr_nodes"]) == len(topic["partitions"][0]["replica_nodes"]):
            return
        assert time.monotonic() < deadline, topic
        time.sleep(0.5)
