"""What a killed build leaves behind is removed by the next one, and nothing else is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from projections.packages.cz.build import WRITTEN, _locked, _workplace
from projections.packages.cz.names import PackageName

if TYPE_CHECKING:
    from pathlib import Path

NAME = PackageName.parse("26493993-V-2026112016-Z-01")


def place(out: Path, name: str, file: str = "ucet.csv") -> Path:
    """Make a folder as a build has it while it writes."""
    folder = out / name
    (folder / WRITTEN).mkdir(parents=True)
    (folder / WRITTEN / file).write_text("half a li")
    return folder


def test_folders_of_killed_builds_are_removed_and_no_others(tmp_path: Path) -> None:
    killed = place(tmp_path, f".{NAME}.k1ll3d_x")
    running = place(tmp_path, f".{NAME}.running_")
    kept = [
        place(tmp_path, f".{NAME}.strange_", "mine.txt"),
        place(tmp_path, ".26493993-V-2026112008-Z-01.other_xx"),
        tmp_path / f".{NAME}.linked_x",
        running,
    ]
    kept[2].symlink_to(kept[1])
    with _locked(running), _workplace(tmp_path, NAME) as made:
        assert not killed.exists()
        assert made.is_dir()
        with _workplace(tmp_path, NAME) as another:  # leaves the first alone
            assert made.is_dir()
            assert another != made
    assert sorted(tmp_path.iterdir()) == sorted(kept)
