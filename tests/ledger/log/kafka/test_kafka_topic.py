"""Topics that are not as they have to be, and messages that don't belong: found and named."""

from __future__ import annotations

import re
import shlex
import subprocess
import threading
import time
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest
from kafka import KafkaProducer
from kafka.admin import ConfigResource, ConfigResourceType, NewPartitions

from ledger.core.errors import InputError, IntegrityError
from ledger.log import EMPTY
from ledger.log.copying import copy
from ledger.log.kafka import log as kafka_log
from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.standby import KafkaStandby
from ledger.log.kafka.topic import make_topic
from tests.ledger.chain_cases import Chain, landed
from tests.ledger.log.kafka.kafka_load import QUICK, judge
from tests.tools.cli_cases import run
from tools.workshop.broker import jars

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.workshop.broker import Cluster

pytestmark = pytest.mark.slow

RIGHT = {
    "cleanup.policy": "delete",
    "retention.ms": "-1",
    "retention.bytes": "-1",
    "min.insync.replicas": "1",
    "unclean.leader.election.enable": "false",
    "max.message.bytes": "8388608",
}
KAFKA_PAGE = (Path(__file__).parents[4] / "docs" / "kafka.md").read_text(encoding="utf-8")
CONFIGS_PROGRAM = "kafka.admin.ConfigCommand"
"""What ``kafka-configs.sh`` calls."""


def made(broker: Cluster, *, partitions: int = 1, **configs: str) -> str:
    """Make a topic by hand and return its name."""
    topic = f"t-{uuid4().hex}"
    named = {name.replace("_", "."): value for name, value in configs.items()}
    with closing(broker.open_admin()) as admin:
        described: dict[str, Any] = {"num_partitions": partitions, "replication_factor": 1}
        admin.create_topics(
            {topic: {**described, "configs": {**RIGHT, **named}}}, wait_for_metadata=True
        )
    return topic


@pytest.fixture
def log(url: str, tmp_path: Path) -> Iterator[KafkaLog]:
    """An opened chain, with one fact behind it."""
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as made:
        chain = Chain().open()
        made.append(chain.messages)
        made.append(chain.add(landed(1)))
        yield made


def intrude(log: KafkaLog, *bodies: bytes) -> None:
    """Write into the topic as somebody who knows nothing of chains."""
    with closing(KafkaProducer(bootstrap_servers=log.settings.bootstrap)) as producer:
        for body in bodies:
            producer.send(log.settings.topic, body, partition=0).get(10)


@pytest.mark.smoke
def test_topic_is_made_as_it_is_checked(url: str, broker: Cluster, tmp_path: Path) -> None:
    with closing(KafkaLog(url, tmp_path, writable=True)) as log:
        assert log.head() == EMPTY
        topic = log.settings.topic
    resource = ConfigResource(ConfigResourceType.TOPIC, topic)
    with closing(broker.open_admin()) as admin:
        found = admin.describe_configs([resource], config_filter="all")["topic"][topic]
    assert {name: found[name]["value"] for name in RIGHT} == RIGHT


@pytest.mark.parametrize(
    ("name", "wrong", "mending"),
    [
        ("cleanup.policy", "compact", "cleanup.policy=delete"),
        ("cleanup.policy", "compact,delete", "cleanup.policy=delete"),
        ("retention.ms", "604800000", "retention.ms=-1"),
        ("retention.bytes", "1073741824", "retention.bytes=-1"),
        ("unclean.leader.election.enable", "true", "unclean.leader.election.enable=false"),
        ("max.message.bytes", "1048588", "max.message.bytes=8388608"),
        ("compression.type", "zstd", "compression.type=producer"),
    ],
)
def test_wrong_setting_is_refused_with_what_mends_it(
    broker: Cluster, tmp_path: Path, name: str, wrong: str, mending: str
) -> None:
    topic = made(broker, **{name.replace(".", "_"): wrong})
    with pytest.raises(InputError, match=f"{name} is {wrong}") as caught:
        KafkaLog(broker.url(topic, **QUICK), tmp_path, writable=True)
    (command,) = caught.value.__notes__
    assert command.endswith(f"--entity-name {topic} --add-config {mending}")
    with closing(KafkaLog(broker.url(topic, **QUICK), tmp_path, writable=False)) as reader:
        assert str(reader.fault) == str(caught.value)


def test_command_of_a_refusal_mends_the_topic(broker: Cluster, tmp_path: Path) -> None:
    """The printed line is run with Kafka's own tool, as an operator would."""
    topic = made(broker, retention_ms="1000", cleanup_policy="compact")
    with pytest.raises(InputError) as caught:
        KafkaLog(broker.url(topic, **QUICK), tmp_path, writable=True)
    (command,) = caught.value.__notes__
    script, *arguments = shlex.split(command)
    assert script == "kafka-configs.sh"
    subprocess.run(  # noqa: S603 - the line is our own
        ["java", "-cp", f"{jars()}/*", CONFIGS_PROGRAM, *arguments],  # noqa: S607 - the Java of this machine
        check=True,
        capture_output=True,
        timeout=60,
    )
    KafkaLog(broker.url(topic, **QUICK), tmp_path, writable=True).close()


def test_replication_that_is_less_than_declared_is_refused(broker: Cluster, tmp_path: Path) -> None:
    """Also when the settings of the topic pretend to more."""
    topic = made(broker, min_insync_replicas="2")
    with pytest.raises(InputError, match=r"1 replicas, not 3.*replication=1") as caught:
        KafkaLog(broker.url(topic, **QUICK, replication=3), tmp_path, writable=True)
    (command,) = caught.value.__notes__
    assert command.startswith("kafka-reassign-partitions.sh")


def test_partitions_added_to_a_topic_end_writing_and_not_reading(
    log: KafkaLog, url: str, broker: Cluster, tmp_path: Path
) -> None:
    """The chain is whole in partition 0, and the printed command copies it."""
    whole = list(log.read())
    log.close()
    add_partitions(broker, log.settings.topic)
    with pytest.raises(InputError, match="has 3 partitions") as caught:
        KafkaLog(url, tmp_path / "writer", writable=True)
    with pytest.raises(InputError, match="has 3 partitions"):
        KafkaStandby(log.settings, tmp_path / "standby", lease_seconds=6)
    (command,) = caught.value.__notes__
    assert shlex.split(command)[:3] == ["gameledger", "log", "copy"]
    source, target = shlex.split(command)[3:]
    done = run("log", "copy", source, target, data=tmp_path / "mover")
    assert done.returncode == 0, done.stderr
    assert "warning: " in done.stderr
    assert done.stderr.count("\ngameledger log copy kafka://") == 1, "a line of its own"
    with closing(KafkaLog(target, tmp_path / "again", writable=False)) as saved:
        assert list(saved.read()) == whole
        assert saved.fault is None


def test_partition_of_the_chain_alone_is_the_lease(
    log: KafkaLog, broker: Cluster, tmp_path: Path
) -> None:
    """Partitions are added under a leader and its standby; only one of the two leads."""
    log.close()
    with (
        closing(KafkaStandby(log.settings, tmp_path / "one", lease_seconds=6)) as one,
        closing(KafkaStandby(log.settings, tmp_path / "two", lease_seconds=6)) as two,
    ):
        leading = _leaders(one, two)
        assert len(leading) == 1
        assert leading[0].has_others()
        add_partitions(broker, log.settings.topic)
        fault = one.fault()
        assert fault is not None
        assert "3 partitions" in str(fault)
        assert len(_leaders(one, two)) == 1


def add_partitions(broker: Cluster, topic: str) -> None:
    """Add two partitions, and wait until the brokers show them."""
    with closing(broker.open_admin()) as admin:
        admin.create_partitions({topic: NewPartitions(3)})
        deadline = time.monotonic() + 20
        while len(admin.describe_topics([topic])[0]["partitions"]) != 3:
            assert time.monotonic() < deadline


def _leaders(*standbys: KafkaStandby) -> list[KafkaStandby]:
    """Return who leads within the time that the group needs to settle."""
    leading: list[KafkaStandby] = []
    deadline = time.monotonic() + 20
    while not leading and time.monotonic() < deadline:
        leading = [one for one in standbys if one.wait(0.5)]
    return leading


def test_settings_changed_under_a_leader_are_seen(
    log: KafkaLog, broker: Cluster, tmp_path: Path
) -> None:
    log.close()
    resource = ConfigResource(
        ConfigResourceType.TOPIC, log.settings.topic, {"retention.ms": "604800000"}
    )
    with closing(KafkaStandby(log.settings, tmp_path / "one", lease_seconds=6)) as standby:
        assert standby.fault() is None
        with closing(broker.open_admin()) as admin:
            admin.alter_configs([resource])
        deadline = time.monotonic() + 20
        while (fault := standby.fault()) is None:
            assert time.monotonic() < deadline
        assert "retention.ms is 604800000, not -1" in str(fault)


def test_missing_topic_is_refused_to_readers(url: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no topic"):
        KafkaLog(url, tmp_path, writable=False)


def test_topic_that_a_broker_does_not_know_yet_is_not_missing(url: str, tmp_path: Path) -> None:
    """Right after a topic is created, or a broker starts, not all brokers know the topic."""
    later = threading.Timer(1.0, make_topic, [KafkaSettings.from_url(url)])
    later.start()
    with closing(KafkaLog(url, tmp_path, writable=False)) as log:
        assert log.fault is None
    later.join()


def test_message_that_is_too_large_is_refused_and_nothing_is_appended(
    broker: Cluster, tmp_path: Path
) -> None:
    url = broker.url(f"t-{uuid4().hex}", **QUICK, message_bytes_max=1 << 20)
    with closing(KafkaLog(url, tmp_path / "writer", writable=True)) as log:
        chain = Chain().open()
        log.append(chain.messages)
        kept = chain.head
        with pytest.raises(InputError, match=r"nothing was appended"):
            log.append(chain.add(landed(1, "r" * (1 << 20))))
        again = Chain.behind(log)
        assert log.append(again.add(landed(1, "r" * 65_000))).size == kept.size + 1
        judge(url, tmp_path / "reader", chain.messages[: kept.size] + again.messages)
        # The broker takes more than the format allows, which is what verification names.
        assert log.append(again.add(landed(1, "r" * 1_040_000))).size == kept.size + 2
    with pytest.raises(IntegrityError, match="65535 at most"):
        judge(url, tmp_path / "reader", chain.messages[: kept.size] + again.messages)


def test_foreign_message_stops_the_writer_and_is_named(
    log: KafkaLog, url: str, tmp_path: Path
) -> None:
    chain = Chain.behind(log)
    intrude(log, b"not of this chain")
    with pytest.raises(IntegrityError, match=r"foreign or torn message .* at offset \d+"):
        log.append(chain.add(landed(2)))
    with pytest.raises(IntegrityError, match="foreign"):
        log.append(chain.messages)
    log.close()
    for writable in (False, True):
        with pytest.raises(IntegrityError, match="foreign"):
            KafkaLog(url, tmp_path / "writer", writable=writable).head()


@pytest.mark.parametrize("intruder", ["foreign", "copy", "forged"])
def test_what_stands_before_a_message_of_others_is_copied_and_continued(
    log: KafkaLog, broker: Cluster, url: str, tmp_path: Path, intruder: str
) -> None:
    chain = Chain.behind(log)
    log.append(chain.add(landed(3)))
    messages, head = [body for _, body in log.read()], log.head()
    with log._readers.reader() as reader:
        until = reader.end()
    forged = Chain(head._replace(hash=b"\x07" * 32)).add(landed(1))[0].body
    intrude(
        log, {"foreign": b"not of this chain", "copy": messages[-1], "forged": forged}[intruder]
    )
    log.close()
    before, other = f"{url}&until_offset={until}", broker.url(f"t-{uuid4().hex}", **QUICK)
    with pytest.raises(InputError, match="copy it to a new topic"):
        KafkaLog(before, tmp_path / "writer", writable=True)
    with (
        closing(KafkaLog(before, tmp_path / "reader", writable=False)) as source,
        closing(KafkaLog(other, tmp_path / "other", writable=True)) as target,
    ):
        assert copy(source, target).head == source.head() == head
        assert [body for _, body in target.read()] == messages
        assert target.append(Chain.behind(target).add(landed(1))).size == head.size + 1
    commands = re.findall(r"^gameledger .*until_offset=N.*$", KAFKA_PAGE, re.MULTILINE)
    assert len(commands) == 2
    for command in commands:
        line = command.replace("kafka://kafka-1:9092/sazka-live?until_offset=N", before)
        line = line.replace(
            "kafka://kafka-1:9092/sazka-live-2", f"'{broker.url(f't-{uuid4().hex}', **QUICK)}'"
        )
        done = run(*shlex.split(line)[1:], data=tmp_path / "of-the-page")
        assert done.returncode == 0, done.stderr


def test_copy_of_the_last_message_stops_the_writer(log: KafkaLog, url: str, tmp_path: Path) -> None:
    """The head is the same, and still the topic is not what it was."""
    chain = Chain.behind(log)
    *_, (last, body) = log.read()
    intrude(log, body)
    with pytest.raises(IntegrityError, match="written to behind the writer's back"):
        log.append(chain.add(landed(2)))
    intrude(log, chain.messages[0].body)
    with (
        closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader,
        pytest.raises(IntegrityError, match=f"message {last} stands in the topic again"),
    ):
        list(reader.read())


def test_message_that_breaks_the_chain_is_found_by_readers(
    log: KafkaLog, url: str, tmp_path: Path
) -> None:
    """Somebody who knows the format writes a next message with a false hash."""
    size = log.head().size
    forged = Chain(log.head()._replace(hash=b"\x07" * 32))
    intrude(log, forged.add(landed(1))[0].body)
    with closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader:
        with pytest.raises(IntegrityError, match="does not name the hash") as caught:
            list(reader.read())
        assert caught.value.position == size
        with pytest.raises(IntegrityError):
            list(reader.read(size))


def test_gap_in_the_chain_is_found_by_readers(log: KafkaLog, url: str, tmp_path: Path) -> None:
    chain = Chain.behind(log)
    due = chain.head.size
    chain.add(landed(1))
    intrude(log, chain.add(landed(2))[0].body)
    with (
        closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader,
        pytest.raises(IntegrityError, match=f"message {due} is missing") as caught,
    ):
        list(reader.read())
    assert caught.value.position == due


def test_torn_decision_at_the_tail_is_refused(log: KafkaLog, url: str, tmp_path: Path) -> None:
    chain = Chain.behind(log)
    size = chain.head.size
    intrude(log, chain.add(landed(2), landed(3))[0].body)
    log.close()
    with pytest.raises(IntegrityError, match=r"torn at position") as caught:
        KafkaLog(url, tmp_path / "writer", writable=True)
    assert caught.value.position == size


def test_topic_made_anew_behind_the_back_is_refused(
    log: KafkaLog, url: str, broker: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kafka_log, "STALE_SECONDS", 0)
    chain = Chain.behind(log)
    with closing(KafkaLog(url, tmp_path / "reader", writable=False)) as reader:
        assert reader.head() == log.head()
        replace_topic(broker, log.settings.topic)
        with pytest.raises(IntegrityError, match="recreated"):
            log.append(chain.add(landed(2)))
        with pytest.raises(IntegrityError, match="recreated"):
            reader.head()
    log.close()
    with pytest.raises(IntegrityError, match=r"ends at 0, and \d+ were acknowledged"):
        KafkaLog(url, tmp_path / "writer", writable=True)


def test_topic_with_another_chain_is_refused(
    log: KafkaLog, url: str, broker: Cluster, tmp_path: Path
) -> None:
    chain = Chain.behind(log)
    log.close()
    replace_topic(broker, log.settings.topic)
    with closing(KafkaLog(url, tmp_path / "another", writable=True)) as another:
        longer = Chain().open("another-chain")
        for number in range(chain.head.size):
            longer.add(landed(number % 37))
        another.append(longer.messages)
    named = r"is not the one acknowledged: .*writer/head\.note remembers .* chain another-chain has"
    with pytest.raises(IntegrityError, match=named):
        KafkaLog(url, tmp_path / "writer", writable=True)


def replace_topic(broker: Cluster, topic: str) -> None:
    with closing(broker.open_admin()) as admin:
        admin.delete_topics([topic])
        while topic in admin.list_topics():
            pass
        admin.create_topics(
            {topic: {"num_partitions": 1, "replication_factor": 1, "configs": RIGHT}},
            wait_for_metadata=True,
        )
