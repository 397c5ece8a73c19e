"""Sources of statements: folders and SFTP servers from which files are fetched.

Input: a TOML file with a table for each source. Output: the complete files of a source, each with
its name and content. Guaranteed: nothing is written, renamed or deleted on a source; a server shows
the pinned host key before anything is sent; every step ends in time. A file is complete when its
name does not mark it as unfinished and two listings, ``settle_seconds`` apart, agree on its size
and its time of change; its content has that size. Rejected: unknown settings, a source that is both
a folder and a server, a key file that others may read.
"""

from __future__ import annotations

import asyncio
import os
import time
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePosixPath
from stat import S_ISREG
from typing import TYPE_CHECKING, Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from ledger.core.decoders import decoder_of
from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, LedgerError
from ledger.core.extras import require_module
from ledger.core.phrases import Phrase
from ledger.storage.named_files import read_bounded, read_text, reading
from ledger.storage.secret_files import read_secret
from tools.statements.issuer import IssuerName

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from asyncssh import SFTPClient

__all__ = ["FILE_BYTES_MAX", "FetchedContent", "Source", "SourceFile", "fetched", "read_sources"]

FILE_BYTES_MAX = 64 << 20
SOURCE_FILES_MAX = 500
SOURCE_BYTES_MAX = 256 << 20
"""Files and bytes of one source that are fetched in one run, the oldest first; the rest fails."""
NAME_BYTES_MAX = 200
UNFINISHED = (".part", ".partial", ".filepart", ".tmp", ".temp", ".crdownload", ".new", "~")
"""Ends of names of files that are still being written."""
DAY_SECONDS = 86_400


SourceName = Annotated[str, Meta(min_length=1, max_length=100)]


class Source(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Where the files of an issuer are.

    Attributes:
        issuer: name of the issuer whose files they are.
        folder: the folder, or on a server its path there (``.`` where one logs in).
        files: which names are fetched, with ``*`` and ``?``.
        days: only files that were changed in these last days.
        settle_seconds: time between two listings of the folder.
        host: the server; empty for a folder of this machine.
        port: of the server.
        user: of the server.
        key: file with our private key, which only its owner may read.
        host_key: public key of the server, as ``ssh-keyscan`` shows it: kind and key.
        timeout_seconds: longest time of the whole exchange with the server.

    """

    issuer: IssuerName
    folder: Annotated[str, Meta(min_length=1)]
    files: Annotated[str, Meta(min_length=1)] = "*"
    days: Annotated[int, Meta(ge=1, le=3_660)] = 40
    settle_seconds: Annotated[float, Meta(ge=0, le=600)] = 5.0
    host: str = ""
    port: Annotated[int, Meta(ge=1, le=65_535)] = 22
    user: str = ""
    key: str = ""
    host_key: str = ""
    timeout_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 120.0

    def __post_init__(self) -> None:
        """Reject a server without user, key and host key, and these without a server."""
        if not all((self.user, self.key, self.host_key)) and self.host:
            raise ValueError("a server has `user`, `key` and `host_key`")
        if any((self.user, self.key, self.host_key)) and not self.host:
            raise ValueError("`user`, `key` and `host_key` are of a server: `host` is missing")


class SourceFile(NamedTuple):
    """A file as a listing shows it: name, size in bytes, and time of change in seconds."""

    name: str
    size: int
    changed_at: float


@dataclass(frozen=True, slots=True)
class FetchedContent:
    """A file of a source: its content, or why it was not fetched."""

    name: str
    content: bytes = b""
    fault: str | Phrase = ""


def read_sources(path: Path) -> dict[str, Source]:
    """Read the file of the sources; paths in it are relative to its folder.

    Raises:
        InputError: there is no such file, or it is malformed.

    """
    if not path.is_file():
        raise InputError(f"there is no {path}: docs/statements.md describes the sources in it")
    try:
        sources = decoder_of(dict[SourceName, Source]).toml(read_text(path))
    except ValueError as error:
        raise InputError(f"{path}: {error}: docs/statements.md describes the settings") from error
    base = path.parent
    return {
        name: msgspec.structs.replace(
            one,
            folder=one.folder if one.host else str(base / one.folder),
            key=one.key and str(base / one.key),
        )
        for name, one in sources.items()
    }


def fetched(source: Source, only: str = "") -> Iterator[FetchedContent]:
    """Yield the complete files of a source, the oldest first.

    Args:
        source: where they are.
        only: name of the one file that is wanted; all by default.

    Raises:
        LedgerError: the source can't be listed; the text gives the reason and the next step.

    """
    if source.host:
        yield from asyncio.run(_of_server(source, only))
        return
    before = _listed(source)
    time.sleep(source.settle_seconds)
    for one, fault in _complete(source, before, _listed(source), only):
        yield _of_folder(source, one) if fault is None else FetchedContent(one.name, fault=fault)


def _listed(source: Source) -> dict[str, SourceFile]:
    found = {}
    with reading(source.folder), os.scandir(source.folder) as entries:
        for one in entries:
            with suppress(FileNotFoundError):  # removed meanwhile, or a link that leads nowhere
                stat = one.stat()
                if S_ISREG(stat.st_mode) and _is_name(one.name):
                    found[one.name] = SourceFile(one.name, stat.st_size, stat.st_mtime)
    return found


def _is_name(name: str) -> bool:
    """Return whether a name is that of a file in a folder, whatever a server lists."""
    is_plain = name.isprintable() and not {"/", "\\"} & set(name)
    return is_plain and 0 < len(name.encode(errors="replace")) <= NAME_BYTES_MAX


def _complete(
    source: Source, before: Mapping[str, SourceFile], now: Mapping[str, SourceFile], only: str
) -> Iterator[tuple[SourceFile, Phrase | None]]:
    """Yield each wanted file of two listings once, with the fault for which it is left."""
    since = time.time() - source.days * DAY_SECONDS
    wanted = [
        one
        for name, one in now.items()
        if fnmatchcase(name, source.files)
        and not name.startswith(".")
        and not name.lower().endswith(UNFINISHED)
        and (name == only if only else one.changed_at >= since)
    ]
    wanted.sort(key=lambda one: (one.changed_at, one.name))
    files = length = 0
    for one in wanted:
        if before.get(one.name) != one:
            yield one, Phrase("FILE_INCOMPLETE")
        elif one.size > FILE_BYTES_MAX:
            yield one, Phrase("FILE_TOO_LARGE", most=FILE_BYTES_MAX >> 20)
        elif files == SOURCE_FILES_MAX or length + one.size > SOURCE_BYTES_MAX:
            yield (
                one,
                Phrase("SOURCE_TOO_LARGE", files=SOURCE_FILES_MAX, most=SOURCE_BYTES_MAX >> 20),
            )
        else:
            files, length = files + 1, length + one.size
            yield one, None


def _of_folder(source: Source, one: SourceFile) -> FetchedContent:
    try:
        content = read_bounded(Path(source.folder, one.name), bytes_max=FILE_BYTES_MAX)
    except LedgerError as error:
        return FetchedContent(one.name, fault=str(error))
    return _whole(one, content)


def _whole(one: SourceFile, content: bytes) -> FetchedContent:
    if len(content) != one.size:
        return FetchedContent(one.name, fault=Phrase("FILE_INCOMPLETE"))
    return FetchedContent(one.name, content)


async def _of_server(source: Source, only: str) -> list[FetchedContent]:
    require_module("asyncssh")
    import asyncssh

    try:
        async with asyncio.timeout(source.timeout_seconds), AsyncExitStack() as stack:
            client = await _connected(source, stack)
            before = await _listed_there(source, client)
            await asyncio.sleep(source.settle_seconds)
            now = await _listed_there(source, client)
            found = []
            for one, fault in _complete(source, before, now, only):
                if fault is None:
                    found.append(await _read_there(source, client, one))
                else:
                    found.append(FetchedContent(one.name, fault=fault))
            return found
    except TimeoutError as error:
        seconds = f"{source.timeout_seconds:g}"
        reason = Phrase("SOURCE_SILENT", host=source.host, seconds=seconds)
        raise AvailabilityError(reason) from error
    except asyncssh.HostKeyNotVerifiable as error:
        raise AuthorizationError(Phrase("SOURCE_KEY_DIFFERS", host=source.host)) from error
    except asyncssh.PermissionDenied as error:
        reason = Phrase("SOURCE_REFUSES", host=source.host, user=source.user)
        raise AuthorizationError(reason) from error
    except asyncssh.SFTPError as error:
        reason = Phrase(
            "SOURCE_UNREADABLE", host=source.host, folder=source.folder, why=error.reason
        )
        raise InputError(reason) from error
    except (OSError, asyncssh.Error) as error:
        reason = Phrase("SOURCE_UNREACHABLE", host=source.host, why=str(error))
        raise AvailabilityError(reason) from error


async def _connected(source: Source, stack: AsyncExitStack) -> SFTPClient:
    import asyncssh

    with reading(source.key):
        secret = read_secret(Path(source.key))
    try:
        key = asyncssh.import_private_key(secret)
        pinned = asyncssh.import_public_key(source.host_key)
    except (asyncssh.KeyImportError, ValueError) as error:
        raise InputError(f"{source.host}: `key` or `host_key` is no key of SSH: {error}") from error
    connection = await stack.enter_async_context(
        asyncssh.connect(
            source.host,
            source.port,
            username=source.user,
            client_keys=[key],
            known_hosts=([pinned], [], []),
            agent_path=None,
            config=None,
            preferred_auth="publickey",
        )
    )
    return await stack.enter_async_context(connection.start_sftp_client())


async def _listed_there(source: Source, client: SFTPClient) -> dict[str, SourceFile]:
    found = {}
    async for one in client.scandir(source.folder):
        name, at = str(one.filename), one.attrs
        if at.permissions is not None and S_ISREG(at.permissions) and _is_name(name):
            found[name] = SourceFile(name, at.size or 0, float(at.mtime or 0))
    return found


async def _read_there(source: Source, client: SFTPClient, one: SourceFile) -> FetchedContent:
    path = str(PurePosixPath(source.folder, one.name))
    async with client.open(path, "rb") as file:
        content = await file.read(FILE_BYTES_MAX + 1)
    return _whole(one, content if isinstance(content, bytes) else content.encode())
