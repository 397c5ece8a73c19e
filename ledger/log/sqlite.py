"""A log in one SQLite file, for one machine: one writer, any number of readers.

What comes in: linked messages. What goes out: the same bytes in the same order. An append is one
transaction, synced before it returns; after an error in it the file is reopened and its tail shows
whether the transaction took place, so the outcome is known. The folder holds ``log.sqlite`` (the
evidence), ``index.sqlite`` and ``tree.sqlite`` (may be deleted) and ``writer.lock``. Rejected: a
second writer, messages that do not continue the head, a damaged file.
"""

from __future__ import annotations

import os
import sqlite3
from contextlib import suppress
from itertools import chain, count
from pathlib import Path
from threading import RLock
from typing import TYPE_CHECKING

from ledger.core.errors import AuthorizationError, AvailabilityError, InputError, IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.events.encoding import decode_envelope, hash_of
from ledger.log.continuity import continue_head
from ledger.log.index.indexed import IndexedLog
from ledger.log.sqlite_file import OpenFile, connect, create, frozen_state, has_shape
from ledger.storage.durable import database_files, make_folder
from ledger.storage.sqlite_errors import explain
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.core.errors import LedgerError
    from ledger.core.message import Message

__all__ = ["SqliteLog"]

APPLICATION_ID = 0x474C4544
"""Marks the file as a ledger (``GLED``); another SQLite file is not opened as a log."""

LAYOUT_VERSION = 1

_TABLES = ("CREATE TABLE message (position INTEGER PRIMARY KEY, body BLOB NOT NULL) STRICT",)
_LAST = "SELECT position, body FROM message ORDER BY position DESC LIMIT 1"
_RANGE = "SELECT position, body FROM message WHERE position BETWEEN ? AND ? ORDER BY position"
_FIRST = "SELECT position FROM message ORDER BY position LIMIT 1"
_INSERT = "INSERT INTO message (position, body) VALUES (?, ?)"
_ROWS_MAX = 1000
"""Rows of one statement. Each statement releases the GIL and has to reacquire it."""

_MODES = slice(18, 20)
"""Two bytes of the header that define how the file is written and read."""
_ROLLBACK, _WAL = b"\x01\x01", b"\x02\x02"

_CHUNK_MESSAGES = 4096
_CHUNK_BYTES = 1 << 20
_ROWS_AT_ONCE = 128
_CHECKPOINT_PAGES = 8192
_JOURNAL_BYTES = 64 << 20


class SqliteLog(IndexedLog):
    """The log of one chain in a folder; safe to use from several threads."""

    def __init__(self, directory: Path | str, *, writable: bool, cache: Path | None = None) -> None:
        """Open a log; a writer creates a missing folder and file.

        Args:
            directory: folder of the log.
            writable: open as the writer.
            cache: where a reader may store its own index if that of the log is outdated.

        Raises:
            InputError: there is no log to read in this folder.
            AuthorizationError: this user may not read it.
            IntegrityError: the file is damaged, or its last decision is torn.
            AvailabilityError: another process writes this log, or the disk is unavailable.

        """
        self._directory = Path(directory)
        self._cache = cache
        self._state: tuple[object, ...] | None = None
        self._path = self._directory / "log.sqlite"
        super().__init__(str(self._path))
        self._reading = RLock()
        self._writer: sqlite3.Connection | None = None
        self._reader: sqlite3.Connection | None = None
        self._file: OpenFile | None = None
        self._files: tuple[object, ...] = ()
        self._head = EMPTY
        try:
            self._open(writable=writable)
        except sqlite3.Error as error:
            self.close()
            raise explain(error, self._path) from error
        except BaseException:
            self.close()
            raise

    def head(self) -> Head:
        """Return the current head."""
        self._require_usable()
        if self.is_writable:
            return self._head
        with self._reading:
            try:
                return self._tail(self._open_reader())
            except sqlite3.Error as error:
                raise explain(error, self._path) from error

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Return the currently committed (position, message), in order.

        Each chunk is a short transaction of its own, so a long read does not prevent the journal
        from being checkpointed; appended messages never change, so the chunks form one snapshot.

        Raises:
            IntegrityError: a message is missing, or the file is damaged.

        """
        size = self.head().size
        end = size if stop is None else min(stop, size)
        return chain.from_iterable(self._chunks(max(start, 0), end))

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions in one transaction, synced to disk on return."""
        with self._changed:
            writer = self._require_writer()
            head = continue_head(self._head, messages)
            if head == self._head:
                return head
            try:
                self._write(writer, messages)
            except sqlite3.Error as error:
                self._settle(head, error)
            except BaseException:
                self._stop(self._unknown("an append was interrupted"))
                raise
            self._require_in_place()
            self._head = head
            self._keep_up(messages, head)
            self._changed.notify_all()
            return head

    def confirm(self) -> None:
        """Check that the file still ends where this process wrote last.

        The lock file alone is no proof, because another process may have removed it.

        Raises:
            IntegrityError: it does not, or the file was deleted, moved or replaced.

        """
        with self._changed:
            try:
                tail = self._tail(self._require_writer())
            except sqlite3.Error as error:
                raise explain(error, self._path) from error
            if tail != self._head:
                raise self._stop(self._written_to(tail))
            self._require_in_place()

    def close(self) -> None:
        """Close the files and release the writer's lock; closing twice is allowed."""
        with self._changed:
            if self._stopped is None:
                self._stopped = AvailabilityError(f"{self._path} was closed: open it again")
            self._close_index()
            with self._reading:
                self._disconnect()
            if self._file is not None:
                self._file.close()
            if self._lock is not None:
                self._lock.release()
            self._changed.notify_all()

    def _open(self, *, writable: bool) -> None:
        if writable:
            make_folder(self._directory)
            self._lock = WriterLock(self._directory / "writer.lock")
            if not self._path.exists():
                create(self._path, _TABLES, application=APPLICATION_ID, version=LAYOUT_VERSION)
        elif not self._path.exists():
            raise InputError(f"there is no log at {self._path}: name the folder of a log")
        if not os.access(self._path, os.R_OK):
            text = f"{self._path} can't be read by this user: ask its owner for the right to"
            raise AuthorizationError(text)
        if self._path.stat().st_size == 0:
            raise IntegrityError(f"{self._path} is empty, which no log is: restore it from a copy")
        self._check_layout()
        if writable:
            self._writer = self._open_writer()
            # Commits of a killed process may not be synced, but are acknowledged from now on.
            self._writer.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
            self._head = self._tail(self._writer)
            self._files = database_files(self._path)
        self._check_ends()
        self._open_index(self._directory, self._cache)

    def _check_layout(self) -> None:
        self._file = OpenFile(self._path)
        modes = self._file.header[_MODES]
        reader = self._open_reader()
        (application,) = reader.execute("PRAGMA application_id").fetchone()
        (version,) = reader.execute("PRAGMA user_version").fetchone()
        if (application, version) != (APPLICATION_ID, LAYOUT_VERSION):
            text = f"{self._path} is no log of layout {LAYOUT_VERSION}"
            raise IntegrityError(f"{text}: name another folder, or use a newer gameledger")
        if modes not in {b"", _ROLLBACK, _WAL} or not has_shape(reader, _TABLES):
            text = f"{self._path} is not as it was made, one table of messages and nothing else"
            raise IntegrityError(f"{text}: it was altered; keep it, restore it from a copy")

    def _check_ends(self) -> None:
        """Check the first and the last message; both are found without a scan."""
        reader = self._open_reader()
        row = reader.execute(_LAST).fetchone()
        if row is None:
            return
        (first,) = reader.execute(_FIRST).fetchone()
        if first != 0:
            text = f"{self._path} begins with message {first}, and a log begins with 0"
            raise IntegrityError(f"{text}: verify the log, restore it", position=min(first, 0))
        last, body = self._sound(row)
        try:
            envelope = decode_envelope(body)
        except IntegrityError as error:
            text = f"message {last}, the last of {self._path}, can't be read ({error})"
            raise IntegrityError(f"{text}: verify the log, restore it", position=last) from error
        if envelope.position != last:
            text = f"message {last} of {self._path} says that it is {envelope.position}"
            raise IntegrityError(f"{text}: verify the log, restore it", position=last)
        if envelope.decision_index + 1 != envelope.decision_size:
            text = f"the last decision of {self._path} is torn at position {last}"
            raise IntegrityError(f"{text}: verify the log, restore it", position=last)

    def _sound(self, row: tuple[int, bytes]) -> tuple[int, bytes]:
        """Return a row if its body is of type bytes; a damaged file may hold other types."""
        if row[1].__class__ is not bytes:
            text = f"message {row[0]} of {self._path} is no bytes"
            raise IntegrityError(f"{text}: verify the log, restore it", position=row[0])
        return row

    def _open_writer(self) -> sqlite3.Connection:
        connection = connect(self._path, writable=True)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
        connection.execute(f"PRAGMA journal_size_limit = {_JOURNAL_BYTES}")
        return connection

    def _open_reader(self) -> sqlite3.Connection:
        state = frozen_state(self._path)
        if self._reader is not None and state != self._state:
            self._reader.close()
            self._reader = None
        if self._reader is None:
            self._reader, self._state = connect(self._path, writable=False), state
        return self._reader

    def _disconnect(self) -> None:
        connections = (self._reader, self._writer)  # the last to close folds the journal
        self._writer = self._reader = None
        for connection in connections:
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def _write(self, writer: sqlite3.Connection, messages: Sequence[Message]) -> None:
        writer.execute("BEGIN IMMEDIATE")
        for first in range(0, len(messages), _ROWS_MAX):
            rows = messages[first : first + _ROWS_MAX]
            facts = [fact for message in rows for fact in (message.position, message.body)]
            writer.execute(_INSERT + ", (?, ?)" * (len(rows) - 1), facts)
        writer.execute("COMMIT")

    def _settle(self, head: Head, error: sqlite3.Error) -> None:
        """Determine the outcome of a failed transaction; return if it was committed, else raise.

        A commit whose sync failed may be in the journal without being on disk. If the transaction
        is found, the journal is first checkpointed into the file, which syncs it.
        """
        unusable, writer = self._writer, None
        try:
            writer = self._open_writer()
            tail = self._tail(writer)
            is_settled = tail != head or self._fold(writer)
        except sqlite3.Error as again:
            raise self._stop(self._unknown(str(error))) from again
        finally:
            self._writer = writer
            if unusable is not None:
                with suppress(sqlite3.Error):
                    unusable.close()
        if tail == self._head:
            # Frames of the failed commit may be in the journal; a crash would revive them.
            with suppress(sqlite3.Error):
                writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
            raise explain(error, self._path) from error
        if tail != head:
            raise self._stop(self._written_to(tail))
        if not is_settled:
            raise self._stop(self._unknown(str(error))) from error

    def _require_writer(self) -> sqlite3.Connection:
        self._require_usable()
        if self._writer is None:
            raise InputError(f"{self._path} was opened to read: open it writable to append")
        return self._writer

    def _written_to(self, tail: Head) -> IntegrityError:
        text = f"{self._path} ends at {tail.size}, where this process did not write"
        return IntegrityError(f"{text}: stop every writer and verify the log")

    def _require_in_place(self) -> None:
        """Require that what was stored is where the next writer looks for it."""
        if database_files(self._path) != self._files:
            text = f"{self._path} or its journal was deleted, moved or replaced under its writer"
            raise self._stop(
                IntegrityError(
                    f"{text}: it acknowledges nothing more; keep what is left, verify the log, "
                    "restore what is lost from a copy"
                )
            )

    def _fold(self, writer: sqlite3.Connection) -> bool:
        (is_busy, *_) = writer.execute("PRAGMA wal_checkpoint(FULL)").fetchone()
        return not is_busy

    def _unknown(self, cause: str) -> AvailabilityError:
        text = f"the outcome of an append to {self._path} is unknown ({cause})"
        return AvailabilityError(f"{text}: this log is closed for good, start the writer again")

    def _stop(self, fault: LedgerError) -> LedgerError:
        self._stopped = fault
        return fault

    def _tail(self, connection: sqlite3.Connection) -> Head:
        row = connection.execute(_LAST).fetchone()
        if row is None:
            return EMPTY
        position, body = self._sound(row)
        return Head(position + 1, hash_of(body))

    def _chunks(self, start: int, stop: int) -> Iterator[list[tuple[int, bytes]]]:
        while start < stop:
            rows = self._chunk(start, min(stop, start + _CHUNK_MESSAGES))
            due = start + len(rows)
            if not rows or rows[-1][0] != due - 1:
                # Messages before the gap are read first, so that their faults are reported first.
                places = {position for position, _ in rows}
                missing = next(at for at in count(start) if at not in places)
                if before := [row for row in rows if row[0] < missing]:
                    yield before
                raise self._lacks(missing)
            yield rows
            start = due

    def _lacks(self, position: int) -> IntegrityError:
        text = f"{self._path} lacks message {position}"
        return IntegrityError(f"{text}: restore the log from a copy", position=position)

    def _chunk(
        self, start: int, stop: int, at_once: int = _ROWS_AT_ONCE
    ) -> list[tuple[int, bytes]]:
        """Read some of the messages of a range; ever more rows at once, while memory allows."""
        rows: list[tuple[int, bytes]] = []
        kinds: set[type] = set()
        bytes_left, due = _CHUNK_BYTES, 1
        with self._reading:
            self._require_usable()
            try:
                cursor = self._open_reader().execute(_RANGE, (start, stop - 1))
                while bytes_left >= 0 and (part := cursor.fetchmany(due)):
                    rows += part
                    bodies = [body for _, body in part]
                    kinds.update(map(type, bodies))
                    bytes_left -= sum(map(len, bodies))
                    due = min(2 * due, at_once)
                cursor.close()
            except sqlite3.Error as error:
                fault = explain(error, self._path)
                if isinstance(fault, IntegrityError):
                    if at_once > 1:
                        return self._chunk(start, stop, 1)  # which locates the damage
                    fault.position = start + len(rows)
                raise fault from error
            except TypeError:
                pass  # a body without a length is no bytes
            if kinds - {bytes}:
                rows = list(map(self._sound, rows))
            is_torn = frozen_state(self._path) != self._state
        return self._chunk(start, stop) if is_torn else rows
