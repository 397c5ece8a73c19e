"""Cache of answers for this user, for later queries about the same messages.

An answer that follows from rules (a finding, a match) is used only by the program that computed it:
:func:`program_digest` changes with every file that can decide one.
"""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from importlib import resources
from typing import TYPE_CHECKING, TypeVar

import msgspec

from ledger.core.decoders import decoder_of
from ledger.core.errors import LedgerError
from ledger.core.phrases import plain_value
from tools.whole_files import write_whole

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from importlib.resources.abc import Traversable

    from tools.data.directory import DataDirectory

__all__ = ["program_digest", "read_cached", "write_cached"]

PACKAGES = tuple(map(resources.files, ("schemas", "ledger", "projections")))
"""Packages whose code and texts determine an answer."""
_Kept = TypeVar("_Kept", bound=msgspec.Struct)


def program_digest(packages: Iterable[Traversable] = PACKAGES) -> str:
    """Return a digest of all files of the packages that determine an answer.

    A process computes it when it starts: its files may be replaced while it runs.
    """
    digest = sha256()
    for package in packages:
        for name, file in _files(package.name, package):
            content = file.read_bytes()
            digest.update(f"{name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _files(name: str, folder: Traversable) -> Iterator[tuple[str, Traversable]]:
    """Yield the files of a folder and those below it, in one order, without compiled modules."""
    for one in sorted(folder.iterdir(), key=lambda one: one.name):
        path = f"{name}/{one.name}"
        if one.is_dir() and one.name != "__pycache__":
            yield from _files(path, one)
        elif one.is_file():
            yield path, one


def write_cached(directory: DataDirectory, file: str, answer: msgspec.Struct) -> None:
    """Store an answer, if there is a cache."""
    path = directory.cache / file
    with suppress(OSError, LedgerError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(path, msgspec.json.encode(answer, enc_hook=plain_value), replacing=True)


def read_cached(directory: DataDirectory, file: str, kind: type[_Kept]) -> _Kept | None:
    """Return a cached answer; None if there is none, or none of this kind."""
    with suppress(OSError, ValueError, msgspec.MsgspecError):
        return decoder_of(kind).json((directory.cache / file).read_bytes())
    return None
