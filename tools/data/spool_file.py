"""A SQLite file that queues data to be sent on, synced at each change.

Input: SQL statements. Output: rows. A transaction is durable as a whole or not at all, whatever
stops the process. Threads of a process may share the connection, and processes the file. A file
that was deleted, moved or replaced takes nothing more.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing, contextmanager
from threading import RLock
from typing import TYPE_CHECKING, Any

from ledger.core.errors import AvailabilityError, InputError
from ledger.storage.durable import database_files
from ledger.storage.secret_files import make_private

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["SpoolFile"]

PATIENCE_SECONDS = 10.0


class SpoolFile:
    """A connection to a spool, readable only by its owner because it holds messages and alarms."""

    def __init__(self, path: Path, schema: str) -> None:
        """Open the file, or create it.

        Raises:
            InputError: the file is not a spool.
            AvailabilityError: the file can't be used.

        """
        self._path, self._using = path, RLock()
        with self._explained():
            try:
                make_private(path)
            except OSError as error:
                raise AvailabilityError(f"{path} can't be used: {error.strerror}") from error
            self._connection = sqlite3.connect(
                path, timeout=PATIENCE_SECONDS, isolation_level=None, check_same_thread=False
            )
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = FULL")
            self._connection.executescript(schema)
            # A killed process may have written a change without a sync; a repeat of it counts now.
            self._connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._files = database_files(path)

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Execute a query and return its rows."""
        with self._explained(), closing(self._connection.execute(sql, values)) as cursor:
            return cursor.fetchall()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Begin a transaction; an error rolls it back."""
        with self._explained():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:  # a full disk ends it, and is the cause
                    self._connection.execute("ROLLBACK")
                raise
            if database_files(self._path) != self._files:
                raise AvailabilityError(
                    f"{self._path} or its journal was deleted, moved or replaced: nothing is taken "
                    "until the program starts again"
                )

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            with self._using:
                yield
        except sqlite3.OperationalError as error:
            raise AvailabilityError(
                f"{self._path} can't be used: {error}; nothing is taken until it can"
            ) from error
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self._path} is no spool: {error}") from error
