"""Hidden folders in which a file or a folder is written before it gets its name, or temporarily.

Guaranteed: what a killed process left is removed by the next one that writes the same, and the
place of a process that is at work is left alone, as it holds a lock on it. Never removed: what has
another name, or holds anything else than such a place; temporarily, what is of another user.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import ExitStack, contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from tempfile import gettempdir, mkdtemp
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from ledger.storage.durable import PRIVATE, file_identity

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["temporary_folder", "workplace"]

_RANDOM = re.compile("[a-z0-9_]{8}")
"""What the standard library puts behind the prefix of such a folder."""


@contextmanager
def temporary_folder() -> Iterator[Path]:
    """Create a private folder for temporary files, and delete it in the end.

    Raises:
        AvailabilityError: it can't be created.

    """
    with ExitStack() as stack:
        try:
            place = stack.enter_context(workplace(Path(gettempdir()), "gameledger", None))
        except OSError as error:
            raise AvailabilityError(
                f"no temporary folder can be created ({error.strerror}): free some room, or name "
                "another folder in TMPDIR, and repeat"
            ) from error
        yield place


@contextmanager
def workplace(folder: Path, name: str, holds: Collection[str] | None) -> Iterator[Path]:
    """Create a hidden folder ``.NAME.…`` inside a folder, and delete it in the end.

    Args:
        folder: where what is written will stand; it exists.
        name: of what is written there.
        holds: paths inside the hidden folder, of folders too, that may be written; None for any.

    Raises:
        OSError: it can't be created.

    """
    for left in folder.iterdir():
        if _is_workplace(left, name, holds):
            with suppress(OSError):
                _remove_abandoned(left)
    place, handle = _create(folder, name)
    try:
        yield place
    finally:
        shutil.rmtree(place)
        os.close(handle)


def _create(folder: Path, name: str) -> tuple[Path, int]:
    """Create a place and lock it; another process may remove it before it is locked."""
    while True:
        place = Path(mkdtemp(prefix=f".{name}.", dir=folder))
        try:
            handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # without file locks, nothing is removed either
            flock(handle, LOCK_EX)
        if file_identity(place) is not None:
            return place, handle
        os.close(handle)


def _remove_abandoned(place: Path) -> None:
    """Remove the place of a process that ended.

    Raises:
        OSError: a process holds its lock, or locks are not supported.

    """
    handle = os.open(place, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        flock(handle, LOCK_EX | LOCK_NB)
        shutil.rmtree(place)
    finally:
        os.close(handle)


def _is_workplace(place: Path, name: str, holds: Collection[str] | None) -> bool:
    """Return whether a folder has the name of a place, and no other content than one."""
    prefix = f".{name}."
    if not (place.name.startswith(prefix) and _RANDOM.fullmatch(place.name, len(prefix))):
        return False
    if place.is_symlink() or not place.is_dir():
        return False
    if holds is None:
        facts = place.stat()
        return facts.st_uid == os.geteuid() and facts.st_mode & 0o777 == PRIVATE
    return all(str(path.relative_to(place)) in holds for path in place.rglob("*"))
