"""The services of deploy/ as processes on loopback, with the shipped units and the page's settings.

A unit is read as systemd reads it: its environment, its files of settings and its commands, with
the folders /etc/gameledger, /var/lib and /opt/gameledger in a folder of the test for each machine.
What systemd does beyond that (users, restarts, isolation) is shown by ``test_systemd.py``.
"""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from tests.brokers.compose_nodes import nodes
from tests.ledger.log.kafka.kafka_secured import (
    RIGHTS,
    USERS,
    WORD,
    administered,
    run_tool,
    secured,
    write_properties,
    write_tools,
)
from tests.tools.cli_cases import OF_RECORD, ROOT
from tests.tools.test_locations import served
from tools.workshop.broker.cluster import _free_ports

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

DEPLOY = ROOT / "deploy"
PAGE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
PROGRAM = Path(sys.executable).with_name("gameledger")
TOPIC = "sazka-live"
CLIENTS = ("studio.example.cz", "night.example.cz", "feed.example.cz")
ROLES = (["site", "studio", "cage", "back_office"], ["back_office"], ["feed"])
READY_SECONDS = 180.0
STOP_SECONDS = 60.0


@dataclass
class Unit:
    """A service of a machine that runs; its output is in a file."""

    process: subprocess.Popen[bytes]
    output: Path
    health: int

    def wait_for(self, *states: str) -> str:
        """Wait until it is in one of some states, and return it."""
        deadline = time.monotonic() + READY_SECONDS
        while (found := self._state()) not in states:
            assert time.monotonic() < deadline, f"{found}: {self.words}"
            assert self.process.poll() is None, f"exit {self.process.poll()}: {self.words}"
            time.sleep(0.3)
        return found

    def _state(self) -> str:
        try:
            answer = httpx.get(f"http://127.0.0.1:{self.health}/ready", timeout=5).json()
        except httpx.TransportError:
            return ""
        return str(answer["state"])

    def stop(self) -> int:
        """Stop it as systemd does, and return its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_SECONDS)

    @property
    def words(self) -> str:
        """The end of its output."""
        return self.output.read_text(encoding="utf-8", errors="replace")[-3_000:]


@dataclass
class Machine:
    """A machine: its folders, and the settings that its units share."""

    folder: Path
    settings: dict[str, str]
    running: ExitStack
    units: dict[str, Unit] = field(default_factory=dict)

    @property
    def etc(self) -> Path:
        """What is /etc/gameledger there."""
        return self.folder / "etc"

    @property
    def data(self) -> Path:
        """What is /var/lib/gameledger there."""
        return self.folder / "lib" / "gameledger"

    def start(self, name: str, **further: str) -> Unit:
        """Start a unit of deploy/systemd; an instance is named as NAME@INSTANCE."""
        kind, _, instance = name.partition("@")
        settings, commands = self._read(f"{kind}@" if instance else kind, instance)
        (health,) = _free_ports(1)
        settings |= {"GAMELEDGER_HEALTH": f"127.0.0.1:{health}", **further}
        output = self.folder / f"{name}.log"
        with output.open("ab") as file:
            process = subprocess.Popen(  # noqa: S603 - a command of a unit
                ["setpriv", "--pdeathsig", "KILL", *commands[-1]],  # noqa: S607 - as for brokers
                env=settings,
                stdout=file,
                stderr=file,
            )
        self.running.callback(process.wait)
        self.running.callback(process.kill)
        self.units[name] = Unit(process, output, health)
        return self.units[name]

    def jobs(self, name: str, **further: str) -> list[subprocess.CompletedProcess[str]]:
        """Run the commands of a unit that ends by itself."""
        settings, commands = self._read(name, "")
        return [self._run(command, settings | further) for command in commands]

    def run(self, *arguments: str, **further: str) -> subprocess.CompletedProcess[str]:
        """Run the program with the settings of this machine, as a person does."""
        return self._run([str(PROGRAM), *arguments], self._shared() | further)

    def _run(
        self, command: list[str], settings: Mapping[str, str]
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(  # noqa: S603 - our own program
            command, env=settings, capture_output=True, text=True, timeout=300, check=False
        )

    def _shared(self) -> dict[str, str]:
        return {"PATH": os.environ["PATH"], "COLUMNS": "100", **OF_RECORD, **self.settings}

    def _read(self, kind: str, instance: str) -> tuple[dict[str, str], list[list[str]]]:
        """Return environment and commands of a unit, with the folders of this machine."""
        text = (DEPLOY / "systemd" / f"gameledger-{kind}.service").read_text(encoding="utf-8")
        text = self._here(text.replace("%i", instance))
        settings = self._shared()
        settings |= dict(re.findall(r"^Environment=(\w+)=(.*)$", text, re.MULTILINE))
        for optional, path in re.findall(r"^EnvironmentFile=(-?)(.+)$", text, re.MULTILINE):
            if not optional or Path(path).exists():
                settings |= settings_in(Path(path).read_text(encoding="utf-8"))
        commands = re.findall(r"^ExecStart(?:Post)?=(.+)$", text, re.MULTILINE)
        return settings, [shlex.split(command) for command in commands]

    def _here(self, text: str) -> str:
        return (
            text.replace("/opt/gameledger/bin/gameledger", str(PROGRAM))
            .replace("/etc/gameledger", str(self.etc))
            .replace("/var/lib", str(self.folder / "lib"))
        )


def settings_in(text: str) -> dict[str, str]:
    return dict(re.findall(r"^(\w+)=(.*)$", text, re.MULTILINE))


def settings_of_the_page() -> dict[str, str]:
    """Return what the page of installation has every unit share."""
    found = re.search(r"has what all units share:\n\n```\n(.*?)```", PAGE, re.DOTALL)
    assert found is not None
    return settings_in(found[1])


@dataclass
class SetUp:
    """Three brokers and controllers, two servers of tables, and two machines."""

    folder: Path
    addresses: list[str]
    certificate: Path
    tables: list[str]
    running: ExitStack
    machines: list[Machine] = field(default_factory=list)
    night: list[subprocess.CompletedProcess[str]] = field(default_factory=list)
    """What the jobs of the first night came to."""

    @property
    def keys(self) -> Path:
        """The one folder of keys of the chain."""
        return self.folder / "gameledger-keys"

    def log(self, user: str, topic: str = TOPIC) -> str:
        """Return the URL of the chain for a user of the brokers."""
        named = settings_of_the_page()["GAMELEDGER_LOG"]
        text = re.sub(r"//.*/", f"//{','.join(self.addresses)}/", named).replace(TOPIC, topic)
        secret = self.folder / "kafka.password"
        return (
            f"{text}&security_protocol=SASL_SSL&sasl_mechanism=SCRAM-SHA-512&sasl_username={user}"
            f"&sasl_password_file={secret}&ssl_cafile={self.certificate}"
        )

    def grant(self, topic: str, **environment: str) -> None:
        """Run the script that gives the five users their rights."""
        administrator = write_properties(self.folder, "broker", self.certificate, by_scram=False)
        script = DEPLOY / "kafka" / "acls.sh"
        done = run_tool(self.folder, script, self.addresses[0], administrator, topic, **environment)
        assert done.returncode == 0, done.stderr

    def make_topic(self, refusal: str, user: str) -> None:
        """Make the topic with the command that a refusal ends with, as the operator of brokers."""
        (command,) = re.findall(r"kafka-topics\.sh .*--create.*", refusal)
        properties = write_properties(self.folder, user, self.certificate, by_scram=True)
        done = run_tool(self.folder, *shlex.split(command), "--command-config", properties)
        assert done.returncode == 0, done.stdout + done.stderr

    def send(self, lines: str, **further: str) -> subprocess.CompletedProcess[str]:
        """Send commands to the leader, as the studio."""
        machine = self.machines[0]
        tls = {
            "GAMELEDGER_TLS_CERT": str(machine.etc / f"{CLIENTS[0]}.crt"),
            "GAMELEDGER_TLS_KEY": str(machine.etc / f"{CLIENTS[0]}.pem"),
        }
        file = self.folder / "commands.jsonl"
        file.write_text(lines, encoding="utf-8")
        return machine.run("record", str(file), **{**tls, **further})


@contextmanager
def set_up(folder: Path) -> Iterator[SetUp]:
    """Start brokers and servers of tables, begin the chain, and write the settings.

    No unit runs yet.
    """
    settings, certificate = secured(folder, **RIGHTS)
    (folder / "kafka.password").touch(mode=0o600)
    (folder / "kafka.password").write_text(WORD, encoding="utf-8")
    write_tools(folder)
    with ExitStack() as running:
        addresses = running.enter_context(nodes(folder, settings))
        running.enter_context(administered(addresses, certificate, USERS))
        tables = [running.enter_context(served(folder / f"tables-{one}", WORD)) for one in (1, 2)]
        site = SetUp(folder, addresses, certificate, tables, running)
        site.grant(TOPIC)
        _install(site)
        yield site


def _install(site: SetUp) -> None:
    """Follow the page of installation on two machines, and begin the chain."""
    ports = _free_ports(2)
    writers = ",".join(f"https://localhost:{port}" for port in ports)
    site.keys.mkdir(mode=0o700)
    for number, (port, tables) in enumerate(zip(ports, site.tables, strict=True), 1):
        machine = Machine(site.folder / f"machine-{number}", {}, site.running)
        machine.etc.mkdir(parents=True, mode=0o700)
        machine.data.mkdir(parents=True, mode=0o700)
        (machine.folder / "lib" / "gameledger-tiles").mkdir()
        shared = {name: machine._here(value) for name, value in settings_of_the_page().items()}
        del shared["GAMELEDGER_TIME_SOURCE"]  # there is no server of time on loopback
        shared["GAMELEDGER_LOG"] = site.log("writer")
        shared["GAMELEDGER_CLICKHOUSE"] = tables
        shared["GAMELEDGER_KEYS"] = str(site.keys)
        (machine.etc / "clickhouse.password").touch(mode=0o600)
        (machine.etc / "clickhouse.password").write_text(WORD, encoding="utf-8")
        _write(machine.etc / "gameledger.env", shared)
        machine.settings = {**shared, "GAMELEDGER_WRITERS": writers}
        machine.settings |= {"GAMELEDGER_HTTP": f"0.0.0.0:{port}"}
        site.machines.append(machine)
    first, second = site.machines
    practise(site, first.etc)
    for machine in site.machines:
        (machine.etc / "clients.toml").write_text(list_of_clients(), encoding="utf-8")
    for file in [*first.etc.glob("*.crt"), *first.etc.glob("*.pem")]:
        target = second.etc / file.name
        target.touch(mode=0o600)
        target.write_bytes(file.read_bytes())
    night = {
        "GAMELEDGER_WRITERS": writers,
        "GAMELEDGER_TLS_CERT": str(first.etc / f"{CLIENTS[1]}.crt"),
        "GAMELEDGER_TLS_KEY": str(first.etc / f"{CLIENTS[1]}.pem"),
        "GAMELEDGER_CLICKHOUSE": ",".join(site.tables),
        "GAMELEDGER_LOG": site.log("projector"),
    }
    _write(first.etc / "night.env", night)


def list_of_clients() -> str:
    """Return the writers' list of clients."""
    return "\n".join(
        f'[clients.{name.partition(".")[0]}]\ncertificate = "{name}"\nroles = {found}\n'
        for name, found in zip(CLIENTS, ROLES, strict=True)
    )


def practise(site: SetUp, folder: Path) -> None:
    """Make certificates for writers and clients."""
    made = site.machines[0].run(
        "practice-certificates", str(folder), *CLIENTS, GAMELEDGER_LOG="", GAMELEDGER_WRITERS=""
    )
    assert made.returncode == 0, made.stderr


def _write(path: Path, settings: Mapping[str, str]) -> None:
    path.write_text("".join(f"{k}={v}\n" for k, v in settings.items()), encoding="utf-8")
    path.chmod(0o600)
