"""Nodes of a real Kafka on loopback: format, start, stop, kill, pause, resume.

A cluster has one node or three, each broker and controller at once (KRaft), on free ports, with its
data in a folder chosen by the caller. Nodes end with the process that started them, unless that
process requested otherwise, so an aborted test run leaves no brokers behind.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from kafka.admin import KafkaAdminClient
from kafka.errors import KafkaError

from tools.workshop.broker.jars import BrokerMissingError, jars

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Cluster", "Node"]

HERE = Path(__file__).parent
CLUSTER_ID = "Z2FtZWxlZGdlci10ZXN0cw"
"""The same on every node of a cluster; 16 bytes in base64url without padding."""

FIRST_RECORDS = "bootstrap.checkpoint"
CLASSES = "node-classes.jsa"
"""Classes as Java has them in memory: a node that finds them starts with half the work."""

HEAP = ("-Xms128m", "-Xmx512m")
QUICK = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
"""Starts sooner and runs slower: for tests, not for figures."""

PORTS = range(20_000, 32_000)

STARTED = "Kafka Server started"
START_SECONDS_MAX = 180.0
STOP_SECONDS_MAX = 30.0
PAUSE_SECONDS = 0.05


class Node:
    """One node: its settings, its folder, its process."""

    def __init__(self, number: int, folder: Path, *, jvm: Sequence[str], is_bound: bool) -> None:
        """Choose the ports; nothing is started."""
        self.number = number
        self.folder = folder / f"node-{number}"
        self.port, self.controller_port = _free_ports(2)
        self.advertised_port = self.port
        self.settings: dict[str, str] = {}
        """Further lines of its settings, which win over those of the template."""
        self.version = ""
        """Version of the broker at the next start; empty: the one of ``pom.xml``."""
        self._jvm = (*HEAP, *jvm, f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}")
        self._is_bound = is_bound
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        """Address for clients."""
        return f"127.0.0.1:{self.advertised_port}"

    @property
    def is_running(self) -> bool:
        """Return whether the process lives, paused or not."""
        return self._process is not None and self._process.poll() is None

    def format(self, voters: str, replication: int) -> None:
        """Create and format the folder of the node.

        The broker's own tool writes the first records of a cluster; they are the same for all,
        and cached next to the jars.

        Raises:
            BrokerMissingError: the tool failed.

        """
        self.folder.mkdir(parents=True, exist_ok=True)
        values = {
            "NODE": self.number,
            "VOTERS": voters,
            "PORT": self.port,
            "ADVERTISED_PORT": self.advertised_port,
            "CONTROLLER_PORT": self.controller_port,
            "FOLDER": self.folder / "data",
            "REPLICATION": replication,
            "INSYNC": min(2, replication),
        }
        text = (HERE / "node.properties").read_text(encoding="utf-8")
        for name, value in values.items():
            text = text.replace(f"@{name}@", str(value))
        further = "".join(f"{name}={value}\n" for name, value in self.settings.items())
        self._settings.write_text(text + further, encoding="utf-8")
        data, known = self.folder / "data", jars(self.version) / FIRST_RECORDS
        if not known.exists():
            made = known.with_name(f"{known.name}.{os.getpid()}")
            arguments = ("format", "-t", CLUSTER_ID, "-c", str(self._settings))
            tool = ("kafka.tools.StorageTool",)
            if self._java(tool, (*arguments, "--ignore-formatted"), "format.log").wait():
                raise BrokerMissingError(f"formatting failed: see {self.folder}")
            shutil.copy(data / FIRST_RECORDS, made)
            made.replace(known)
        elif not (data / "meta.properties").exists():
            data.mkdir()
            shutil.copy(known, data)
            (data / "meta.properties").write_text(
                f"version=1\ncluster.id={CLUSTER_ID}\nnode.id={self.number}\n", encoding="utf-8"
            )

    def start(self) -> None:
        """Start the node and wait until it serves.

        Raises:
            BrokerMissingError: it ended or did not serve in time; the text has its last output.

        """
        self.launch()
        self.await_started()

    def launch(self, *, archive: Path | None = None) -> None:
        """Start the node without waiting; :meth:`await_started` waits until it serves.

        Java ignores a class archive that is missing or was created from other jars.

        Args:
            archive: where to store the node's class archive when it is stopped gracefully.

        """
        self._output.write_bytes(b"")
        classes = (
            f"-XX:ArchiveClassesAtExit={archive}"
            if archive
            else f"-XX:SharedArchiveFile={jars(self.version) / CLASSES}"
        )
        program = (classes, "kafka.Kafka")
        self._process = self._java(program, (str(self._settings),), self._output.name)

    def await_started(self) -> None:
        """Wait until a started node serves; see :meth:`start`."""
        deadline = time.monotonic() + START_SECONDS_MAX
        while STARTED not in self._output.read_text(encoding="utf-8", errors="replace"):
            if not self.is_running or time.monotonic() > deadline:
                words = self._output.read_text(encoding="utf-8", errors="replace")[-2000:]
                raise BrokerMissingError(f"node {self.number} did not start:\n{words}")
            time.sleep(PAUSE_SECONDS)

    def stop(self) -> bool:
        """Stop the node gracefully, or kill it after a timeout; return whether it was graceful."""
        self._signal(signal.SIGTERM)
        if self._process is not None:
            try:
                self._process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                self.kill()
                return False
        return True

    def kill(self) -> None:
        """Kill the process at once (the disk keeps what the system had taken)."""
        self._signal(signal.SIGKILL)
        if self._process is not None:
            self._process.wait()

    def pause(self) -> None:
        """Suspend the process: connections stay open and nothing is answered."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        """Resume a paused node."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None and self.is_running:
            self._process.send_signal(number)

    def _java(
        self, program: Sequence[str], arguments: Sequence[str], output: str
    ) -> subprocess.Popen[bytes]:
        bound = ["setpriv", "--pdeathsig", "KILL"] if self._is_bound else []
        if bound and shutil.which("setpriv") is None:
            bound = []
        command = [
            *bound,
            "java",
            *self._jvm,
            "-cp",
            f"{jars(self.version)}/*",
            *program,
            *arguments,
        ]
        with (self.folder / output).open("ab") as file:
            return subprocess.Popen(  # noqa: S603 - built from our own parts
                command,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def _settings(self) -> Path:
        return self.folder / "node.properties"

    @property
    def _output(self) -> Path:
        return self.folder / "node.log"


class Cluster:
    """A cluster of one node or three. Use as a context manager, or call :meth:`close`."""

    def __init__(
        self, folder: Path, *, size: int = 1, is_quick: bool = True, is_bound: bool = True
    ) -> None:
        """Choose ports; nothing is started.

        Args:
            folder: where the nodes keep their data; it is not deleted.
            size: number of nodes, which is also the replication.
            is_quick: start sooner and run slower, for tests.
            is_bound: end with this process.

        """
        self._asking: KafkaAdminClient | None = None
        jvm = QUICK if is_quick else ()
        self.nodes = [
            Node(number, folder, jvm=jvm, is_bound=is_bound) for number in range(1, size + 1)
        ]

    def __enter__(self) -> Self:
        """Start the cluster."""
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """Kill the cluster."""
        self.close()

    @property
    def bootstrap(self) -> str:
        """Addresses for clients: host:port, separated by commas."""
        return ",".join(node.address for node in self.nodes)

    def url(self, topic: str, **options: object) -> str:
        """Return the URL of a topic for ``--log``."""
        asked = {"replication": len(self.nodes), **options}
        query = "&".join(f"{name}={value}" for name, value in asked.items())
        return f"kafka://{self.bootstrap}/{topic}?{query}"

    def start(self) -> None:
        """Format and start all nodes and wait until they serve."""
        _archive_classes()
        for node in self.nodes:
            node.format(_voters(self.nodes), len(self.nodes))
            node.launch()
        for node in self.nodes:
            node.await_started()

    def close(self) -> None:
        """Kill all nodes; closing twice is allowed."""
        if self._asking is not None:
            self._asking.close()
            self._asking = None
        for node in self.nodes:
            node.resume()
            node.kill()

    def open_admin(self) -> KafkaAdminClient:
        """Open kafka-python's admin client; the caller closes it."""
        return KafkaAdminClient(bootstrap_servers=self.bootstrap.split(","))

    def leader_of(self, topic: str) -> Node | None:
        """Return the node that leads a topic's only partition; None while there is no leader."""
        if self._asking is None:  # kept, because one that finds no broker leaves sockets behind
            self._asking = self.open_admin()
        with contextlib.suppress(KafkaError, LookupError):  # a node may not know the topic yet
            (described,) = self._asking.describe_topics([topic])
            leader = described["partitions"][0]["leader_id"]
            return next((node for node in self.nodes if node.number == leader), None)
        return None


def _archive_classes() -> None:
    """Create the Java class archive next to the jars, once; this starts and stops a node.

    The archive is renamed into place when complete, because Java crashes on a truncated one. If no
    archive could be created, the file is empty, which Java ignores.
    """
    classes = jars() / CLASSES
    with classes.with_suffix(".lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if classes.exists():
            return
        making = classes.with_suffix(".making")
        with tempfile.TemporaryDirectory() as folder:
            node = Node(1, Path(folder), jvm=QUICK, is_bound=True)
            node.format(_voters([node]), 1)
            node.launch(archive=making)
            try:
                node.await_started()
            finally:
                ended = node.stop()
        if not ended:
            making.unlink(missing_ok=True)
        making.touch()
        making.replace(classes)


def _voters(nodes: Sequence[Node]) -> str:
    return ",".join(f"{node.number}@127.0.0.1:{node.controller_port}" for node in nodes)


def _free_ports(count: int) -> list[int]:
    """Choose ports that are free now; all are bound until the last is chosen.

    They are below the range that the system uses for outgoing connections, so that a killed node
    finds its port free when it restarts.
    """
    with contextlib.ExitStack() as held:
        ports: list[int] = []
        while len(ports) < count:
            listening = held.enter_context(socket.socket())
            port = random.choice(PORTS)
            with contextlib.suppress(OSError):
                listening.bind(("127.0.0.1", port))
                ports.append(port)
        return ports
