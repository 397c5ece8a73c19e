"""deploy/ says what the program reads: names, ports and settings agree with its own classes."""

from __future__ import annotations

import base64
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from ledger.log.kafka import topic as kafka_topic
from ledger.log.kafka.log import KafkaSettings
from ledger.log.kafka.producer import MARKS_MAX
from ledger.log.kafka.standby import LEASE_SECONDS_MIN
from projections.store.clickhouse import ClickHouseServer
from projections.store.tables import NAME
from tools.cli import _app
from tools.data.locations import Locations
from tools.service.address import Address
from tools.service.tls import TlsFiles

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
README = (DEPLOY / "README.md").read_text(encoding="utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
BROKERS = {name: one for name, one in SERVICES.items() if name.startswith("kafka-")}
CONTROLLERS = {name: one for name, one in SERVICES.items() if name.startswith("controller-")}
WRITERS = {name: one for name, one in SERVICES.items() if name.startswith("writer-")}
PROGRAMS = {**WRITERS, "projector": SERVICES["projector"]}


@pytest.fixture(params=sorted(PROGRAMS))
def program(request: pytest.FixtureRequest) -> dict[str, Any]:
    return PROGRAMS[request.param]


@pytest.fixture
def settings(program: dict[str, Any]) -> KafkaSettings:
    log = Locations.from_environment(program["environment"]).log
    assert log is not None
    return KafkaSettings.from_url(log)


def test_brokers_are_those_of_the_log(settings: KafkaSettings) -> None:
    advertised = {
        one["environment"]["KAFKA_ADVERTISED_LISTENERS"].removeprefix("PLAINTEXT://")
        for one in BROKERS.values()
    }
    assert advertised == set(settings.servers) == {f"{name}:9092" for name in BROKERS}
    assert len(BROKERS) >= settings.replication == 3


@pytest.mark.parametrize("name", sorted({**BROKERS, **CONTROLLERS}))
def test_node_knows_the_controllers(name: str) -> None:
    environment = SERVICES[name]["environment"]
    voters = environment["KAFKA_CONTROLLER_QUORUM_VOTERS"].split(",")
    ids = {host: each["environment"]["KAFKA_NODE_ID"] for host, each in CONTROLLERS.items()}
    assert set(voters) == {f"{ids[host]}@{host}:9093" for host in ids}
    assert SERVICES[name]["hostname"] == name
    assert len(base64.urlsafe_b64decode(environment["CLUSTER_ID"] + "==")) == 16


def test_controllers_are_apart_and_brokers_in_racks_of_their_own() -> None:
    nodes = [*BROKERS.values(), *CONTROLLERS.values()]
    assert len({one["environment"]["KAFKA_NODE_ID"] for one in nodes}) == 6
    roles = {one["environment"]["KAFKA_PROCESS_ROLES"] for one in CONTROLLERS.values()}
    assert roles == {"controller"}
    assert {one["environment"]["KAFKA_PROCESS_ROLES"] for one in BROKERS.values()} == {"broker"}
    assert len({one["environment"]["KAFKA_BROKER_RACK"] for one in BROKERS.values()}) == 3
    assert all("healthcheck" in SERVICES[name] for name in (*BROKERS, "clickhouse"))


def test_brokers_allow_what_the_log_asks_for(settings: KafkaSettings) -> None:
    for broker in BROKERS.values():
        environment = broker["environment"]
        numbers = {name: int(text) for name, text in environment.items() if str(text).isdecimal()}
        assert numbers["KAFKA_TRANSACTION_MAX_TIMEOUT_MS"] >= settings.transaction_ms + MARKS_MAX
        assert numbers["KAFKA_MESSAGE_MAX_BYTES"] >= settings.message_bytes_max
        assert numbers["KAFKA_REPLICA_FETCH_MAX_BYTES"] >= settings.message_bytes_max
        assert numbers["KAFKA_GROUP_MIN_SESSION_TIMEOUT_MS"] <= LEASE_SECONDS_MIN * 1000
        for name in ("DEFAULT", "OFFSETS_TOPIC", "TRANSACTION_STATE_LOG"):
            assert numbers[f"KAFKA_{name}_REPLICATION_FACTOR"] == settings.replication
        for name in ("MIN_INSYNC_REPLICAS", "TRANSACTION_STATE_LOG_MIN_ISR"):
            assert numbers[f"KAFKA_{name}"] == settings.insync
        assert environment["KAFKA_UNCLEAN_LEADER_ELECTION_ENABLE"] == "false"
        assert environment["KAFKA_AUTO_CREATE_TOPICS_ENABLE"] == "false"


def test_page_names_the_settings_that_the_log_checks(settings: KafkaSettings) -> None:
    wanted = {name: value for name, (value, _) in kafka_topic._wanted(settings).items()}
    for name in ("retention.ms", "retention.bytes", "cleanup.policy", "min.insync.replicas"):
        assert f"{name}={wanted[name]}" in README
    assert "unclean.leader.election.enable=false" in README
    assert wanted["unclean.leader.election.enable"] == "false"


def test_tables_are_on_the_server(program: dict[str, Any]) -> None:
    locations = Locations.from_environment(program["environment"])
    if locations.clickhouse is None:
        assert program in WRITERS.values()
        return
    server = ClickHouseServer.parse(locations.clickhouse, password=locations.clickhouse_password)
    assert server.host in SERVICES
    assert server.port == 8123
    theirs = SERVICES[server.host]["environment"]
    assert (server.user, server.password) == (
        theirs["CLICKHOUSE_USER"],
        theirs["CLICKHOUSE_PASSWORD"],
    )
    assert NAME.fullmatch(server.database)


def test_variables_are_those_that_the_program_reads(program: dict[str, Any]) -> None:
    sources = [*ROOT.glob("tools/**/*.py"), *ROOT.glob("ledger/log/*.py")]
    known = {
        name
        for source in sources
        for name in re.findall(r"GAMELEDGER_[A-Z_]+", source.read_text(encoding="utf-8"))
    }
    ours = {name for name in program["environment"] if name.startswith("GAMELEDGER_")}
    assert ours
    assert ours <= known


def test_commands_are_those_of_the_program(program: dict[str, Any]) -> None:
    name, *rest = program["command"]
    command = _app._load(name)
    context = command.make_context(name, list(rest), resilient_parsing=True)
    assert not context.args
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= options


def test_writers_listen_where_they_are_published_and_share_only_the_keys() -> None:
    published = set()
    for name, writer in WRITERS.items():
        address = Address.for_http(writer["command"][writer["command"].index("--http") + 1])
        (mapping,) = writer["ports"]
        interface, port, inside = mapping.rsplit(":", 2)
        assert (interface, int(inside), address.host) == ("127.0.0.1", address.port, "0.0.0.0")  # noqa: S104 - in the container
        published.add(port)
        assert writer["volumes"] == [f"{name}:/data", "keys:/keys", "./tls:/tls:ro"]
        assert {"--plain", "GAMELEDGER_PLAIN"}.isdisjoint(
            [*writer["command"], *writer["environment"]]
        )
        tls = TlsFiles.from_environment(writer["environment"])
        clients = writer["command"][writer["command"].index("--clients") + 1]
        for file in (tls.authority, tls.certificate, tls.key, Path(clients)):
            assert file.parent == Path("/tls")
        assert float(writer["environment"]["GAMELEDGER_LEASE_SECONDS"]) >= LEASE_SECONDS_MIN
        for setting, folder in (("GAMELEDGER_DATA", "/data"), ("GAMELEDGER_KEYS", "/keys")):
            assert writer["environment"][setting] == folder
    assert len(WRITERS) == len(published) == 2
    assert all(port in README for port in published)


def test_volumes_and_services_that_are_named_are_there() -> None:
    used = {volume.split(":")[0] for one in SERVICES.values() for volume in one.get("volumes", [])}
    assert used == {*COMPOSE["volumes"], "./tls"}
    for service in SERVICES.values():
        assert set(service.get("depends_on", [])) <= set(SERVICES)


def test_versions_are_pinned_and_the_broker_is_the_one_of_the_tests() -> None:
    pom = (ROOT / "tools" / "workshop" / "broker" / "pom.xml").read_text(encoding="utf-8")
    (version,) = re.findall(r"<kafka.version>([^<]+)<", pom)
    images = {one["image"] for one in SERVICES.values()}
    assert f"apache/kafka:{version}" in images
    assert all(re.search(r":(\d|local$)", image) for image in images)


def test_image_holds_every_package() -> None:
    text = (DEPLOY / "Dockerfile").read_text(encoding="utf-8")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {f"COPY {name} {name}" for name in packages} <= set(text.splitlines())
    assert PROGRAMS["projector"]["build"] == {"context": "..", "dockerfile": "deploy/Dockerfile"}


@pytest.mark.law("L-58")
def test_the_night_jobs_are_commands_that_the_program_has() -> None:
    """Erasure is carried out by itself: the timer runs it, and a kept person is no failure."""
    service = (DEPLOY / "systemd" / "gameledger-night.service").read_text(encoding="utf-8")
    jobs = re.findall(r"^ExecStart=\S+/gameledger (.*)$", service, re.MULTILINE)
    assert jobs[0] == "retention carry-out"
    assert all(f"`gameledger {job}`" in README for job in jobs)
    for job in jobs:
        name, *rest = job.split()
        command = _app._load(name)
        known = getattr(command, "commands", {}) or {
            option for parameter in command.params for option in parameter.opts
        }
        assert not rest or rest[0] in known
    assert "SuccessExitStatus=1" in service
    timer = (DEPLOY / "systemd" / "gameledger-night.timer").read_text(encoding="utf-8")
    assert re.search(r"^OnCalendar=\*-\*-\* 04:00:00 Europe/Prague$", timer, re.MULTILINE)
