"""Folders keep to their budgets of seconds, which may only fall; long tests give a reason."""

from __future__ import annotations

import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.conftest import pytest_runtest_makereport
from tests.durations import (
    BUDGETS,
    CALL_SECONDS,
    LONG_SECONDS,
    REASON,
    Run,
    budgets,
    faults_of,
    folder_of,
)

ROOT = Path(__file__).parents[1]
JUNIT = """<testsuites><testsuite>
<testcase classname="tests.test_durations" name="test_a" time="2.5"/>
<testcase classname="tests.ledger.log.test_judges" name="test_b" time="61.0">
<properties><property name="call_seconds" value="60.5"/><property name="reason" value="{}"/>
</properties></testcase></testsuite></testsuites>"""


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """A run whose long test has no reason."""
    file = tmp_path / "whole.xml"
    file.write_text(JUNIT.format(""))
    return Run.read(file)


@pytest.mark.parametrize(
    ("file", "folder"),
    [
        ("tests/test_limits.py", "tests"),
        ("tests/fuzz/test_fuzz.py", "tests/fuzz"),
        ("tests/ledger/test_chain.py", "tests/ledger"),
        ("tests/ledger/log/kafka/test_kafka_cut.py", "tests/ledger/log"),
        ("tests/simulation/deep/test_x.py", "tests/simulation"),
        (".py", "tests"),
    ],
)
def test_a_file_uses_the_budget_of_its_folder(file: str, folder: str) -> None:
    assert folder_of(file) == folder


def test_every_folder_of_tests_has_a_budget_and_no_other_has() -> None:
    files = (file.relative_to(ROOT) for file in (ROOT / "tests").rglob("test_*.py"))
    assert budgets().keys() == {folder_of(str(file)) for file in files}


def test_a_folder_far_above_its_budget_is_a_fault(run: Run) -> None:
    assert run.by_folder() == {"tests": 2.5, "tests/ledger/log": 61.0}
    others = {"tests/fuzz": 79}
    assert faults_of(run, {"tests": 1, "tests/ledger/log": 21, **others}) == []
    (fault,) = faults_of(run, {"tests": 1, "tests/ledger/log": 20, **others})
    assert fault == "tests/ledger/log took 61 s; its budget is 20 s"


def test_a_machine_that_is_slow_everywhere_accuses_no_folder(run: Run) -> None:
    assert faults_of(run, {"tests": 4, "tests/ledger/log": 20}) == []
    assert faults_of(run, {"tests": 1, "tests/ledger/log": 20}) == [
        "all folders took 3.0 times their budgets, of 3 at most"
    ]


def test_a_long_test_without_a_reason_is_named(run: Run, tmp_path: Path) -> None:
    assert run.unexplained == {"tests/ledger/log/test_judges.py::test_b": 60.5}
    explained = tmp_path / "explained.xml"
    explained.write_text(JUNIT.format("it builds two programs"))
    assert Run.read(explained).unexplained == {}


@pytest.mark.slow("it is made of several")
@pytest.mark.parametrize(("seconds", "is_long"), [(LONG_SECONDS, False), (60.5, True)])
def test_a_long_call_is_reported_with_its_reason(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    seconds: float,
    *,
    is_long: bool,
) -> None:
    monkeypatch.setattr(request.node, "user_properties", [])
    call = pytest.CallInfo.from_call(lambda: None, when="call")
    call.duration = seconds
    reporting = pytest_runtest_makereport(request.node, call)
    next(reporting)
    expected = [(CALL_SECONDS, "60.5"), (REASON, "it is made of several")]
    assert request.node.user_properties == (expected if is_long else [])


@pytest.mark.parametrize("revision", ["HEAD", "HEAD^"])
def test_budgets_only_fall(revision: str) -> None:
    """A new folder begins with any budget; a clone without that revision compares nothing."""
    done = subprocess.run(  # noqa: S603 - fixed arguments
        ["git", "show", f"{revision}:{BUDGETS.relative_to(ROOT)}"],  # noqa: S607 - of the machine
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    before = tomllib.loads(done.stdout)["seconds"] if done.returncode == 0 else {}
    now = budgets()
    assert {name: now[name] for name in before if now.get(name, 0) > before[name]} == {}
