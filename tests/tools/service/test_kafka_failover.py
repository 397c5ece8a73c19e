"""Leaders killed while commands come over HTTP and from a topic, with the log here and on Kafka."""

from __future__ import annotations

import json
import random
import threading
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Any

import pytest

from ledger.log.kafka.log import KafkaLog
from ledger.log.sqlite import SqliteLog
from tests.search import amount
from tests.tools.cli_cases import run
from tests.tools.cli_cases import studio as studio_lines
from tests.tools.failover_cases import OneByOne, Pair, Sender, require_once
from tests.tools.kafka_cases import Topic, deposit, once

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster

KILLS, KILLS_ON_KAFKA = amount(2, 6), amount(2, 3)
LEASE_SECONDS = 6
SEED = 20261122
WINDOW = 10


class TopicSender:
    """Sends deposits to a topic until told to stop, whoever leads."""

    def __init__(self, topic: Topic, stop: threading.Event) -> None:
        self.sent = 0
        self._topic, self._stop = topic, stop
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def join(self) -> None:
        self._thread.join()

    def acknowledged(self) -> dict[str, tuple[int, str]]:
        """Read all receipts: one for each command, in their order."""
        answers = once(self._topic.answers(self.sent))
        found = [one.document for one in answers]
        positions = [one["last_position"] for one in found]
        assert positions == sorted(positions)
        return {
            f"topic-{number}": (one["last_position"], one["hash"])
            for number, one in enumerate(found)
        }

    def _run(self) -> None:
        with closing(self._topic.producer()) as producer:
            while not self._stop.is_set():
                for _ in range(WINDOW):
                    value = json.dumps(deposit(f"topic-{self.sent}", 1 << 40 | self.sent))
                    producer.send(self._topic.name, value.encode(), key=b"a-1")
                    self.sent += 1
                producer.flush()
                self._stop.wait(0.02)


def show(counts: dict[str, Any], record_property: Any, capsys: Any) -> None:
    record_property("counts", json.dumps(counts))
    with capsys.disabled():
        print(f"\n{counts}")  # noqa: T201 - what it came to is to be seen


@pytest.mark.search
def test_killed_writers_answer_each_command_of_a_topic_once(
    broker: Cluster, studio: Path, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 the leader of two over SQLite, again and again, wherever it is."""
    chance, stop = random.Random(SEED), threading.Event()
    topic = Topic(broker, "killed-here")
    with ExitStack() as stack:
        pair = Pair([studio, studio], stack, "--commands-from", topic.url)
        sender = TopicSender(topic, stop)
        for kill in range(KILLS):
            stop.wait(chance.uniform(0.2, 1.0))
            pair.kill_leader(kill % 2)
        stop.set()
        sender.join()
        acknowledged = sender.acknowledged()
        written = len(topic.answers(sender.sent, isolation="read_uncommitted"))
    with closing(SqliteLog(studio, writable=False)) as log:
        require_once(log, acknowledged)
    counts = {"kills": KILLS, "sent": sender.sent, "answered": len(acknowledged)}
    counts["given_up_in_transactions"] = written - sender.sent
    show(counts, record_property, capsys)


def test_leader_change_on_kafka_answers_each_line_once_over_http_and_from_a_topic(
    broker: Cluster, tmp_path: Path, record_property: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Kill -9 the leader of two over a log on Kafka, in the middle of streams."""
    chance, stop = random.Random(SEED), threading.Event()
    topic, log_url = Topic(broker, "killed-there"), broker.url("killed-there-log")
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
            *("--commands-from", topic.url, "--lease-seconds", str(LEASE_SECONDS)),
            environment={"GAMELEDGER_LOG": log_url, "GAMELEDGER_KEYS": str(tmp_path / "keys")},
        )
        from_topic = TopicSender(topic, stop)
        senders = [Sender(f"k{number}", pair.urls, stop) for number in range(2)]
        senders.append(one := OneByOne("one", pair.urls, stop))
        for kill in range(KILLS_ON_KAFKA):
            stop.wait(chance.uniform(1.0, 2.0))
            pair.kill_leader(kill % 2)
        stop.wait(1.0)
        stop.set()
        for sender in senders:
            sender.join()
        from_topic.join()
        acknowledged = from_topic.acknowledged()
    over_http = {name: at for sender in senders for name, at in sender.acknowledged.items()}
    with closing(KafkaLog(log_url, tmp_path / "reader", writable=False)) as log:
        require_once(log, acknowledged | over_http)
    counts = {"kills": KILLS_ON_KAFKA, "from_topic": len(acknowledged)}
    counts |= {"over_http": len(over_http), "sent_again": one.again}
    show(counts, record_property, capsys)
