"""The tag index: finds events by tag and type, and decisions by command.

What comes in: the messages of a log as they are appended, or the log itself for missing ones.
What goes out: positions. The index is one SQLite file that may be deleted at any time. Each
transaction also stores the size and hash up to which the index matches its log, and each answer
proves itself (``_entries``). An index that is behind, ahead, of another log or damaged is therefore
detected: missing entries are added, anything else is rebuilt from the messages. Only the messages
are evidence.
"""

from __future__ import annotations

import logging
import sqlite3
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.message import EMPTY, Head, Message, in_blocks
from ledger.events.encoding import decode, decode_envelope, hash_of
from ledger.events.event_types import EVENTS
from ledger.log.index.entries import DamagedEntriesError
from ledger.log.index.recent import RecentEntries, merge_results
from ledger.log.index.search import (
    APPLICATION_ID,
    POSITIONS_MAX,
    TABLES,
    VERSION,
    contains_entries,
    find_decisions,
    search,
    watermark_of,
)
from ledger.log.index.writer_process import IndexWriterProcess, prepare, write
from ledger.log.port import Query
from ledger.log.sqlite_file import connect, create, has_shape, remove
from ledger.storage.sqlite_errors import explain, is_damage

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from concurrent.futures import Future
    from pathlib import Path

    from ledger.log.port import Messages, ReadableLog

__all__ = [
    "TagIndex",
    "is_damaged",
    "is_part_of",
    "message_of",
    "open_to_read",
    "require_decisions",
    "require_tail",
]

Answer = TypeVar("Answer")

_LOGGER = logging.getLogger("gameledger.index")

_CATCH_UP_BATCH = 10_000
"""Messages of one transaction while the index is built from the log."""

_COMMIT_MESSAGES = 4096
"""Messages buffered in memory before a transaction, which costs a page per tag.

Searches see them at once. Another process searches them in the log, as does the writer after a
crash.
"""

_TAIL_MESSAGES = 256
"""The last messages before the watermark, whose keys are checked at the start.

The check detects a watermark that was moved or that was written without its entries.
"""

_PAGE_BYTES = 1024
"""Small, because an entry at a random place costs a page: half the time of 4096 at 2 million."""


def message_of(position: int, body: bytes) -> Message:
    """Convert stored bytes to a message that a log accepts.

    Raises:
        IntegrityError: the bytes cannot be decoded.

    """
    recorded = decode(body)
    envelope, event = recorded.envelope, recorded.event
    return Message(
        position=position,
        body=body,
        type=type(event).__name__,
        tags=event.index_tags(),
        command_id=None if envelope.decision_index else envelope.command_id,
        decision_size=envelope.decision_size,
    )


def is_part_of(log: Messages, head: Head) -> bool:
    """Return whether a head is or was the head of this log."""
    if head.size == 0:
        return True
    last = next(log.read(head.size - 1, head.size), None)
    return last is not None and hash_of(last[1]) == head.hash


def open_to_read(path: Path, log: ReadableLog) -> tuple[sqlite3.Connection, Head] | None:
    """Open an index in its own transaction; return None if it is missing or of another version.

    Raises:
        DamagedEntriesError, IntegrityError, sqlite3.Error: it is damaged or cannot be used: its
            watermark is of no message of the log, or entries lie behind it.

    """
    if not path.exists():
        return None
    connection = connect(path, writable=False)
    try:
        connection.execute("BEGIN")
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == VERSION:
            if not has_shape(connection, TABLES):
                raise DamagedEntriesError  # noqa: TRY301 - closes the file
            watermark = watermark_of(connection)
            if not is_part_of(log, watermark):
                raise DamagedEntriesError  # noqa: TRY301 - closes the file
            if _is_more_behind(connection, watermark.size):
                raise DamagedEntriesError  # noqa: TRY301 - closes the file
            return connection, watermark
    except BaseException:
        connection.close()
        raise
    connection.close()
    return None


def is_damaged(error: sqlite3.Error | DamagedEntriesError) -> bool:
    """Return whether an error means that the file is damaged, not only unusable now."""
    return isinstance(error, DamagedEntriesError) or is_damage(error)


def require_tail(connection: sqlite3.Connection, watermark: Head, log: ReadableLog) -> None:
    """Check that the index ends at its watermark.

    It must hold the keys of the last messages before the watermark, and no entry of a later
    message.

    Raises:
        DamagedEntriesError: a key is missing, or there is a later entry.

    """
    size = watermark.size
    last = (message_of(*item) for item in log.read(max(0, size - _TAIL_MESSAGES), size))
    is_held = all(contains_entries(connection, message) for message in last)
    if not is_held or _is_more_behind(connection, size):
        raise DamagedEntriesError


def _is_more_behind(connection: sqlite3.Connection, size: int) -> bool:
    """Return whether the index has entries of messages after the first ``size``."""
    query = Query(types=tuple(EVENTS))
    return bool(
        search(connection, query, after=size - 1, before=POSITIONS_MAX, limit=1, backwards=False)
    )


def require_decisions(decisions: dict[bytes, tuple[int, int]], log: ReadableLog) -> None:
    """Check that commands were decided where the index says."""
    for command_id, (position, size) in decisions.items():
        for _, body in log.read(position, position + 1):
            envelope = decode_envelope(body)
            if (envelope.command_id, envelope.decision_index) == (command_id, 0):
                break
        else:
            raise DamagedEntriesError
        if envelope.decision_size != size:
            raise DamagedEntriesError


class TagIndex:
    """The writer's index; safe to use from several threads."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Open the index of a log; repair or rebuild it where it does not match."""
        self._path = path
        self._log = log
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._committed = EMPTY
        self._commit: _Commit | None = None
        self._recent = RecentEntries()
        self._thread = ThreadPoolExecutor(1, "ledger-index")
        self._writer_process = IndexWriterProcess(path)
        self._query(lambda _: None)

    def add(self, messages: Sequence[Message], head: Head) -> None:
        """Add appended messages, unless an earlier query has added them.

        A failure is not raised, because the messages are safe in the log: the next query catches up
        first and raises if that fails, too.
        """
        with self._lock:
            if not messages or messages[0].position != self._head.size:
                return
            self._recent.add(messages, head)
            if self._is_commit_due:
                with suppress(Exception):
                    self._commit_in_process()

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Return the positions of matching events; see the port."""
        if limit is not None and limit <= 0:
            return []

        def ask(connection: sqlite3.Connection) -> list[int]:
            connection.execute("BEGIN")
            try:
                return look_up(connection)
            finally:
                with suppress(sqlite3.Error):
                    connection.execute("COMMIT")

        def look_up(connection: sqlite3.Connection) -> list[int]:
            stop = self._head.size if before is None else before
            tail = [
                position
                for waiting in self._waiting
                for position in waiting.find(query, after=after, before=stop)
            ]

            def older(most: int | None) -> list[int]:
                end = min(stop, self._committed.size)
                return search(
                    connection, query, after=after, before=end, limit=most, backwards=backwards
                )

            return merge_results(older, tail, limit=limit, backwards=backwards)

        return self._query(ask)

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands; see the port.

        Each statement reads one state of the file; messages that are written between two statements
        are still in memory as well.
        """

        def ask(connection: sqlite3.Connection) -> dict[bytes, tuple[int, int]]:
            decisions = find_decisions(connection, command_ids)
            require_decisions(decisions, self._log)
            for waiting in reversed(self._waiting):
                decisions = waiting.commands(command_ids) | decisions
            return decisions

        return self._query(ask)

    def write(self) -> None:
        """Write the entries of all messages; for a process that follows the log as it grows."""

        def ask(_: sqlite3.Connection) -> None:
            self._settle()
            self._commit_now()

        self._query(ask)

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with self._lock:
            # The next process to open it adds missing messages.
            with suppress(Exception):
                self._settle()
                if self._connection is not None:
                    self._commit_now()
            self._disconnect()
        self._thread.shutdown()

    @property
    def _waiting(self) -> list[RecentEntries]:
        """The entries in memory: those being written, and those added since."""
        return [self._recent] if self._commit is None else [self._commit.messages, self._recent]

    @property
    def _begin(self) -> Head:
        """The head up to which messages are in the file or being written."""
        return self._committed if self._commit is None else self._commit.head

    @property
    def _head(self) -> Head:
        return self._recent.head or self._begin

    def _query(self, query: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Query the index once it matches the log; retry once, rebuilding a damaged index."""
        with self._lock:
            try:
                try:
                    return query(self._catch_up())
                except (sqlite3.Error, DamagedEntriesError) as error:
                    self._disconnect()
                    if is_damaged(error):
                        self._rebuild("is damaged")
                return query(self._catch_up())
            except DamagedEntriesError as error:
                self._disconnect()
                text = f"{self._path} is damaged again after it was rebuilt from the log"
                raise IntegrityError(f"{text}: check the disk and the memory") from error
            except sqlite3.Error as error:
                self._disconnect()
                raise explain(error, self._path) from error

    def _catch_up(self) -> sqlite3.Connection:
        if self._commit is not None and self._commit.done.done():
            self._settle()
        connection, head = self._open(), self._log.head()
        if self._head == head:
            return connection
        if self._head.size >= head.size or not is_part_of(self._log, self._head):
            self._rebuild(f"holds {self._head.size} messages that are not those of the log")
            connection = self._open()
        is_written = False
        for block in in_blocks(self._log.read(self._head.size, head.size), _CATCH_UP_BATCH):
            batch = [message_of(*item) for item in block]
            self._recent.add(batch, Head(batch[-1].position + 1, hash_of(batch[-1].body)))
            if self._is_commit_due:
                self._settle()
                self._commit_now()
                is_written = True
        if is_written:  # or a journal longer than the file would stay, as after a rebuild
            with suppress(sqlite3.OperationalError):  # it is in use: moved later
                connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return connection

    @property
    def _is_commit_due(self) -> bool:
        return self._head.size - self._begin.size >= _COMMIT_MESSAGES

    def _commit_in_process(self) -> None:
        """Pass the buffer to the writer process after it has written the previous one."""
        self._settle()
        recent = self._recent
        if recent.head is not None and self._connection is not None:
            done = self._thread.submit(self._writer_process.write, recent, self._committed)
            self._commit, self._recent = _Commit(recent, recent.head, done), RecentEntries()

    def _settle(self) -> None:
        """Wait for the pending write, and count it as committed."""
        if self._commit is None:
            return
        try:
            self._commit.done.result()
        except BaseException:
            self._disconnect()
            raise
        self._committed, self._commit = self._commit.head, None

    def _commit_now(self) -> None:
        """Write the buffer."""
        recent, connection = self._recent, self._connection
        if recent.head is None or connection is None:
            return
        try:
            write(connection, recent, self._committed)
        except BaseException:
            self._disconnect()
            raise
        self._committed, self._recent = recent.head, RecentEntries()

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self._path.exists():
                self._rebuild()
            connection = self._connection = connect(self._path, writable=True)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                self._rebuild()
                connection = self._connection = connect(self._path, writable=True)
            prepare(connection)
            if not has_shape(connection, TABLES):
                raise DamagedEntriesError
            self._committed, self._recent = watermark_of(connection), RecentEntries()
            if is_part_of(self._log, self._committed):
                require_tail(connection, self._committed, self._log)
        return self._connection

    def _rebuild(self, cause: str = "") -> None:
        self._disconnect()
        if cause:
            _LOGGER.warning("%s %s: it is rebuilt from the log", self._path, cause)
        try:
            remove(self._path)
            create(
                self._path,
                TABLES,
                application=APPLICATION_ID,
                version=VERSION,
                page_bytes=_PAGE_BYTES,
            )
        except OSError as error:
            text = f"{self._path} can't be rebuilt ({error.strerror})"
            raise AvailabilityError(f"{text}: repair the cause and repeat") from error

    def _disconnect(self) -> None:
        if self._commit is not None:
            wait([self._commit.done])
        self._writer_process.end()
        self._recent, self._commit, self._committed = RecentEntries(), None, EMPTY
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


class _Commit(NamedTuple):
    """Messages up to ``head`` that the writer process is writing; ``done`` reports the end."""

    messages: RecentEntries
    head: Head
    done: Future[None]
