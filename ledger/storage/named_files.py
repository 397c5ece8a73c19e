"""Read files named by the user; an error names the file and the reason.

A mistyped name, a folder instead of a file, a file of another user: these need another name, and a
retry does not help. Only a failing disk is a temporary error.
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from io import BufferedReader
    from pathlib import Path

__all__ = [
    "TEXT_BYTES_MAX",
    "UnreadFileError",
    "open_regular",
    "read_bounded",
    "read_text",
    "reading",
    "relative_paths",
    "why_unread",
]

TEXT_BYTES_MAX = 1 << 20
"""Maximum bytes of a file with settings, a plan, a note or a certificate."""

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
    """A file named by the user cannot be read; it may exist later."""


@contextmanager
def reading(path: Path | str, *, named: str = "") -> Iterator[None]:
    """Translate errors of reading a file named by the user, or of decoding its text.

    Args:
        path: the file.
        named: the option or setting that names the file; empty if that is clear.

    Raises:
        UnreadFileError: the file does not exist, has an unusable name, or is not UTF-8 text.
        AvailabilityError: its disk fails.

    """
    place = f"{path}, named by {named}," if named else str(path)
    if "\0" in place:
        raise UnreadFileError(f"{place!r} can't be read: no name of a file holds the character NUL")
    try:
        yield
    except (OSError, UnicodeDecodeError) as error:
        text = f"{place} can't be read: {why_unread(error)}"
        if isinstance(error, OSError) and error.errno not in _WHY:
            raise AvailabilityError(text) from error
        raise UnreadFileError(text) from error


def open_regular(path: Path | str, *, named: str = "") -> BufferedReader:
    """Open a regular file for reading; a pipe, a device or a folder is rejected without blocking.

    Raises:
        UnreadFileError: it does not exist, has an unusable name, or is not a regular file.
        AvailabilityError: its disk fails.

    """
    with reading(path, named=named):
        if not S_ISREG(os.stat(path).st_mode):  # noqa: PTH116 - a text is a name, too
            raise _not_regular(path, os.stat(path).st_mode)  # noqa: PTH116
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        if not S_ISREG(mode := os.fstat(descriptor).st_mode):  # replaced since it was looked at
            os.close(descriptor)
            raise _not_regular(path, mode)
        return os.fdopen(descriptor, "rb")


def _not_regular(path: Path | str, mode: int) -> UnreadFileError:
    what = "it is a folder" if S_ISDIR(mode) else "it is a pipe or a device, not a file"
    return UnreadFileError(f"{path} can't be read: {what}")


def read_bounded(path: Path | str, *, bytes_max: int = TEXT_BYTES_MAX, named: str = "") -> bytes:
    """Read a regular file that comes from outside, of ``bytes_max`` bytes at most.

    Raises:
        UnreadFileError: as :func:`open_regular`, or it has more bytes.
        AvailabilityError: its disk fails.

    """
    with open_regular(path, named=named) as file, reading(path, named=named):
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise UnreadFileError(
            f"{path} has more than {bytes_max} bytes: it is not what it should be"
        )
    return content


def read_text(path: Path | str, *, bytes_max: int = TEXT_BYTES_MAX, named: str = "") -> str:
    """Read a regular file of text in UTF-8, as :func:`read_bounded`; any newline becomes LF."""
    content = read_bounded(path, bytes_max=bytes_max, named=named)
    with reading(path, named=named):
        return content.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def why_unread(error: OSError | UnicodeDecodeError) -> str:
    """Return a text that explains why a file cannot be read."""
    if isinstance(error, UnicodeDecodeError):
        return "it is no text in UTF-8"
    return _WHY.get(error.errno or 0, error.strerror or type(error).__name__)


def relative_paths(path: Path) -> Callable[[type, object], Path]:
    """Return a hook of a decoder: paths in a file of settings are relative to its folder.

    The hook raises ValueError for what is empty or no text.
    """

    def from_text(_: type, text: object) -> Path:
        if not isinstance(text, str) or not text:
            raise ValueError("Expected the path of a file")
        return path.parent / text

    return from_text
