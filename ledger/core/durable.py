"""What has to be on the disk before anybody is told of it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["sync_folder"]


def sync_folder(folder: Path) -> None:
    """Wait until the disk has the names in a folder; a file's own sync does not say so.

    Raises:
        OSError: the disk does not take them; the caller knows what that means.

    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
