"""A process that writes the index file, so that the writer's interpreter is not blocked.

What comes in: buffered messages, some thousand at once. What goes out: one transaction for them.
The process ends with its writer. If the writer is killed, the process completes its transaction;
the next writer then finds that the file is ahead of its own knowledge, and reloads it.
"""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from ledger.log.index.entries import DamagedEntriesError, insert
from ledger.log.index.search import POSITION_BYTES, watermark_of
from ledger.log.processes import start_process
from ledger.log.sqlite_file import connect

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from ledger.core.message import Head
    from ledger.log.index.recent import RecentEntries

__all__ = ["IndexWriterProcess", "prepare", "serve", "write"]

_CACHE_KIBIBYTES = 65_536
_CHECKPOINT_PAGES = 65_536
"""The file is synced once per so many pages (64 MiB); a power cut costs a short catch-up."""


class IndexWriterProcess:
    """The writer process of one index file, started at the first write."""

    def __init__(self, path: Path) -> None:
        """Store the location of the file."""
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def write(self, recent: RecentEntries, since: Head) -> None:
        """Write messages in the process, and wait for the commit.

        Raises:
            DamagedEntriesError, sqlite3.Error: as :func:`write`; also if the process ended.

        """
        try:
            if self._connection is None:
                self._process, self._connection = start_process(serve)
                self._connection.send(self._path)
            self._connection.send((recent, since))
            fault = self._connection.recv()
        except (OSError, EOFError) as error:
            raise sqlite3.OperationalError("the process that writes it ended") from error
        if fault is not None:
            raise fault

    def end(self) -> None:
        """Stop the process, if it runs; the next write starts another one."""
        if self._connection is not None and self._process is not None:
            self._connection.close()
            self._process.wait()
        self._process = self._connection = None


def serve(fileno: int) -> None:
    """Write incoming messages until the writer exits or a write fails.

    Signals are ignored: the writer ends this process itself when both are asked to stop.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with closing(Connection(fileno)) as connection, suppress(EOFError, OSError):
        try:
            with closing(connect(connection.recv(), writable=True)) as file:
                prepare(file)
                while True:
                    write(file, *connection.recv())
                    connection.send(None)
        except (DamagedEntriesError, sqlite3.Error) as error:
            connection.send(error)


def prepare(connection: sqlite3.Connection) -> None:
    """Configure how the file is written.

    Raises:
        sqlite3.Error: it can't be read.

    """
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")


def write(connection: sqlite3.Connection, recent: RecentEntries, since: Head) -> None:
    """Write messages to a file that ends at ``since``, in one transaction.

    Raises:
        DamagedEntriesError: the entries contradict each other.
        sqlite3.Error: the file cannot be written, or another process has written it.

    """
    if recent.head is None:
        return
    connection.execute("BEGIN IMMEDIATE")
    if watermark_of(connection) != since:
        raise sqlite3.OperationalError("another process has written it")
    insert(connection, recent.entries(), tail=POSITION_BYTES)
    connection.execute("UPDATE watermark SET size = ?, hash = ?", recent.head)
    connection.execute("COMMIT")
