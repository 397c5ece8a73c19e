"""How tests are grouped and ordered for the workers of a run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import SECONDS, Scheduling, pytest_collection_modifyitems

ROOT = Path(__file__).parents[1]


class Item:
    """A test as far as its order goes."""

    fixturenames = ()

    def __init__(self, nodeid: str, *marks: pytest.MarkDecorator) -> None:
        self.nodeid, self.marks = nodeid, {one.name: one.mark for one in marks}

    def get_closest_marker(self, name: str) -> pytest.Mark | None:
        return self.marks.get(name)


@pytest.mark.parametrize(
    ("nodeid", "scope"),
    [
        ("tests/test_a.py::test_b", "tests/test_a.py"),
        ("tests/test_a.py::test_b[x@y]", "tests/test_a.py"),
        ("tests/test_a.py::test_b@brokers", "brokers"),
        ("tests/test_a.py::test_b[x@y]@brokers", "brokers"),
    ],
)
def test_a_group_is_scheduled_as_one_file(nodeid: str, scope: str) -> None:
    assert Scheduling._split_scope(object.__new__(Scheduling), nodeid) == scope


def test_brokers_come_first_then_the_program_and_long_files_before_short_ones() -> None:
    long, short = sorted(SECONDS, key=lambda name: -SECONDS[name])[:2]
    program, group = pytest.mark.program, pytest.mark.xdist_group
    expected = [
        Item("tests/new.py::test_a", group("brokers")),
        Item("tests/new.py::test_b", program),
        Item(f"{long}::test_c", group("together")),
        Item("tests/new.py::test_d", group("together")),
        Item(f"{short}::test_e"),
        Item("tests/new.py::test_f"),
    ]
    items = expected[::-1]
    pytest_collection_modifyitems(items)  # type: ignore[arg-type]
    assert {one.nodeid for one in items[2:4]} == {one.nodeid for one in expected[2:4]}
    items[2:4] = expected[2:4]
    assert items == expected


def test_a_worker_names_the_group_of_a_test() -> None:
    command = ["-m", "pytest", "-v", "-n", "1", "-k", "full_hours", "-p", "no:cacheprovider"]
    file = "tests/projections/pictures/test_charts.py"
    done = subprocess.run(  # noqa: S603 - our own arguments
        [sys.executable, *command, file], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "test_ticks_of_time_are_full_hours_in_prague@pictures" in done.stdout


def test_durations_are_of_files_that_are_there() -> None:
    assert [name for name in SECONDS if not (ROOT / name).is_file()] == []
