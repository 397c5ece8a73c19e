"""What the program makes is for its own user, also with a usual umask."""

from __future__ import annotations

import os
import stat
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from ledger.log.sqlite import SqliteLog
from tests.ledger.chain_cases import Chain
from tests.tools.cli_cases import run

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture(autouse=True)
def _usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def is_private(folder: Path) -> bool:
    return not stat.S_IMODE(folder.stat().st_mode) & 0o077


def test_log_is_readable_by_its_user_alone(tmp_path: Path) -> None:
    with closing(SqliteLog(tmp_path / "log", writable=True)) as log:
        log.append(Chain().open().messages)
    assert is_private(tmp_path / "log")


def test_data_directory_of_the_program_is_private(tmp_path: Path) -> None:
    named = ("--operator", "26493993", "--name", "Test", "--chain", "test", "--rules", "sazka")
    assert run("init", *named, data=tmp_path / "data").returncode == 0
    assert run("balances", "--json", data=tmp_path / "data").returncode == 0
    assert is_private(tmp_path / "data")
    done = run(
        "log", "copy", str(tmp_path / "data"), str(tmp_path / "copy"), data=tmp_path / "data"
    )
    assert done.returncode == 0, done.stderr
    assert is_private(tmp_path / "copy")
