"""Files that hold secrets (keys, tokens, passwords), with the same rules for all of them.

A new file is written completely or not at all, even if the machine stops or its disk is full, and
never replaces another file. Rejected: a file or folder of secrets that users other than its owner
may access, because they may already have read it. No error repeats the content of a file.
"""

from __future__ import annotations

import os
from errno import EEXIST
from pathlib import Path
from tempfile import mkstemp

from ledger.core.errors import AuthorizationError
from ledger.storage.durable import sync_folder

__all__ = ["create_private", "make_private", "read_secret", "require_private", "write_secret"]

OTHERS = 0o077
_PRIVATE_MODE = 0o600
BYTES_MAX = 1 << 20


def read_secret(path: Path) -> bytes:
    """Read at most 1 MiB of a file that only its owner may access.

    Raises:
        AuthorizationError: other users may access it.
        OSError: it cannot be read; the caller translates the error.

    """
    with path.open("rb") as file:
        _require_private(path, os.fstat(file.fileno()).st_mode)
        return file.read(BYTES_MAX)


def write_secret(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may access.

    Raises:
        FileExistsError: it exists; it is not overwritten.
        OSError: it cannot be written, and was removed; the caller translates the error.

    """
    if os.path.lexists(path):
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(path))
    # Private to its owner, as mkstemp makes it.
    descriptor, unfinished = mkstemp(prefix=f".{path.name}.", suffix=".new", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.link(unfinished, path)  # unlike a rename, it replaces nothing
    finally:
        Path(unfinished).unlink()
    sync_folder(path.parent)


def create_private(path: Path) -> bool:
    """Create an empty file for its owner alone; return False, unopened, if it exists.

    SQLite gives its journals the same permissions as the file. Closing an existing one would
    release the locks of its other connections in this process (POSIX), and the next process to
    close the file would delete the journal under them.

    Raises:
        OSError: it cannot be created.

    """
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR | os.O_CLOEXEC, _PRIVATE_MODE))
    except FileExistsError:
        return False
    return True


def make_private(path: Path) -> None:
    """Create an empty file for its owner alone, or remove other users' access to an existing one.

    Raises:
        OSError: it can be neither created nor changed.

    """
    if not create_private(path):
        mode = path.stat().st_mode
        if mode & OTHERS:
            path.chmod(mode & 0o777 & ~OTHERS)


def require_private(path: Path) -> None:
    """Require that only its owner may access a file or folder; it is not opened here.

    Raises:
        AuthorizationError: other users may access it.
        OSError: its permissions cannot be read.

    """
    _require_private(path, path.stat().st_mode)


def _require_private(path: Path, mode: int) -> None:
    if mode & OTHERS:
        text = f"{path} has mode {mode & 0o777:03o}, so others can use what it holds"
        right = "700" if path.is_dir() else "600"
        raise AuthorizationError(f"{text}: set {right}, and replace the secret if it was read")
