"""Every later version opens, verifies, projects and goes on with the chains of the releases."""

from __future__ import annotations

import json
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger import games
from ledger.decisions.decider import decode_command
from ledger.rules.published_plans import register_plans
from tests.golden.golden_cases import FOLDER, GAME, PLAN, PLAN_VERSION, answers, going_on, unpacked
from tests.tools.cli_cases import run
from tests.verifier.verifier_cases import theirs
from tools.data import DataDirectory
from tools.data.locations import LOCAL

if TYPE_CHECKING:
    from pathlib import Path

FIXTURES = sorted(FOLDER.glob("*.tar.xz"))
BYTES_MAX = 1_000_000


@pytest.fixture(params=FIXTURES, ids=lambda path: path.name.removesuffix(".tar.xz"))
def fixture(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


def test_there_is_a_chain_of_a_release() -> None:
    assert FIXTURES
    assert all(path.stat().st_size < BYTES_MAX for path in FIXTURES)


@pytest.mark.slow
def test_it_is_verified_and_answered_as_by_the_version_that_wrote_it(
    fixture: Path, tmp_path: Path
) -> None:
    expected = unpacked(fixture, tmp_path / "data")
    for more in ((), ("--access",)):
        done = run("log", "verify", *more, data=tmp_path / "data")
        assert done.returncode == 0, done.stderr + done.stdout
    found = answers(tmp_path / "data")
    known = expected.pop("findings")
    later = found.pop("findings")
    assert found == expected
    assert [one for one in known if one not in later] == []


@pytest.mark.slow
def test_the_other_verifier_reads_it(fixture: Path, tmp_path: Path) -> None:
    unpacked(fixture, tmp_path / "data")
    assert theirs("log", tmp_path / "data").code == 0


@pytest.mark.slow
def test_it_goes_on_and_rounds_are_played_by_the_plans_that_it_holds(
    fixture: Path, tmp_path: Path
) -> None:
    data = tmp_path / "data"
    expected = unpacked(fixture, data)
    commands = (
        {"command": "launch_game", "game": GAME},
        {"command": "open_casino", "place": "new", "name": "N", "kind": "casino", "address": "A"},
        {
            "command": "open_table",
            "table": "w9",
            "game": GAME,
            "place": "new",
            "registration": "W-9",
            "streamed": False,
        },
        {
            "command": "assign_device",
            "table": "w9",
            "device": "w",
            "kind": "wheel",
            "serial": "1",
        },
        {"command": "open_round", "round": "w9-1", "table": "w9"},
    )
    with going_on(data) as ledger:
        for command in commands:
            receipt = ledger.execute(decode_command(json.dumps(command)))
            assert receipt.refused is None, (command, receipt.refused)
    with closing(DataDirectory(data, LOCAL).read()) as log:
        assert log.head().size > expected["size"]
        register_plans(log)
    done = run("log", "verify", data=data)
    assert done.returncode == 0, done.stderr + done.stdout
    done = run("round", "replay", "w9-1", "--json", data=data)
    assert json.loads(done.stdout)["round"]["game"] == GAME
    assert games.document(GAME, PLAN_VERSION) == PLAN
