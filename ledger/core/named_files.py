"""Files named by the user: a file that cannot be read is reported with its name and the reason.

A mistyped name, a folder instead of a file, a file of another user: another name helps, a retry
does not. Only a failing disk is a temporary error.
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
    """A named file cannot be read; a running service may find it there later."""


@contextmanager
def reading(path: Path | str, *, named: str = "") -> Iterator[None]:
    """Report errors of reading a named file or of parsing its text.

    Args:
        path: the file.
        named: the option or setting that named it, where that is not clear.

    Raises:
        UnreadFileError: it does not exist, has an unusable name, or is not UTF-8 text.
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
    """Return in words why a file cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return _WHY.get(error.errno or 0, error.strerror or type(error).__name__)
