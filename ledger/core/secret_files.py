"""Files that hold a secret: keys, tokens, passwords. One rule for all of them.

A new one is there whole or not at all, if its disk is full, and never takes the place of another.
Refused: a file or folder of secrets that others than its owner may use, because what they may
have read is no secret any more. Nothing here ever repeats what a file holds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ledger.core.durable import sync_folder
from ledger.core.errors import AuthorizationError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_secret", "require_private", "write_secret"]

OTHERS = 0o077
_PRIVATE_MODE = 0o600
BYTES_MAX = 1 << 20


def read_secret(path: Path) -> bytes:
    """Read a file that only its owner may use, at most 1 MiB of it.

    Raises:
        AuthorizationError: others may use it.
        OSError: it can't be read; the caller knows what that means.

    """
    with path.open("rb") as file:
        _require_private(path, os.fstat(file.fileno()).st_mode)
        return file.read(BYTES_MAX)


def write_secret(path: Path, content: bytes) -> None:
    """Write a new file that only its owner may use.

    Raises:
        FileExistsError: one is there; it is not overwritten.
        OSError: it can't be written, and is not there; the caller knows what that means.

    """
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        sync_folder(path.parent)
    except OSError:
        path.unlink(missing_ok=True)
        raise


def require_private(path: Path) -> None:
    """Require of a file or folder that somebody else will open that only its owner may use it.

    Raises:
        AuthorizationError: others may use it.
        OSError: it can't be looked at.

    """
    _require_private(path, path.stat().st_mode)


def _require_private(path: Path, mode: int) -> None:
    if mode & OTHERS:
        text = f"{path} has mode {mode & 0o777:03o}, so others can use what it holds"
        right = "700" if path.is_dir() else "600"
        raise AuthorizationError(f"{text}: set {right}, and replace the secret if it was read")
