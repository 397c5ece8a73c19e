"""Exclusive right to write in a folder: one process at a time holds the lock file in it."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["WriterLock"]


class WriterLock:
    """The right to write in a folder, held until it is released or the process ends."""

    def __init__(self, path: Path) -> None:
        """Take the lock.

        Raises:
            AvailabilityError: another writer holds it.

        """
        self._descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            holder = os.pread(self._descriptor, 32, 0).strip()
            self.release()
            name = holder.decode() if holder.isdigit() else "unknown"
            text = f"{path.parent} is being written by process {name}"
            raise AvailabilityError(f"{text}: stop it first, or send it the commands") from error
        with suppress(OSError):  # a full disk: the lock is held, only the number is not written
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, f"{os.getpid()}\n".encode(), 0)

    def release(self) -> None:
        """Release the lock; releasing twice is allowed."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
