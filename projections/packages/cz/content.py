"""Read the content of a package: a folder or a ZIP file of CSV files, piece by piece.

What comes in: a path whose name is the name of a package. What goes out: the files by their
case-insensitive names, and each of them as text in pieces of whole lines, so that memory does not
grow with the file. Nothing is unpacked to disk. Files named ``validation-…`` are the authority's
reports and are skipped.
"""

from __future__ import annotations

import errno
import lzma
import zipfile
import zlib
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from io import SEEK_END
from typing import IO, TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError
from projections.packages.cz.fields import files
from projections.packages.cz.names import PackageName

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

__all__ = [
    "DAMAGED",
    "LINE_MAX",
    "ContentError",
    "Package",
    "Piece",
    "is_damage",
    "name_of",
    "open_package",
    "pieces",
]

PIECE_BYTES = 1 << 20
LINE_MAX = 64_000
"""Maximum bytes of a line."""
MEMBERS_MAX = 1_000
"""Greatest number of files and folders in an archive."""
UNPACKED_BYTES_MAX = 32 << 30
"""Greatest total size of the unpacked files of an archive, in bytes."""
RATIO_MAX = 200
"""Greatest ratio of the unpacked size to that of the archive; ours have about a tenth of it."""
RATIO_FREE_BYTES = 16 << 20
"""Unpacked size up to which the ratio is not checked, in bytes."""

DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    lzma.LZMAError,
    EOFError,
    NotImplementedError,
    RuntimeError,
    UnicodeDecodeError,
)
"""Exceptions for an archive that is damaged, encrypted, or of another version."""

_SKIPPED = "validation-"
_SUFFIX = ".zip"


class ContentError(InputError):
    """An archive cannot be read completely."""


@dataclass(frozen=True, slots=True)
class Package:
    """An open package: its files and their bytes.

    Names of files are those of the model, others in lower case. ``extra`` are entries that do not
    belong to a package, such as folders.
    """

    name: PackageName
    files: dict[str, Callable[[], IO[bytes]]] = field(default_factory=dict)
    sizes: dict[str, int] = field(default_factory=dict)
    extra: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Piece:
    """Whole lines, unchanged; ``number`` is that of the first one.

    ``has_end``: the last line ends with its line terminator; only the last piece can lack it.
    """

    number: int
    raw: bytes
    has_end: bool


def name_of(path: Path) -> PackageName:
    """Parse the name of a package from that of its folder or ZIP file.

    Raises:
        InputError: it is not the name of a package.
    """
    name = path.resolve().name
    is_zip = name.lower().endswith(_SUFFIX)
    return PackageName.parse(name[: -len(_SUFFIX)] if is_zip else name)


@contextmanager
def open_package(path: Path) -> Iterator[Package]:
    """Open a folder or a ZIP file.

    Raises:
        InputError: it does not exist, or its name is not that of a package.
        ContentError: it is not a ZIP file.
        AvailabilityError: it cannot be read.
    """
    name = name_of(path)
    if path.is_dir():
        yield _folder(path, name)
        return
    if not path.is_file():
        raise InputError(f"there is no package {path}: name a folder or a ZIP file")
    try:
        archive = zipfile.ZipFile(path)
    except (*DAMAGED, OSError) as error:
        raise ContentError(str(error)) from error
    with archive:
        yield _archive(archive, name)


def _folder(path: Path, name: PackageName) -> Package:
    package = Package(name)
    for entry in sorted(path.iterdir()):
        if entry.is_file():
            _add(package, entry.name, entry.stat().st_size, partial(_open_file, entry))
        else:
            package.extra.append(entry.name)
    return package


def _open_file(path: Path) -> IO[bytes]:
    try:
        return path.open("rb")
    except OSError as error:
        raise AvailabilityError(f"{path} can't be read: {error}") from error


def _archive(archive: zipfile.ZipFile, name: PackageName) -> Package:
    package = Package(name)
    _require_bounded(archive)
    for entry in archive.infolist():
        parts = entry.filename.split("/")
        if parts[0].lower() == str(name).lower() and len(parts) > 1:
            parts = parts[1:]
        if parts == [""]:
            continue
        if len(parts) > 1:
            package.extra.append(entry.filename)
        else:
            _add(package, parts[0], entry.file_size, partial(archive.open, entry))
    return package


def _require_bounded(archive: zipfile.ZipFile) -> None:
    """Reject an archive that unpacks to far more than its own size, before unpacking anything.

    Reading an entry stops at the size that the archive states, so the sum of these sizes is a
    bound.
    """
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    archive_bytes = _size_of(archive)
    if len(entries) > MEMBERS_MAX:
        raise ContentError(f"it has {len(entries)} files, {MEMBERS_MAX} at most")
    if unpacked > UNPACKED_BYTES_MAX:
        raise ContentError(f"it unpacks to {unpacked} bytes, {UNPACKED_BYTES_MAX} at most")
    if packed > archive_bytes:
        raise ContentError("its files overlap")
    if unpacked > max(RATIO_FREE_BYTES, RATIO_MAX * archive_bytes):
        raise ContentError(
            f"it unpacks to {unpacked} bytes, more than {RATIO_MAX} times its own {archive_bytes}"
        )
    for entry in entries:
        if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
            raise ContentError(f"{entry.filename} is packed by a method other than ZIP's")


def _size_of(archive: zipfile.ZipFile) -> int:
    if archive.fp is None:
        raise ContentError("the archive is closed")
    return archive.fp.seek(0, SEEK_END)


def _add(package: Package, file_name: str, size: int, opened: Callable[[], IO[bytes]]) -> None:
    lower = file_name.lower()
    if lower.startswith(_SKIPPED):
        return
    known = {one.file_name.lower(): one.file_name for one in files(package.name.model).values()}
    name = known.get(lower, lower)
    if name in package.files:
        package.extra.append(file_name)
    else:
        package.files[name] = opened
        package.sizes[name] = size


def is_damage(error: OSError) -> bool:
    """Return whether an error means a damaged archive and not a failing disk.

    It is damage in bz2 data, or an entry that lies before the beginning of the file.
    """
    return error.errno in {None, errno.EINVAL}


def pieces(opened: Callable[[], IO[bytes]]) -> Iterator[Piece]:
    """Read a file in pieces of whole lines.

    If a line is longer than a piece, reading stops, and the last piece is the beginning of that
    line.

    Raises:
        ContentError: the archive is damaged.
        AvailabilityError: the disk fails.

    """
    number, rest = 0, b""
    try:
        with opened() as stream:
            while len(rest) < PIECE_BYTES:
                read = stream.read(PIECE_BYTES)
                if not read:
                    break
                whole, newline, rest = (rest + read).rpartition(b"\n")
                if newline:
                    yield Piece(number, whole + newline, has_end=True)
                    number += whole.count(b"\n") + 1
    except DAMAGED as error:
        raise ContentError(str(error)) from error
    except OSError as error:
        if is_damage(error):
            raise ContentError(str(error)) from error
        raise AvailabilityError(f"a file of the package can't be read: {error}") from error
    if rest:
        yield Piece(number, rest, has_end=False)
