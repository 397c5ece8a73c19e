"""``report`` as it is typed: build what is due, explain a row, list the periods."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING, Any

import pytest

from ledger.events.encoding import decode
from ledger.events.event_types import PackageBuilt
from ledger.log.sqlite import SqliteLog
from tests.projections.packages.build_cases import OPERATOR, Studio
from tests.tools.cli_cases import run_here
from tools.data.tables import keep_tables_open

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator
    from pathlib import Path

PERIOD = "2025-03-27T16:00"
NAME = f"{OPERATOR}-V-2025032708-Z-01"
WRONG: list[tuple[list[str], str]] = [
    (["build"], "name one --period, or ask for --pending"),
    (["build", "--period", "2025032700"], "lies before the beginning of the chain"),
    (["build", "--period", "2025032708", "--version", "3"], "was not built"),
    (["build", "--period", "9999123116"], "a year that no package can be of"),
    (["explain", NAME, "ucet", "9"], "has no row 9"),
    (["explain", NAME, "misto", "1"], "they have provozovatel, konto"),
    (["explain", f"{OPERATOR}-V-2025032708-Z-07", "ucet", "1"], "was not built"),
]


def answer(*arguments: str, data: Path) -> Any:
    done = run_here(*arguments, "--json", data=data)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A chain of one morning on disk, long ago, so that any clock is behind it."""
    data = tmp_path_factory.mktemp("report") / "data"
    studio = Studio(data, "2025-03-27 09:00", log=SqliteLog(data, writable=True))
    studio.player("anna")
    studio.play("q1", "anna", 10_000)
    studio.close()
    return data


@pytest.fixture
def data(once: Path, tmp_path: Path) -> Iterator[Path]:
    """The chain to write to; the engine stays open, as each start costs more than a question."""
    data = shutil.copytree(once, tmp_path / "data")
    with keep_tables_open(data / "projection"):
        yield data


@pytest.fixture(scope="module")
def refused(
    once: Path, tmp_path_factory: pytest.TempPathFactory
) -> list[subprocess.CompletedProcess[str]]:
    """The answers to what is ``WRONG``, asked one after the other: they change nothing."""
    data = shutil.copytree(once, tmp_path_factory.mktemp("wrong") / "data")
    with keep_tables_open(data / "projection"):
        return [run_here("report", *arguments, data=data) for arguments, _ in WRONG]


def test_what_is_due_is_built_recorded_explained_and_made_again(data: Path, tmp_path: Path) -> None:
    until = ("--until", PERIOD)
    assert answer("report", "build", "--pending", *until, "--dry-run", data=data) == [NAME]
    (built,) = answer("report", "build", "--pending", *until, data=data)
    folder = data / "packages" / NAME
    assert (built["package"], built["folder"]) == (NAME, str(folder))
    assert len(list(folder.iterdir())) == 15
    (status,) = answer("report", "status", *until, data=data)
    assert (status["package"], status["state"]) == (NAME, "built")
    log = SqliteLog(data, writable=False)
    recorded = [decode(message).event for _, message in log.read()]
    log.close()
    (event,) = [one for one in recorded if isinstance(one, PackageBuilt)]
    assert event.digest == built["digest"]
    assert answer("report", "build", "--pending", *until, data=data) == []
    explained = answer("report", "explain", NAME, "hra_toky", "1", data=data)
    assert explained["row"]["values"]["SazkaVysePuvodni"] == "100,00"
    types = [event["type"] for event in explained["events"]]
    assert types == ["BetPlaced", "BetConcluded", "BetSettled"]
    out = str(tmp_path / "again")
    again = ("--period", "2025032708", "--version", "1", "--out", out)
    (same,) = answer("report", "build", *again, data=data)
    assert (same["digest"], same["command"]) == (built["digest"], None)


def test_without_recording_the_command_is_given_to_the_writer(data: Path) -> None:
    asked = ("--period", "2025032708", "--no-record")
    (built,) = answer("report", "build", *asked, data=data)
    command = built["command"]
    assert (command["command"], command["package"]) == ("record_package", NAME)
    assert answer("report", "status", "--until", PERIOD, data=data)[0]["state"] == "due"
    sent = run_here("record", data=data, lines=json.dumps(command))
    assert sent.returncode == 0, sent.stderr
    assert json.loads(sent.stdout)["events"] == ["PackageBuilt"]


def test_tables_for_people_say_the_next_step(data: Path) -> None:
    done = run_here("report", "status", "--until", PERIOD, data=data)
    assert done.returncode == 0
    assert "2025032708" in done.stdout
    assert "report build" in done.stdout
    done = run_here("report", "build", "--period", "2025032708", "--no-record", data=data)
    assert NAME in done.stdout
    done = run_here("report", "explain", NAME, "jedna_hra", f"{OPERATOR}-q1", data=data)
    assert "RoundOpened" in done.stdout
    assert "HraVysledek" in done.stdout


@pytest.mark.parametrize("number", range(len(WRONG)), ids=lambda number: WRONG[number][1])
def test_input_errors_name_the_next_step(
    refused: list[subprocess.CompletedProcess[str]], number: int
) -> None:
    done, (_, words) = refused[number], WRONG[number]
    assert done.returncode == 2, done.stdout
    assert words in " ".join(done.stderr.split())


def test_a_chain_ahead_of_the_clock_is_reported_and_nothing_is_recorded(tmp_path: Path) -> None:
    """A simulated evening may lie in the future; the writer would refuse to go on with it."""
    data = tmp_path / "data"
    studio = Studio(data, "2035-03-27 09:00", log=SqliteLog(data, writable=True))
    studio.at("2035-03-27 16:00")
    studio.do("suspend_table", table="t", cause="konec")
    size = studio.ledger.head.size
    studio.close()
    done = run_here("report", "build", "--pending", data=data)
    assert done.returncode == 0, done.stderr
    assert "Not recorded: the chain is ahead of this clock" in done.stderr
    assert (data / "packages" / f"{OPERATOR}-V-2035032708-Z-01").is_dir()
    log = SqliteLog(data, writable=False)
    assert log.head().size == size
    log.close()
