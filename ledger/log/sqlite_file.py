"""SQLite files: how they are opened and made."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import closing, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from ledger.core.durable import sync_folder
from ledger.core.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = ["OpenFile", "cache_held", "connect", "create", "frozen_state", "has_shape", "remove"]

_PRIVATE = 0o700

BUSY_SECONDS = 30.0
"""How long a statement waits for another connection before it gives up."""

_SHAPE = "SELECT sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'"

_HEADER_BYTES = 100
_OPEN: Counter[tuple[int, int]] = Counter()
"""How many parts of this process have a file open, by its device and number."""
_COUNTING = Lock()


class OpenFile:
    """A file that a part of this process opens with SQLite, and its header as it is before.

    The header is empty where another part has the file open: nothing but SQLite may close it then.
    A process that closes a file loses all its locks on it (POSIX). Another process would take
    itself for the last one and delete the journal, and this one would go on reading and writing
    the deleted one.
    """

    def __init__(self, path: Path) -> None:
        """Count the file as open.

        Raises:
            OSError: it can't be read.

        """
        self.header = b""
        with _COUNTING:
            facts = path.stat()
            self._key: tuple[int, int] | None = (facts.st_dev, facts.st_ino)
            if not _OPEN[self._key]:
                with path.open("rb") as file:
                    self.header = file.read(_HEADER_BYTES)
            _OPEN[self._key] += 1

    def close(self) -> None:
        """Count it no more, once all connections are closed; closing twice is allowed."""
        with _COUNTING:
            key, self._key = self._key, None
            if key is not None:
                _OPEN[key] -= 1
                if not _OPEN[key]:
                    del _OPEN[key]


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """Open a file that exists; transactions are begun and ended by hand.

    Raises:
        sqlite3.OperationalError: among others, a reader would have to write to read the journal.

    """
    mode = "mode=rw" if writable else _mode_of_a_reader(path)
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_SECONDS,
    )
    # We store no text. What a damaged file takes for text is not bytes, and need not be UTF-8.
    connection.text_factory = bytearray
    return connection


def _mode_of_a_reader(path: Path) -> str:
    """Choose how to read a file in a folder that may be read only.

    With the journal and its index beside it, a writer is at work or ended without closing, and
    SQLite reads both without writing. With neither, all is in the file: it is read as it is,
    until :func:`frozen_state` says that somebody began to write.
    """
    if os.access(path.parent, os.W_OK):
        return "mode=ro"
    journal, shared = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    if journal.exists() and shared.exists():
        return "mode=ro"
    if journal.exists() and journal.stat().st_size:
        raise sqlite3.OperationalError(
            f"{journal.name} holds what was appended last and can't be read without the right to "
            "write: read a copy of the folder, or have its owner read it once"
        )
    return "mode=ro&immutable=1"


def frozen_state(path: Path) -> tuple[object, ...] | None:
    """Return in which state a file is that is read as if nobody changed it; None where it is not.

    When the state changes, what a connection read before counts no more: open it again.
    """
    if os.access(path.parent, os.W_OK):
        return None
    facts = path.stat()
    others = tuple(path.with_name(f"{path.name}-{end}").exists() for end in ("wal", "shm"))
    return (*others, facts.st_ino, facts.st_size, facts.st_mtime_ns)


def create(
    path: Path, tables: Sequence[str], *, application: int, version: int, page_bytes: int = 4096
) -> None:
    """Make a file with its tables and marks, whole or not at all."""
    unfinished = path.with_name(f"{path.name}.new")
    remove(unfinished)
    with closing(sqlite3.connect(unfinished, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA page_size = {page_bytes}")
        connection.execute("PRAGMA journal_mode = WAL")
        for statement in tables:
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute(f"PRAGMA user_version = {version}")
    unfinished.replace(path)
    sync_folder(path.parent)


def remove(path: Path) -> None:
    """Delete a file and what SQLite keeps beside it."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def has_shape(connection: sqlite3.Connection, tables: Sequence[str]) -> bool:
    """Return whether a file holds the tables that it was made with, and nothing else.

    A view in the place of a table, a trigger or an index of somebody else's could change what is
    written or read.
    """
    made = {statement for statement in tables if statement.startswith("CREATE")}
    held = [bytes(sql).decode(errors="replace") for (sql,) in connection.execute(_SHAPE)]
    return len(held) == len(made) and set(held) == made


@contextmanager
def cache_held(folder: Path) -> Iterator[None]:
    """Make the cache of a reader if there is none, and hold it against other processes.

    Raises:
        OSError: the folder can't be used.
        AvailabilityError: another process fills it.

    """
    folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    lock = WriterLock(folder / "index.lock")
    try:
        yield
    finally:
        lock.release()
