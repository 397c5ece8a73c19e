"""Files that somebody names: what can't be read is told with the file's name and why.

A name that is mistyped, a folder in place of a file, a file of somebody else: another name helps,
a repeat does not. Only a disk that fails is away for a while.
"""

from __future__ import annotations

import errno
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["UnreadFileError", "reading", "why_unread"]

_WHY = {
    errno.ENOENT: "there is no such file",
    errno.ENOTDIR: "there is no such file",
    errno.EISDIR: "it is a folder",
    errno.EACCES: "this user may not read it",
    errno.EPERM: "this user may not read it",
    errno.ELOOP: "its links lead nowhere",
    errno.ENAMETOOLONG: "its name is too long",
    errno.EINVAL: "it is no file to read",
    errno.ENXIO: "it is no file to read",
}


class UnreadFileError(InputError):
    """A file that was named can't be read; a service that runs on may find it there later."""


@contextmanager
def reading(path: Path | str, *, named: str = "") -> Iterator[None]:
    """Read a file that somebody named, or a text out of it.

    Args:
        path: the file.
        named: by what it was named, where that is not clear.

    Raises:
        UnreadFileError: there is none, or another name is needed, or it is no text in UTF-8.
        AvailabilityError: its disk fails.

    """
    place = f"{path}, named by {named}," if named else str(path)
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        text = f"{place} can't be read: {why_unread(error)}"
        if isinstance(error, OSError) and error.errno not in _WHY:
            raise AvailabilityError(text) from error
        raise UnreadFileError(text) from error


def why_unread(error: OSError | UnicodeDecodeError) -> str:
    """Say why a file can't be read, in words."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return _WHY.get(error.errno or 0, error.strerror or type(error).__name__)
