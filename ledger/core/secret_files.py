"""Files that hold a secret: keys, tokens, passwords. One rule for all of them.

Refused: a file or folder of secrets that others than its owner may use, because what they may
have read is no secret any more. Nothing here ever repeats what a file holds.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from ledger.core.errors import AuthorizationError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["read_secret", "require_private"]

OTHERS = 0o077
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
