"""Every command with the log on a real Kafka: the same chain, the same answers."""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.log.kafka.log import KafkaLog
from ledger.log.kafka.settings import KafkaSettings
from ledger.log.kafka.topic import make_topic
from ledger.log.sqlite import SqliteLog
from tests.tools.cli_cases import answers, bet, run, run_here
from tests.tools.witness_cases import watched
from tools.data import tables

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster

EVENING = ("simulate", "--seed", "11", "--hours", "0.1", "--tables", "1", "--players", "6")


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with a short evening in SQLite."""
    data = tmp_path_factory.mktemp("evening") / "data"
    assert run(*EVENING, data=data).returncode == 0
    return data


@pytest.mark.slow
def test_evening_moved_to_kafka_and_back_has_the_same_bytes_and_answers(
    evening: Path, broker: Cluster, tmp_path: Path
) -> None:
    url, moved, back = broker.url("evening"), tmp_path / "moved", tmp_path / "back"
    shutil.copytree(evening / "keys", moved / "keys")
    copied = _json("log", "copy", str(evening), url, data=moved)
    assert copied["copied"] == copied["size"] > 500
    _json("log", "copy", url, str(back), data=tmp_path / "elsewhere")
    with (
        closing(SqliteLog(evening, writable=False)) as first,
        closing(KafkaLog(url, tmp_path / "reader", writable=False)) as second,
        closing(SqliteLog(back, writable=False)) as third,
    ):
        messages = list(first.read())
        assert list(second.read()) == messages
        assert list(third.read()) == messages
        assert first.head() == second.head() == third.head()
    again = _json("log", "copy", str(evening), url, data=moved)
    assert (again["copied"], again["head"]) == (0, copied["head"])

    kafka = ("--log", url)
    (newest,) = _json("round", "list", "--limit", "1", data=evening)["rounds"]
    questions = (
        ("log", "verify"),
        ("balances",),
        ("reconcile",),
        ("round", "list"),
        ("round", "replay", newest["round"]),
        ("log", "show", "--type", "BetRefused", "--limit", "5"),
        ("log", "export", "--from", "500"),
    )
    with tables.keep_tables_open(evening / "projection"):
        due = [run_here(*question, "--json", data=evening) for question in questions]
    for question, wanted in zip(questions, due, strict=True):
        found = run(*kafka, *question, "--json", data=moved)
        assert (found.stdout, found.returncode) == (wanted.stdout, wanted.returncode), question
    assert _json(*kafka, "rebuild", data=moved)["position"] == copied["size"]
    assert _json(*kafka, "project", data=moved)["projected"] == 0
    assert not (moved / "log.sqlite").exists()


@pytest.mark.slow
def test_only_what_begins_a_chain_makes_a_topic(broker: Cluster, tmp_path: Path) -> None:
    """Other commands name what is missing, and call nothing damaged."""
    url = broker.url("to-come")
    serving = ("writer", "--http", "127.0.0.1:0")

    def refuse(*commands: tuple[str, ...], why: str) -> None:
        for command in commands:
            done = run("--log", url, *command, data=tmp_path / "data")
            assert done.returncode == 2, (command, done.stderr)
            assert why in done.stderr, (command, done.stderr)

    refuse(("record",), serving, ("log", "verify"), why="there is no topic to-come")
    with closing(broker.open_admin()) as admin:
        assert "to-come" not in admin.list_topics()
    make_topic(KafkaSettings.from_url(url))
    refuse(("record",), serving, ("watch",), why="the log holds no chain: make one with")


@pytest.mark.slow
def test_simulated_evening_is_the_same_on_kafka(
    evening: Path, broker: Cluster, tmp_path: Path
) -> None:
    played = _json("--log", broker.url("played"), *EVENING, data=tmp_path)
    assert played["head"] == _json("log", "verify", data=evening)["head"]


@pytest.mark.slow
def test_commands_that_write_do_it_on_kafka(studio: Path, broker: Cluster, tmp_path: Path) -> None:
    url = broker.url("studio")
    kafka = ("--log", url, "--keys", str(studio / "keys"))
    data = tmp_path / "machine"
    done = run(*kafka, "record", data=data, lines=[bet(1)])
    assert done.returncode == 2
    assert "gameledger init" in done.stderr
    _json("log", "copy", str(studio), url, data=data)
    recorded = answers(run(*kafka, "record", data=data, lines=[bet(1), bet(2)]))
    assert [answer["status"] for answer in recorded] == ["recorded", "recorded"]
    with watched(studio) as policy:
        asking = ("--witness-policy", str(policy))
        note = _json(*kafka, "log", "checkpoint", *asking, data=data)
    assert note["size"] > recorded[-1]["last_position"]
    assert note["witnessed"] is True
    verified = _json(*kafka, "log", "verify", "--jobs", "2", *asking, data=data)
    assert (verified["checkpoints"], verified["witnessed"]) == (1, note["size"])
    assert run(*kafka, "account", "show", "a-1", "--personal", data=data).returncode == 0
    begun = run(*kafka, "init", "--operator", "26493993", "--name", "T", "--chain", "t", data=data)
    assert begun.returncode == 2
    behind = run("log", "copy", str(studio), url, data=data)
    assert behind.returncode == 2
    assert "no beginning" in behind.stderr


def _json(*arguments: str, data: Path) -> dict[str, object]:
    done = run(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)
