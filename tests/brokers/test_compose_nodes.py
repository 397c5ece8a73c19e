"""The brokers and controllers of compose.yaml, started with its settings on this machine."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import ExitStack, closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml
from kafka.admin import KafkaAdminClient

from ledger.log.kafka.log import KafkaLog
from tests.ledger.chain_cases import Chain
from tests.ledger.log.kafka.kafka_load import QUICK
from tools.workshop.broker import cluster
from tools.workshop.broker.jars import jars

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.slow

COMPOSE: dict[str, Any] = yaml.safe_load(
    (Path(__file__).parents[2] / "deploy" / "compose.yaml").read_text(encoding="utf-8")
)
NODES: dict[str, dict[str, str]] = {
    name: service["environment"]
    for name, service in COMPOSE["services"].items()
    if name.startswith(("kafka-", "controller-"))
}
START_SECONDS_MAX = 120.0
LOGGING = f"-Dlog4j2.configurationFile={cluster.HERE / 'log4j2.properties'}"
JAVA = ["java", *cluster.QUICK, "-Xmx256m", LOGGING, "-cp"]


@pytest.fixture(scope="module")
def addresses(kafka_jars: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[str]]:  # noqa: ARG001 - asked for its effect
    """Start all nodes; gives the addresses of the brokers."""
    folder = tmp_path_factory.mktemp("compose")
    ports = dict(zip(NODES, cluster._free_ports(len(NODES)), strict=True))
    with ExitStack() as running:
        for name, environment in NODES.items():
            file = folder / f"{name}.properties"
            file.write_text(_properties(environment, ports, folder / name), encoding="utf-8")
            arguments = ["format", "-t", cluster.CLUSTER_ID, "-c", str(file)]
            _java("kafka.tools.StorageTool", *arguments, output=folder / "format.log").wait(60)
            node = _java("kafka.Kafka", str(file), output=folder / f"{name}.log")
            running.callback(node.wait)
            running.callback(node.kill)
        deadline = time.monotonic() + START_SECONDS_MAX
        for name in NODES:
            while "Kafka Server started" not in (log := folder / f"{name}.log").read_text("utf-8"):
                assert time.monotonic() < deadline, log.read_text("utf-8")[-2000:]
        yield [f"127.0.0.1:{port}" for name, port in ports.items() if name.startswith("kafka-")]


def _properties(environment: dict[str, str], ports: dict[str, int], data: Path) -> str:
    """Return the settings as the image derives them from its environment, on ports of loopback."""
    settings = {
        name.removeprefix("KAFKA_").replace("_", ".").lower(): value
        for name, value in environment.items()
        if name.startswith("KAFKA_") and name != "KAFKA_HEAP_OPTS"
    }
    (own,) = (port for name, port in ports.items() if NODES[name] is environment)
    text = "".join(f"{name}={value}\n" for name, value in settings.items())
    text = re.sub(r"([\w-]+-\d):909\d", lambda found: f"127.0.0.1:{ports[found[1]]}", text)
    text = re.sub(r"^(listeners=\w+://):909\d", rf"\g<1>127.0.0.1:{own}", text, flags=re.MULTILINE)
    return re.sub(r"^log\.dirs=.*", f"log.dirs={data}", text, flags=re.MULTILINE)


def _java(*program: str, output: Path) -> subprocess.Popen[bytes]:
    with output.open("ab") as file:
        return subprocess.Popen(  # noqa: S603 - built from our own parts
            ["setpriv", "--pdeathsig", "KILL", *JAVA, f"{jars()}/*", *program],  # noqa: S607 - as the cluster of the tests
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def test_topic_of_the_log_is_spread_over_the_racks(addresses: list[str], tmp_path: Path) -> None:
    settings = "&".join(f"{name}={value}" for name, value in QUICK.items())
    url = f"kafka://{','.join(addresses)}/sazka-live?replication=3&{settings}"
    with closing(KafkaLog(url, tmp_path, writable=True)) as log:
        head = log.append(Chain().open().messages)
        assert log.head() == head
    with closing(KafkaAdminClient(bootstrap_servers=addresses)) as admin:
        brokers = admin.describe_cluster()["brokers"]
        (topic,) = admin.describe_topics(["sazka-live"])
    assert {broker["rack"] for broker in brokers} == {"room-1", "room-2", "room-3"}
    assert len(topic["partitions"][0]["replica_nodes"]) == len(brokers) == 3
