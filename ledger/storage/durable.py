"""Durability of what must be on disk before it is acknowledged."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["sync_folder"]


def sync_folder(folder: Path) -> None:
    """Sync the names in a folder to disk; syncing a file does not do so.

    Raises:
        OSError: the disk fails; the caller knows what that means.

    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
