"""A running pair of writers is upgraded one at a time, as ``deploy/README.md`` says, under load."""

from __future__ import annotations

import os
import threading
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING

import pytest

from ledger.events.encoding import decode
from ledger.events.event_types import WriterStarted
from ledger.log.kafka.log import KafkaLog
from tests.tools.cli_cases import PROGRAM, run
from tests.tools.cli_cases import studio as studio_lines
from tests.tools.failover_cases import OneByOne, Pair, Sender, require_once
from tests.tools.installed_cases import Installed
from tests.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster

LEASE_SECONDS = 6
BEFORE = "GAMELEDGER_TEST_BEFORE"
"""Program of an earlier version, as ``/opt/1.0/bin/gameledger``; this one stands for it else."""


@pytest.mark.search
def test_a_pair_on_kafka_is_upgraded_and_each_command_is_answered_once(
    broker: Cluster, tmp_path: Path
) -> None:
    before = [os.environ[BEFORE]] if BEFORE in os.environ else list(PROGRAM)
    after = Installed(tmp_path / "installed").program
    log_url, stop = broker.url("upgraded"), threading.Event()
    options = ("--log", log_url, "--keys", str(tmp_path / "keys"))
    begun = ("init", "--operator", "26493993", "--name", "Test", "--chain", "test")
    assert run(*options, *begun, data=tmp_path / "one").returncode == 0
    done = run(*options, "record", data=tmp_path / "one", lines=studio_lines())
    assert done.returncode == 0, done.stdout
    (tmp_path / "two").mkdir()
    with ExitStack() as stack:
        pair = Pair(
            [tmp_path / "one", tmp_path / "two"],
            stack,
            *("--lease-seconds", str(LEASE_SECONDS)),
            environment={"GAMELEDGER_LOG": log_url, "GAMELEDGER_KEYS": str(tmp_path / "keys")},
            program=before,
        )
        pair.writers[1].wait_for("standby")
        senders = [Sender(f"k{number}", pair.urls, stop) for number in range(2)]
        senders.append(OneByOne("one", pair.urls, stop))
        until(lambda: all(sender.acknowledged for sender in senders))
        counts = [len(sender.acknowledged) for sender in senders]
        pair.upgrade([after])
        until(
            lambda: all(
                len(sender.acknowledged) > count
                for sender, count in zip(senders, counts, strict=True)
            )
        )
        stop.set()
        for sender in senders:
            sender.join()
    with closing(KafkaLog(log_url, tmp_path / "reader", writable=False)) as log:
        require_once(log, {name: at for one in senders for name, at in one.acknowledged.items()})
        events = [decode(message).event for _, message in log.read()]
    assert sum(isinstance(one, WriterStarted) for one in events) >= 3  # record, before, after
