"""Copies of tables in a user's cache are bounded: unused ones are removed, others never."""

from __future__ import annotations

import os
import shutil
import time
from contextlib import closing
from typing import TYPE_CHECKING

import pytest

from projections.store import folders
from tests.tools.cli_cases import run
from tools.data import DataDirectory

if TYPE_CHECKING:
    from pathlib import Path

QUESTION = ("balances", "--json")
WEEK = 7 * 24 * 3600.0


class _LockedFolder:
    """A folder whose lock this process holds, until it is closed."""

    def __init__(self, folder: Path) -> None:
        lock = folders.lock_folder(folder)
        assert lock is not None
        self.close = lock.release


def _age(file: Path, seconds: float) -> None:
    moment = time.time() - seconds
    file.touch()
    os.utime(file, (moment, moment))


@pytest.mark.slow
def test_only_copies_in_use_and_one_more_remain_in_the_cache(
    projected_once: Path, tmp_path: Path
) -> None:
    data = shutil.copytree(projected_once, tmp_path / "data", symlinks=True)
    answer = run(*QUESTION, data=data).stdout
    environment = {"GAMELEDGER_CACHE": str(tmp_path / "cache")}
    own = DataDirectory(data, environment=environment).cache
    other = own.parent / "0123456789abcdef"
    for copy in (own / "projection-2", own / "projection-3", other / "projection-1"):
        shutil.copytree(data / "projection", copy, symlinks=True)
        copy.with_name(f"{copy.name}.seen").touch()
    (own / "projection-4").mkdir()
    (own / "projection-4" / "thesis.txt").write_text("mine")

    def ask() -> set[str]:
        done = run(*QUESTION, data=data, environment=environment)
        assert (done.returncode, done.stdout) == (0, answer), done.stderr
        copies = own.parent.glob("*/projection-*")
        return {f"{one.parent.name == own.name:d}{one.name[-2:]}" for one in copies if one.is_dir()}

    _age(
        data / "projection" / "status", 60
    )  # a service has held them for long, and is not waited for
    with closing(_LockedFolder(data / "projection")), closing(_LockedFolder(own / "projection-3")):
        assert ask() == {"1-1", "1-3", "1-4", "0-1"}
        _age(other / "projection-1.seen", WEEK + 1)
        assert ask() == {"1-1", "1-3", "1-4"}
    assert ask() == {"1-1", "1-3", "1-4"}, "the next night may need them"
    for copy in ("projection-1", "projection-3"):
        _age(own / f"{copy}.seen", WEEK + 1)
    assert ask() == {"1-4"}
    assert (own / "projection-4" / "thesis.txt").read_text() == "mine"
