"""Create folders and sync names to disk before something in them is acknowledged."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "OPEN",
    "PRIVATE",
    "database_files",
    "file_identity",
    "make_folder",
    "sync_folder",
    "undoing",
]

PRIVATE = 0o700
"""Only the user of the program: other users of the machine would read past all roles."""
OPEN = 0o755
"""Everybody of the machine reads, such as a web server."""


def make_folder(folder: Path, *, mode: int = PRIVATE) -> None:
    """Create a folder and those above it, if missing, with their names synced to disk.

    Args:
        folder: the folder.
        mode: permission bits of the folder itself, which the umask can only narrow.

    Raises:
        OSError: it cannot be created or the disk fails; the caller translates the error.

    """
    missing = []
    place = folder
    while not place.exists():
        missing.append(place)
        place = place.parent
    folder.mkdir(mode=mode, parents=True, exist_ok=True)
    for folder_made in missing:
        sync_folder(folder_made.parent)


@contextmanager
def undoing() -> Iterator[Callable[[Path], None]]:
    """Remove the files that a block created if it fails, so that a repeat finds its folder empty.

    The block calls the yielded function with each file that it has created.
    """
    created: list[Path] = []
    try:
        yield created.append
    except BaseException:
        for path in created:
            path.unlink(missing_ok=True)
        raise


def sync_folder(folder: Path) -> None:
    """Sync the names of the files in a folder to disk; syncing a file does not do so.

    Raises:
        OSError: the disk fails; the caller translates the error.

    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def file_identity(path: Path) -> tuple[int, int] | None:
    """Return which file stands at a path, by device and inode; None if there is none.

    SQLite goes on with a file that was deleted, moved or replaced, and reports each commit to it:
    a program that acknowledges one compares this with what it opened.
    """
    try:
        facts = path.stat()
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def database_files(path: Path) -> tuple[tuple[int, int] | None, ...]:
    """Return which SQLite file and which journal stand at a path, as :func:`file_identity`."""
    return tuple(map(file_identity, (path, path.with_name(f"{path.name}-wal"))))
