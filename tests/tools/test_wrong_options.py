"""Options that contradict each other, or that no answer fits: refused, never passed over."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cli_cases import begin, run_here

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def books(tmp_path_factory: pytest.TempPathFactory) -> Path:
    data = tmp_path_factory.mktemp("books") / "data"
    begin(data)
    assert run_here("log", "checkpoint", data=data).returncode == 0
    return data


@pytest.mark.parametrize(
    "command",
    ["evidence account a-1", "round list", "bet list", "log show", "play-time", "reconcile"],
)
@pytest.mark.parametrize(
    ("first", "end"),
    [
        ("2026-11-21", "2026-11-19"),
        ("2026-11-21", "2026-11-20"),
        ("2026-11-20T09", "2026-11-20T08"),
    ],
)
def test_a_period_that_ends_before_it_begins_is_refused(
    books: Path, tmp_path: Path, command: str, first: str, end: str
) -> None:
    asked = [*command.split(), "--from", first, "--to", end]
    file = tmp_path / "made.html"
    if command.startswith("evidence"):
        asked += ["--out", str(file)]
    done = run_here(*asked, data=books)
    assert (done.returncode, done.stdout) == (2, ""), done
    assert "the period ends before it begins" in done.stderr
    assert not file.exists()


def test_positions_and_moments_are_compared_where_they_are_found(books: Path) -> None:
    assert run_here("log", "show", "--from", "9", "--to", "8", data=books).returncode == 2
    assert run_here("log", "show", "--from", "9", "--to", "2020-01-01", data=books).returncode == 2
    for first, end in (
        ("9", "9"),
        ("9", "2199-01-01"),
        ("2020-01-01", "9"),
        ("99999", "2199-01-01"),
    ):
        done = run_here("log", "show", "--from", first, "--to", end, data=books)
        assert done.returncode == 0, (first, end, done.stderr)


def test_a_day_that_is_named_twice_is_a_whole_one(books: Path) -> None:
    done = run_here("log", "show", "--from", "2026-11-20", "--to", "2026-11-20", data=books)
    assert done.returncode == 0, done.stderr
