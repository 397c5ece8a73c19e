"""Write files atomically: complete or not at all, even if the machine stops or the disk is full."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.durable import make_folder, sync_folder
from ledger.storage.workplace import workplace

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["folder_at", "write_whole"]

READABLE = 0o644


def folder_at(path: Path) -> Path:
    """Create a folder if it does not exist."""
    try:
        make_folder(path)
    except OSError as error:
        raise AvailabilityError(f"{path} can't be used: {error}") from error
    return path


def write_whole(
    target: Path, content: bytes, *, replacing: bool = False, mode: int = READABLE
) -> None:
    """Write a new file atomically.

    Args:
        target: the file.
        content: its bytes.
        replacing: an existing file of other content may be replaced, as it was never published.
        mode: permissions of the file.

    Raises:
        InputError: a file of other content exists; it is not overwritten.
        AvailabilityError: the folder can't be written.

    """
    folder = folder_at(target.parent)
    try:
        if os.path.lexists(target):
            if target.is_file() and target.read_bytes() == content:
                return
            if not (replacing and target.is_file()):
                raise InputError(
                    f"{target} holds other content: move it away, or name another folder"
                )
        with workplace(folder, target.name, {target.name}) as place:
            part = place / target.name
            with part.open("xb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            part.chmod(mode)
            part.rename(target)
            sync_folder(folder)
    except OSError as error:
        raise AvailabilityError(f"{target} can't be written: {error}") from error
