"""The file of a Unix socket: created where no file exists, or in place of a killed writer's socket.

A path on a command line may name anything: a log, a key, another user's folder. Only a socket of
our own user without a server is replaced, and at the end only the file created here is removed. Two
writers that start at the same time exclude each other by a lock on the folder.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import socket
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["SocketFile"]

PATH_BYTES_MAX = 107
"""What ``sockaddr_un`` holds on Linux, without its final zero."""
PROBE_SECONDS = 1.0
HIDING_ALL_BUT_OWNER = 0o177
OWNER_AND_GROUP = 0o660


class SocketFile:
    """A path at which a socket may be created."""

    def __init__(self, path: Path, group: str | None = None) -> None:
        """Check the path; a socket may exist there, whether or not it is served.

        Args:
            path: of the socket.
            group: system group that may connect besides the owner.

        Raises:
            InputError: another kind of file exists there, or the path is not valid for a socket.

        """
        self._path = path
        self._group = group
        self._made: tuple[int, ...] | None = None
        if len(os.fsencode(path)) > PATH_BYTES_MAX:
            raise InputError(f"{path} is longer than the {PATH_BYTES_MAX} bytes of a socket's path")
        if not path.parent.is_dir():
            raise InputError(f"{path.parent} is no folder: make it, or name another for the socket")
        self._occupant()

    def listen(self, listening: socket.socket, backlog: int) -> None:
        """Bind a socket at the path and let clients connect.

        Raises:
            InputError: another kind of file exists there.
            AvailabilityError: another process serves it, or is creating it right now.
            OSError: the socket can't be created in the folder.

        """
        with self._taking():
            self._clear()
            before = os.umask(HIDING_ALL_BUT_OWNER)
            try:
                listening.bind(str(self._path))
            finally:
                os.umask(before)
            if self._group is not None:
                self._admit_group(self._group)
            self._made = self._occupant()
            listening.listen(backlog)

    def remove(self) -> None:
        """Remove the file created here, and no other; removing twice is allowed."""
        made, self._made = self._made, None
        with suppress(OSError, InputError):
            if made is not None and self._occupant() == made:
                self._path.unlink()

    def _admit_group(self, group: str) -> None:
        try:
            shutil.chown(self._path, group=group)
        except (LookupError, PermissionError) as error:
            self._path.unlink()
            raise InputError(
                f"the socket can't be given to group {group}: name one that this user belongs to"
            ) from error
        self._path.chmod(OWNER_AND_GROUP)

    @contextmanager
    def _taking(self) -> Iterator[None]:
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield
        except BlockingIOError as error:
            raise AvailabilityError(
                f"another process is making a socket in {self._path.parent}: start again"
            ) from error
        finally:
            os.close(folder)

    def _clear(self) -> None:
        found = self._occupant()
        if found is None:
            return
        if _is_served(self._path):
            raise AvailabilityError(
                f"{self._path} is served by another process: stop it, or name another path"
            )
        if self._occupant() == found:
            self._path.unlink()

    def _occupant(self) -> tuple[int, ...] | None:
        """Return our own user's socket that exists at the path; None if nothing exists there."""
        try:
            found = self._path.lstat()
        except FileNotFoundError:
            return None
        if not stat.S_ISSOCK(found.st_mode):
            raise InputError(f"{self._path} is no socket and is left alone: name another path")
        if found.st_uid != os.geteuid():
            raise InputError(
                f"{self._path} is a socket of another user and is left alone: name another path"
            )
        return found.st_dev, found.st_ino, found.st_ctime_ns  # inode numbers are reused


def _is_served(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(PROBE_SECONDS)
        try:
            probe.connect(str(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:  # busy, or it takes datagrams: a server is there
            return True
    return True
