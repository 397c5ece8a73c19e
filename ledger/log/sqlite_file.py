"""Opening and creating SQLite files."""

from __future__ import annotations

import os
import sqlite3
from collections import Counter
from contextlib import closing, contextmanager
from threading import Lock
from typing import TYPE_CHECKING

from ledger.storage.durable import sync_folder
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

__all__ = [
    "OpenFile",
    "connect",
    "create",
    "frozen_state",
    "has_shape",
    "limit_page_caches",
    "locked_cache",
    "remove",
]

_PRIVATE = 0o700

BUSY_SECONDS = 30.0
"""Time for which a statement waits for another connection before it fails."""

_SHAPE = "SELECT sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'"

_HEADER_BYTES = 100
_OPEN: Counter[tuple[int, int]] = Counter()
"""Number of parts of this process that have a file open, by device and inode."""
_COUNTING = Lock()


class OpenFile:
    """An SQLite file that a part of this process has open, and its header before it was opened.

    A process that closes any descriptor of a file loses all its locks on the file (POSIX). Another
    process would then consider itself the last one and delete the journal, and this one would
    continue with the deleted journal. Therefore the header is read only if no other part of this
    process has the file open; otherwise it is empty.
    """

    def __init__(self, path: Path) -> None:
        """Count the file as open.

        Raises:
            OSError: it cannot be read.

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
        """Release the file after all connections are closed; closing twice is allowed."""
        with _COUNTING:
            key, self._key = self._key, None
            if key is not None:
                _OPEN[key] -= 1
                if not _OPEN[key]:
                    del _OPEN[key]


def limit_page_caches(bytes_max: int) -> None:
    """Bound the page caches of all files that this process opens, taken together.

    A cache that would exceed the bound reuses its own pages (SQLite's ``soft_heap_limit``).
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA soft_heap_limit = {bytes_max}")


def connect(path: Path, *, writable: bool) -> sqlite3.Connection:
    """Open an existing file; the caller begins and ends transactions.

    Raises:
        sqlite3.OperationalError: for example, a reader would have to write to read the journal.

    """
    mode = "mode=rw" if writable else _mode_of_a_reader(path)
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{mode}",
        uri=True,
        isolation_level=None,
        check_same_thread=False,
        timeout=BUSY_SECONDS,
    )
    # We store no text. A value of type text in a damaged file need not be UTF-8.
    connection.text_factory = bytearray
    return connection


def _mode_of_a_reader(path: Path) -> str:
    """Choose how to read a file in a folder that may be read-only.

    If the journal and its index exist, a writer is active or ended without closing, and SQLite
    reads both without writing. If neither exists, the file is complete and opened as immutable,
    until :func:`frozen_state` shows that a writer has started.
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
    """Return the state of a file that is read as immutable; None where it is not.

    When the state changes, earlier reads of a connection are invalid: reopen it.
    """
    if os.access(path.parent, os.W_OK):
        return None
    facts = path.stat()
    others = tuple(path.with_name(f"{path.name}-{end}").exists() for end in ("wal", "shm"))
    return (*others, facts.st_ino, facts.st_size, facts.st_mtime_ns)


def create(
    path: Path, tables: Sequence[str], *, application: int, version: int, page_bytes: int = 4096
) -> None:
    """Create a file with its tables and marks, completely or not at all."""
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
    """Delete a file and its SQLite journals."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm", f"{path.name}-journal"):
        path.with_name(name).unlink(missing_ok=True)


def has_shape(connection: sqlite3.Connection, tables: Sequence[str]) -> bool:
    """Return whether a file holds exactly the tables that it was created with.

    A view in place of a table, or a foreign trigger or index, could change what is written or read.
    """
    created = {statement for statement in tables if statement.startswith("CREATE")}
    statements = [bytes(sql).decode(errors="replace") for (sql,) in connection.execute(_SHAPE)]
    return len(statements) == len(created) and set(statements) == created


@contextmanager
def locked_cache(folder: Path) -> Iterator[None]:
    """Create a reader's cache if necessary, and lock it against other processes.

    Raises:
        OSError: the folder cannot be used.
        AvailabilityError: another process is filling it.

    """
    folder.mkdir(mode=_PRIVATE, parents=True, exist_ok=True)
    lock = WriterLock(folder / "index.lock")
    try:
        yield
    finally:
        lock.release()
