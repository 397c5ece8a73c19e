"""What the page shows reads a topic, and none of it is ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from jsonschema import Draft7Validator

import schemas
from ledger.decisions.operator.setup import ListGame
from ledger.events.encoding import decode
from ledger.log.kafka.log import KafkaLog
from ledger.log.sqlite import SqliteLog
from ledger.privacy import KeyStore
from ledger.writer import Ledger
from tests.npm_packages import npm_file
from tests.tools.cli_cases import run
from tools.workshop.broker import Cluster, jars

if TYPE_CHECKING:
    from collections.abc import Sequence

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "recipes" / "read-the-topic.md").read_text(encoding="utf-8")
AVRO = "org.apache.avro:avro:1.12.1"
SECONDS_MAX = 300
TOPIC = "read-elsewhere"
GAMES = 5


def program(language: str) -> str:
    (found,) = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return str(found)


def needed(*programs: str) -> None:
    """Require programs of this machine; CI has them."""
    for name in programs:
        if shutil.which(name) is None:
            if os.environ.get("CI"):
                pytest.fail(f"CI has to read with tools that are not ours: {name} is missing")
            pytest.skip(f"{name} is not installed")


def told(command: Sequence[object], cwd: Path | None = None) -> str:
    done = subprocess.run(  # noqa: S603 - the page's own
        list(map(str, command)),
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def topic(broker: Cluster, tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A chain in a topic; return what every reader has to say of it."""
    folder = tmp_path_factory.mktemp("chain")
    log = KafkaLog(broker.url(TOPIC), folder, writable=True)
    with Ledger.create(
        log, KeyStore(folder / "keys"), operator="26493993", operator_name="Test", chain_name="test"
    ) as ledger:
        for number in range(GAMES):
            ledger.execute(ListGame(game=f"g-{number}", name="Roulette"))
        found = [decode(message) for _, message in log.read()]
    return [f"{one.envelope.position} {one.event.type} {one.envelope.recorded_at}" for one in found]


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that ``gameledger schema export`` writes."""
    folder = tmp_path_factory.mktemp("schemas")
    done = run("schema", "export", str(folder), data=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_python_reads_it(broker: Cluster, topic: list[str], exported: Path, tmp_path: Path) -> None:
    path = tmp_path / "reader.py"
    path.write_text(program("python"), encoding="utf-8")
    command = [sys.executable, "-P", path, broker.bootstrap, TOPIC, exported / "events"]
    assert told(command, tmp_path).splitlines() == topic


@pytest.mark.search
def test_java_reads_it(broker: Cluster, topic: list[str], exported: Path, tmp_path: Path) -> None:
    needed("javac", "mvn")
    library = ROOT / ".cache" / "readers" / AVRO.replace(":", "-")
    if not library.exists():
        told(
            [
                "mvn",
                "-q",
                "-B",
                "dependency:copy",
                f"-Dartifact={AVRO}",
                f"-DoutputDirectory={tmp_path / 'jars'}",
            ],
            tmp_path,
        )
        library.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(tmp_path / "jars", library, dirs_exist_ok=True)
    path = tmp_path / "Reader.java"
    path.write_text(program("java"), encoding="utf-8")
    classes = f"{library}/*:{jars()}/*"
    command = ["java", "-cp", classes, path, broker.bootstrap, TOPIC, exported / "events"]
    assert told(command).splitlines() == topic


@pytest.mark.search
def test_go_reads_it(broker: Cluster, topic: list[str], exported: Path, tmp_path: Path) -> None:
    needed("go")
    for name in ("go.mod", "go.sum"):
        shutil.copy(ROOT / "tests" / "readers" / name, tmp_path)
    (tmp_path / "main.go").write_text(program("go"), encoding="utf-8")
    told(["go", "build", "-o", "reader", "."], tmp_path)
    command = [tmp_path / "reader", broker.bootstrap, TOPIC, exported / "events"]
    assert told(command).splitlines() == topic


def test_description_of_the_topics_names_every_schema_and_its_file(exported: Path) -> None:
    described = json.loads((exported / "events.asyncapi.json").read_text(encoding="utf-8"))
    messages = described["components"]["messages"]
    events = {name: one for name, one in messages.items() if "x-fingerprint" in one}
    known = {schema.fingerprint.hex() for schema in schemas.catalogue().values()}
    assert {one["x-fingerprint"] for one in events.values()} == known
    for name, message in events.items():
        path = exported / message["payload"]["schema"]["$ref"]
        raw = json.loads(path.read_text(encoding="utf-8"))
        assert f"{raw['name']}.v{raw['version']}" == name
    sent = {
        name: {one["$ref"].rpartition("/")[2] for one in channel["messages"].values()}
        for name, channel in described["channels"].items()
    }
    assert sent.pop("log") == set(events)
    assert set().union(*sent.values()) == set(messages) - set(events)
    for name in set(messages) - set(events) - {"deadLetter"}:
        path, _, place = messages[name]["payload"]["schema"]["$ref"].partition("#/")
        found = json.loads((exported / path).read_text(encoding="utf-8"))
        for key in place.split("/"):
            found = found[key]


def test_description_of_the_topic_is_asyncapi_3(exported: Path) -> None:
    """By the schema that the AsyncAPI initiative publishes."""
    published = json.loads(npm_file("@asyncapi/specs@6.11.1", "schemas/3.0.0.json"))
    described = json.loads((exported / "events.asyncapi.json").read_text(encoding="utf-8"))
    judge = Draft7Validator(published)
    assert [error.message for error in judge.iter_errors(described)] == []
    assert not judge.is_valid({**described, "channels": []})


IN_CLICKHOUSE = """
import json, sys
from chdb.session import Session
session, folder = Session(sys.argv[1]), sys.argv[2]
statements, check = json.load(sys.stdin)
told = []
for statement in statements:
    try:
        session.query(statement.replace("'fingerprints.json'", f"'{folder}/fingerprints.json'"))
    except Exception as error:
        told.append([statement, str(error)])
source = f"file('{sys.argv[3]}', TSV, 'hex String')"
session.query(f"INSERT INTO gameledger.messages SELECT unhex(hex) FROM {source}")
ordered = "SELECT position, type FROM gameledger.events ORDER BY position"
rows = session.query(ordered, "JSONCompact")
checked = session.query(check, "JSONCompact")
print(json.dumps([told, json.loads(str(rows))["data"], json.loads(str(checked))["data"]]))
"""


@pytest.mark.search
def test_clickhouse_reads_the_envelope_and_checks_the_chain(exported: Path, tmp_path: Path) -> None:
    """All SQL of the page but the reading itself, which needs threads that chDB does not run."""
    setup, check = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
    statements = [one for one in setup.split(";\n") if one.strip()]
    (kafka,) = (one for one in statements if "ENGINE = Kafka" in one)
    log = SqliteLog(tmp_path / "log", writable=True)
    names = {"operator": "26493993", "operator_name": "Test", "chain_name": "test"}
    with Ledger.create(log, KeyStore(tmp_path / "keys"), **names) as ledger:
        for number in range(GAMES):
            ledger.execute(ListGame(game=f"game-{number}", name="Roulette"))
        messages = [message for _, message in log.read()]
    hexadecimal = tmp_path / "messages.tsv"
    hexadecimal.write_text("".join(f"{one.hex()}\n" for one in messages), encoding="utf-8")
    wrong = kafka.replace("kafka_format", "kafka_fromat").replace(".topic ", ".other ")
    done = subprocess.run(  # noqa: S603 - the page's own
        [sys.executable, "-c", IN_CLICKHOUSE, tmp_path / "db", exported / "events", hexadecimal],
        input=json.dumps([[*statements, wrong], check]),
        capture_output=True,
        text=True,
        timeout=SECONDS_MAX,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    failed, rows, checked = json.loads(done.stdout)
    assert [one for one, _ in failed] == [kafka, wrong]
    assert "Shutdown was called" in failed[0][1], "chDB runs the engine now: read a topic with it"
    assert "Unknown setting 'kafka_fromat'" in failed[1][1]
    types = [type(decode(message).event).__name__ for message in messages]
    assert [(int(position), name) for position, name in rows] == list(enumerate(types))
    assert [list(map(int, row)) for row in checked] == [[len(messages), 0, len(messages)]]
