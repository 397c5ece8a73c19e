"""The process that writes the index beside the writer, whose interpreter goes on meanwhile.

What comes in: what waits in memory, some thousand messages at once. What goes out: one transaction
for them. The process ends with its writer. One whose writer was killed ends what it is at; the next
writer finds the file further than it knew, and looks again.
"""

from __future__ import annotations

import signal
import sqlite3
from contextlib import closing, suppress
from multiprocessing.connection import Connection
from typing import TYPE_CHECKING

from ledger.log.index.entries import DamagedEntriesError, insert
from ledger.log.index.search import POSITION_BYTES, watermark_of
from ledger.log.processes import start
from ledger.log.sqlite_file import connect

if TYPE_CHECKING:
    import subprocess
    from pathlib import Path

    from ledger.core.message import Head
    from ledger.log.index.recent import Recent

__all__ = ["IndexWriterProcess", "prepare", "serve", "write"]

_CACHE_KIBIBYTES = 65_536
_CHECKPOINT_PAGES = 65_536
"""The file is synced once per so many pages (64 MiB); a power cut costs a short catch-up."""


class IndexWriterProcess:
    """The process for one file; it is started when there is something to write."""

    def __init__(self, path: Path) -> None:
        """Take the place of the file."""
        self._path = path
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None

    def write(self, recent: Recent, since: Head) -> None:
        """Have messages written, and wait until they are.

        Raises:
            DamagedEntriesError, sqlite3.Error: as :func:`write`; or the process ended.

        """
        try:
            if self._connection is None:
                self._process, self._connection = start(serve)
                self._connection.send(self._path)
            self._connection.send((recent, since))
            fault = self._connection.recv()
        except (OSError, EOFError) as error:
            raise sqlite3.OperationalError("the process that writes it ended") from error
        if fault is not None:
            raise fault

    def end(self) -> None:
        """End it, if there is one; a next one is started when it is needed."""
        if self._connection is not None and self._process is not None:
            self._connection.close()
            self._process.wait()
        self._process = self._connection = None


def serve(fileno: int) -> None:
    """Write what comes, until the writer is gone or something can't be written.

    The writer ends in its own time when both are told to stop.
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
    """Set how the file is written.

    Raises:
        sqlite3.Error: it can't be read.

    """
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
    connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")


def write(connection: sqlite3.Connection, recent: Recent, since: Head) -> None:
    """Write messages to a file that ends at ``since``, in one transaction.

    Raises:
        DamagedEntriesError: the entries contradict themselves.
        sqlite3.Error: the file can't be written, or somebody else has written it.

    """
    if recent.head is None:
        return
    connection.execute("BEGIN IMMEDIATE")
    if watermark_of(connection) != since:
        raise sqlite3.OperationalError("somebody else has written it")
    insert(connection, recent.entries(), tail=POSITION_BYTES)
    connection.execute("UPDATE watermark SET size = ?, hash = ?", recent.head)
    connection.execute("COMMIT")
