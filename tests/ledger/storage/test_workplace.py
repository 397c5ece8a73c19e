"""What a killed process leaves in a folder is removed by its repeat, and nothing else is."""

from __future__ import annotations

import os
from fcntl import LOCK_EX, LOCK_NB, flock
from typing import TYPE_CHECKING

import pytest

from ledger.core.errors import AvailabilityError
from ledger.storage.workplace import temporary_folder, workplace

if TYPE_CHECKING:
    from pathlib import Path

NAME = "26493993-V-2026112016-Z-01"
HOLDS = ("package", "package/ucet.csv")


def place(out: Path, name: str, file: str = "ucet.csv") -> Path:
    """Make a folder as a process has it while it writes."""
    folder = out / name
    (folder / "package").mkdir(parents=True)
    (folder / "package" / file).write_text("half a li")
    return folder


def test_places_of_killed_processes_are_removed_and_no_others(tmp_path: Path) -> None:
    killed = place(tmp_path, f".{NAME}.k1ll3d_x")
    running = place(tmp_path, f".{NAME}.running_")
    kept = [
        place(tmp_path, f".{NAME}.strange_", "mine.txt"),
        place(tmp_path, ".26493993-V-2026112008-Z-01.other_xx"),
        place(tmp_path, f".{NAME}.mine"),
        tmp_path / f".{NAME}.linked_x",
        running,
    ]
    kept[3].symlink_to(kept[1])
    handle = os.open(running, os.O_RDONLY)
    flock(handle, LOCK_EX | LOCK_NB)
    with workplace(tmp_path, NAME, HOLDS) as made:
        assert not killed.exists()
        assert made.is_dir()
        with workplace(tmp_path, NAME, HOLDS) as another:  # leaves the first alone
            assert made.is_dir()
            assert another != made
    os.close(handle)
    assert sorted(tmp_path.iterdir()) == sorted(kept)


def test_a_place_that_was_removed_before_its_lock_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    removed: list[str] = []

    def lock_late(handle: int, operation: int) -> None:
        if not removed:
            removed.extend(one.name for one in tmp_path.iterdir())
            for one in tmp_path.iterdir():
                one.rmdir()
        flock(handle, operation)

    monkeypatch.setattr("ledger.storage.workplace.flock", lock_late)
    with workplace(tmp_path, NAME, HOLDS) as made:
        assert removed
        assert made.is_dir()
        assert made.name not in removed
    assert not list(tmp_path.iterdir())


def test_a_temporary_folder_of_a_killed_process_is_removed_by_the_next_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    killed = place(tmp_path, ".gameledger.k1ll3d_x", "statement.gpc")
    killed.chmod(0o700)
    kept = [
        place(tmp_path, ".gameledger.readable"),  # never one of ours: those are private
        place(tmp_path, "gameledger-k1ll3d_x"),
        place(tmp_path, ".gameledger.mine"),
    ]
    kept[0].chmod(0o755)
    with temporary_folder() as first, temporary_folder() as second:
        assert not killed.exists()
        assert first != second
        for made in (first, second):
            assert made.stat().st_mode & 0o777 == 0o700
            (made / "any.txt").touch()
    assert sorted(tmp_path.iterdir()) == sorted(kept)


def test_a_temporary_folder_that_can_not_be_created_names_the_next_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "gone"))
    with (
        pytest.raises(AvailabilityError, match="name another folder in TMPDIR"),
        temporary_folder(),
    ):
        pass
