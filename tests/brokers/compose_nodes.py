"""The brokers and controllers of compose.yaml, started with its settings on this machine."""

from __future__ import annotations

import re
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from tools.workshop.broker import cluster
from tools.workshop.broker.jars import jars

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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


@contextmanager
def nodes(folder: Path, further: Mapping[str, str] | None = None) -> Iterator[list[str]]:
    """Start all nodes; yields the addresses of the brokers.

    Args:
        folder: for data, settings and logs.
        further: settings of every node that win over those of the file.

    """
    ports = dict(zip(NODES, cluster._free_ports(len(NODES)), strict=True))
    more = "".join(f"{name}={value}\n" for name, value in (further or {}).items())
    with ExitStack() as running:
        for name, environment in NODES.items():
            file = folder / f"{name}.properties"
            file.write_text(_properties(environment, ports, folder / name) + more, "utf-8")
            arguments = ["format", "-t", cluster.CLUSTER_ID, "-c", str(file)]
            _java("kafka.tools.StorageTool", *arguments, output=folder / "format.log").wait(60)
            node = _java("kafka.Kafka", str(file), output=folder / f"{name}.log")
            running.callback(node.wait)
            running.callback(node.kill)
        deadline = time.monotonic() + START_SECONDS_MAX
        for name in NODES:
            while "Kafka Server started" not in (log := folder / f"{name}.log").read_text("utf-8"):
                assert time.monotonic() < deadline, log.read_text("utf-8")[-2000:]
                time.sleep(0.1)
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
