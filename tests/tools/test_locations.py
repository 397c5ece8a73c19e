"""Where log, tables and keys are: chosen by options and variables alone."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import InputError
from ledger.decisions.operator.keys import RecordClock
from ledger.log.kafka.log import KafkaSettings
from ledger.log.kafka.standby import KafkaStandby
from projections.store.clickhouse import ClickHouseServer
from projections.store.tables import Store
from tests.children import child
from tests.tools.answer_cases import require_fitting
from tests.tools.cli_cases import PROGRAM, ROOT, SECONDS_MAX, answers, bet, run, run_here
from tools.cli._project import GATHER_SECONDS
from tools.data import DataDirectory
from tools.data.locations import LOCAL, Locations

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

DOUBLE = Path(__file__).parents[1] / "projections" / "clickhouse_double.py"
PASSWORD = "se cret"  # noqa: S105 - of the double


@contextmanager
def served(path: Path, password: str = PASSWORD) -> Iterator[str]:
    """Serve a chDB directory like a server, in another process; ``DOUBLE`` says what it is."""
    with child(
        [sys.executable, str(DOUBLE), str(path), password],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().decode().strip()


@pytest.mark.slow
def test_questions_are_answered_from_a_server(studio: Path, tmp_path: Path) -> None:
    secret = tmp_path / "password"
    secret.touch(mode=0o600)
    secret.write_text(f"{PASSWORD}\n")
    file = {"GAMELEDGER_CLICKHOUSE_PASSWORD_FILE": str(secret)}
    with served(tmp_path / "server") as url:
        server = ("--clickhouse", f"{url}live")
        empty = run_here(*server, "balances", data=studio, environment=file)
        assert empty.returncode == 2
        assert "project --follow" in empty.stderr
        for question in (("rebuild",), ("balances",), ("reconcile",)):
            there = run_here(*server, *question, "--json", data=studio, environment=file)
            assert there.returncode == 0, there.stderr
            if question == ("rebuild",):
                assert not (studio / "projection").exists()
                continue
            here = run(*question, "--json", data=studio)
            assert there.stdout == here.stdout
        denied = run_here(*server, "balances", data=studio)
        assert denied.returncode == 5
        assert PASSWORD not in denied.stderr
    away = run_here(*server, "balances", data=studio, environment=file)
    assert away.returncode == 4


@pytest.mark.slow
def test_two_servers_are_compared_and_written_one_by_one(studio: Path, tmp_path: Path) -> None:
    password = {"GAMELEDGER_CLICKHOUSE_PASSWORD": PASSWORD}
    with served(tmp_path / "server") as url:
        urls = f"{url}left", f"{url}right"
        both = ("--clickhouse", ",".join(urls))
        for one in urls:
            assert (
                run_here(
                    "--clickhouse", one, "project", data=studio, environment=password
                ).returncode
                == 0
            )
        refused = run_here(*both, "project", data=studio, environment=password)
        assert (refused.returncode, "--clickhouse" in refused.stderr) == (2, True)
        there = run_here(*both, "balances", "--json", data=studio, environment=password)
        assert there.stdout == run("balances", "--json", data=studio).stdout
        equal = run_here(*both, "tables", "compare", data=studio, environment=password)
        assert (equal.returncode, "All are equal." in equal.stdout) == (0, True), equal.stderr
        server = ClickHouseServer.parse(urls[1], password=PASSWORD)
        with Store.open(server, creating=False) as store:
            store.command("INSERT INTO postings SELECT * FROM postings ORDER BY position LIMIT 1")
        differing = run_here(
            *both, "tables", "compare", "--json", data=studio, environment=password
        )
        assert differing.returncode == 3
        assert "differ in postings" in differing.stderr
        found = json.loads(differing.stdout)
        require_fitting(["tables", "compare"], differing.stdout)
        (table,) = found["differing"]
        assert table["rows"][1] == table["rows"][0] + 1
        assert PASSWORD not in differing.stdout + differing.stderr


@contextmanager
def following(
    server: Sequence[str], data: Path, environment: dict[str, str]
) -> Iterator[subprocess.Popen[bytes]]:
    """Follow a log with the tables on a server."""
    with child(
        [*PROGRAM, *server, "project", "--follow", "--json"],
        stdout=subprocess.PIPE,
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "GAMELEDGER_DATA": str(data), **environment},
    ) as follower:
        yield follower


@pytest.mark.slow
def test_follower_projects_what_is_appended_and_is_the_only_one(
    studio: Path, tmp_path: Path
) -> None:
    password = {"GAMELEDGER_CLICKHOUSE_PASSWORD": PASSWORD}
    with served(tmp_path / "server") as url:
        server = ("--clickhouse", f"{url}live")
        with following(server, studio, password) as follower:
            deadline = time.monotonic() + SECONDS_MAX
            while (
                begun := run_here(*server, "balances", data=studio, environment=password)
            ).returncode:
                assert time.monotonic() < deadline, begun.stderr
            (receipt,) = answers(run("record", data=studio, lines=[bet(1)]))
            assert follower.stdout is not None
            positions = (json.loads(line)["position"] for line in follower.stdout)
            assert next(at for at in positions if at > receipt["last_position"])
            found = run_here(*server, "balance", "a-1", "--json", data=studio, environment=password)
            assert json.loads(found.stdout)["open_stakes"]["stakes"][0]["bet"] == "q1-1"
            second = run_here(*server, "rebuild", data=studio, environment=password)
            assert second.returncode == 4
            assert "another process" in second.stderr
            follower.send_signal(signal.SIGTERM)
            assert follower.wait(SECONDS_MAX) == 0
        recorded = answers(run("record", data=studio, lines=[bet(2)]))
        behind = run_here(*server, "balances", data=studio, environment=password)
        assert recorded[0]["status"] == "recorded"
        assert behind.returncode == 0
        assert "2 messages behind" in behind.stderr


@pytest.mark.slow
def test_follower_gathers_what_comes_for_a_server(studio: Path, tmp_path: Path) -> None:
    """The parts of a table in a minute are bounded by the steps, however fast messages come."""
    environment = {"GAMELEDGER_CLICKHOUSE_PASSWORD": PASSWORD}
    with served(tmp_path / "server") as url:
        server = ("--clickhouse", f"{url}live")
        with following(server, studio, environment) as follower:
            assert follower.stdout is not None
            follower.stdout.readline()
            began, sent = time.monotonic(), 0
            with DataDirectory(studio, LOCAL).write() as ledger:
                while time.monotonic() < began + 3 * GATHER_SECONDS:
                    ledger.execute(RecordClock(source_of_time="ntp", skew=0, uncertainty=0))
                    sent += 1
                    time.sleep(0.02)
            follower.send_signal(signal.SIGTERM)
            lines = [json.loads(line) for line in follower.stdout.read().splitlines()]
            *steps, end = lines
            seconds = time.monotonic() - began
        assert sent > 50
        assert 2 <= len(steps) <= seconds / GATHER_SECONDS + 1
        assert end["parts"] >= 1
        shown = run_here(*server, "project", data=studio, environment=environment)
        assert "The table with most parts is " in shown.stdout


def test_variables_name_the_places(tmp_path: Path) -> None:
    (tmp_path / "password").touch(mode=0o600)
    (tmp_path / "password").write_text("secret\n")
    locations = Locations.from_environment(
        {
            "GAMELEDGER_LOG": "kafka://k:9092/live",
            "GAMELEDGER_CLICKHOUSE": "clickhouse://u@c/live",
            "GAMELEDGER_CLICKHOUSE_PASSWORD_FILE": str(tmp_path / "password"),
            "GAMELEDGER_KEYS": "/keys",
        }
    )
    directory = DataDirectory("data", locations)
    assert directory.keys_path == Path("/keys")
    assert directory.projection() == ClickHouseServer(
        "c",
        user="u",
        database="live",
        password="secret",  # noqa: S106 - made up
    )
    assert "secret" not in repr(locations)
    assert (
        Locations.from_environment({})
        == Locations.from_environment({"GAMELEDGER_LOG": ""})
        == LOCAL
    )
    assert DataDirectory("data", LOCAL).projection() == Path("data/projection")


@pytest.mark.parametrize(
    ("environment", "text"),
    [
        ({"GAMELEDGER_LOG": "/some/folder"}, "--data"),
        ({"GAMELEDGER_CLICKHOUSE_PASSWORD_FILE": "/missing"}, "/missing"),
        (
            {"GAMELEDGER_CLICKHOUSE_PASSWORD_FILE": "f", "GAMELEDGER_CLICKHOUSE_PASSWORD": "p"},
            "keep one",
        ),
    ],
)
def test_variables_that_name_no_place_are_refused(environment: dict[str, str], text: str) -> None:
    with pytest.raises(InputError, match=text):
        Locations.from_environment(environment)


def test_log_that_is_no_topic_is_an_input_error(tmp_path: Path) -> None:
    done = run("--log", "postgres://x", "log", "verify", data=tmp_path)
    assert done.returncode == 2
    assert "kafka://" in done.stderr


def test_folder_with_a_log_of_its_own_is_not_mistaken_for_a_topic(studio: Path) -> None:
    """A copy is verified, not the topic that the settings of all commands name."""
    done = run("--log", "kafka://127.0.0.1:1/live", "log", "verify", data=studio)
    assert done.returncode == 2
    assert "holds a log of its own, and kafka://127.0.0.1:1/live is named" in done.stderr


def test_broker_that_is_away_is_not_available(tmp_path: Path) -> None:
    url = "kafka://127.0.0.1:9/live?request_seconds=1"
    done = run("--log", url, "log", "verify", "--json", data=tmp_path)
    assert done.returncode == 4
    assert json.loads(done.stderr.splitlines()[-1])["error"] == "AvailabilityError"


def test_lease_shorter_than_brokers_allow_is_refused(tmp_path: Path) -> None:
    settings = KafkaSettings.from_url("kafka://127.0.0.1:9/live")
    with pytest.raises(InputError, match="6 seconds"):
        KafkaStandby(settings, tmp_path, lease_seconds=2)
