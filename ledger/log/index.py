"""The tag index: finds events by tag and type, and decisions by command.

What comes in: the messages of a log as they are appended, or the log itself for what is
missing. What goes out: positions. The index is one SQLite file that may be deleted at any
time. It remembers up to where (size and hash) it agrees with its log, in the transaction
that brought it there, so an index that is behind, ahead, of another log or damaged is
noticed: what is missing is added, anything else is built again from the messages. Nothing
but the messages is evidence.
"""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from ledger.encoding import decode, decode_envelope, hash_of, tags_of
from ledger.log._index_search import (
    APPLICATION_ID,
    EVERY,
    TABLES,
    VERSION,
    commands_in,
    search,
    watermark_of,
)
from ledger.log._sqlite_file import connect, create, explain, is_damage, remove
from ledger.log.port import EMPTY, Head, Message

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence
    from pathlib import Path

    from ledger.log.port import Query, ReadableLog

__all__ = ["ReadOnlyTagIndex", "TagIndex", "is_part_of", "message_of"]

Answer = TypeVar("Answer")

_CATCH_UP_BATCH = 10_000
"""Messages of one transaction while the index is built from the log."""

_COMMIT_MESSAGES = 4096
"""Messages that may wait for their commit, which costs a page per tag; finds see them at once.

Another process looks them up in the log, and so does the writer after a crash.
"""

_CACHE_KIBIBYTES = 65_536
_PAGE_BYTES = 1024
"""Small, because an entry at a random place costs a page: half the time of 4096 at 2 million."""

_CHECKPOINT_PAGES = 65_536
"""The file is synced once per so many pages (64 MiB); a power cut costs a short catch-up."""


def message_of(position: int, body: bytes) -> Message:
    """Make of stored bytes what a log takes.

    Raises:
        IntegrityError: the bytes can't be read.

    """
    recorded = decode(body)
    envelope, event = recorded.envelope, recorded.event
    return Message(
        position=position,
        body=body,
        type=type(event).__name__,
        tags=tags_of(event),
        command_id=None if envelope.decision_index else envelope.command_id,
        decision_size=envelope.decision_size,
    )


def is_part_of(log: ReadableLog, head: Head) -> bool:
    """Tell whether a log once ended at this head."""
    if head.size == 0:
        return True
    last = next(log.read(head.size - 1, head.size), None)
    return last is not None and hash_of(last[1]) == head.hash


class TagIndex:
    """The writer's index; safe to use from several threads."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Open the index of a log, and mend or build it where it does not agree."""
        self._path = path
        self._log = log
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._kinds: dict[str, int] = {}
        self._watermark = EMPTY
        self._committed = 0
        self._answer(lambda _: None)

    def add(self, messages: Sequence[Message], head: Head) -> None:
        """Take note of messages that were appended.

        A failure is not raised, because the messages are safe in the log: the next question
        catches up first and raises if that fails too.
        """
        with self._lock:
            if not messages or messages[0].position != self._watermark.size:
                return
            try:
                connection = self._open()
                self._insert(connection, messages, head)
                if head.size - self._committed >= _COMMIT_MESSAGES:
                    self._commit(connection)
            except sqlite3.Error:
                self._disconnect()

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Give the positions of matching events; see the port."""

        def ask(connection: sqlite3.Connection) -> list[int]:
            size = self._watermark.size
            end = size if before is None else min(before, size)
            return search(
                connection, query, after=after, before=end, limit=limit, backwards=backwards
            )

        return self._answer(ask)

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Give (first position, size) of the decisions of recorded commands; see the port."""
        return self._answer(lambda connection: commands_in(connection, command_ids))

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with self._lock:
            if self._connection is not None:
                with suppress(sqlite3.Error):  # who opens it next adds what is missing
                    self._commit(self._connection)
            self._disconnect()

    def _answer(self, ask: Callable[[sqlite3.Connection], Answer]) -> Answer:
        """Ask the index once it agrees with the log; build it anew once if it is damaged."""
        with self._lock:
            try:
                try:
                    return ask(self._catch_up())
                except sqlite3.Error as error:
                    self._disconnect()
                    if not is_damage(error):
                        raise
                self._begin_anew()
                return ask(self._catch_up())
            except sqlite3.Error as error:
                self._disconnect()
                raise explain(error, self._path) from error

    def _catch_up(self) -> sqlite3.Connection:
        connection, head = self._open(), self._log.head()
        if self._watermark == head:
            return connection
        if self._watermark.size >= head.size or not is_part_of(self._log, self._watermark):
            self._begin_anew()
            connection = self._open()
        missing = self._log.read(self._watermark.size, head.size)
        while batch := [message_of(*item) for item in islice(missing, _CATCH_UP_BATCH)]:
            end = Head(batch[-1].position + 1, hash_of(batch[-1].body))
            self._insert(connection, batch, end)
            self._commit(connection)
        return connection

    def _insert(
        self, connection: sqlite3.Connection, messages: Sequence[Message], head: Head
    ) -> None:
        rows, commands = [], []
        if not connection.in_transaction:
            connection.execute("BEGIN IMMEDIATE")
        for message in messages:
            position, kind = message.position, self._kind(connection, message.type)
            rows.append((EVERY, kind, position))
            rows += [(tag, kind, position) for tag in message.tags]
            if message.command_id is not None:
                commands.append((message.command_id, position, message.decision_size))
        rows.sort()
        connection.executemany("INSERT OR IGNORE INTO tagged VALUES (?, ?, ?)", rows)
        connection.executemany("INSERT OR IGNORE INTO command VALUES (?, ?, ?)", commands)
        connection.execute("UPDATE watermark SET size = ?, hash = ?", head)
        self._watermark = head

    def _commit(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("COMMIT")
        self._committed = self._watermark.size

    def _kind(self, connection: sqlite3.Connection, name: str) -> int:
        if name not in self._kinds:
            self._kinds[name] = len(self._kinds)
            connection.execute("INSERT INTO type VALUES (?, ?)", (self._kinds[name], name))
        return self._kinds[name]

    def _open(self) -> sqlite3.Connection:
        if self._connection is None:
            if not self._path.exists():
                self._begin_anew()
            connection = self._connection = connect(self._path, writable=True)
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                self._begin_anew()
                connection = self._connection = connect(self._path, writable=True)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KIBIBYTES}")
            connection.execute(f"PRAGMA wal_autocheckpoint = {_CHECKPOINT_PAGES}")
            self._kinds = dict(connection.execute("SELECT name, id FROM type"))
            self._watermark = watermark_of(connection)
            self._committed = self._watermark.size
        return self._connection

    def _begin_anew(self) -> None:
        self._disconnect()
        remove(self._path)
        create(
            self._path,
            TABLES,
            application=APPLICATION_ID,
            version=VERSION,
            page_bytes=_PAGE_BYTES,
        )

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


class ReadOnlyTagIndex:
    """The index as other processes see it: what the file lacks is looked up in the log.

    A missing or unusable file makes searches slow, never wrong.
    """

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Remember where the index is; it is opened for each question."""
        self._path = path
        self._log = log

    def find(
        self,
        query: Query,
        *,
        after: int = -1,
        before: int | None = None,
        limit: int | None = None,
        backwards: bool = False,
    ) -> list[int]:
        """Give the positions of matching events; see the port."""
        if limit is not None and limit <= 0:
            return []

        def ask(connection: sqlite3.Connection, size: int) -> list[int]:
            end = size if before is None else min(before, size)
            return search(
                connection, query, after=after, before=end, limit=limit, backwards=backwards
            )

        size, answer = self._ask(ask)
        found = answer or []
        tail = [
            message.position
            for message in self._tail(max(size, after + 1), before)
            if (not query.types or message.type in query.types)
            and set(query.tags) <= set(message.tags)
        ]
        whole = [*tail[::-1], *found] if backwards else [*found, *tail]
        return whole if limit is None else whole[:limit]

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Give (first position, size) of the decisions of recorded commands; see the port."""
        size, answer = self._ask(lambda connection, _: commands_in(connection, command_ids))
        found = answer or {}
        for position, body in self._log.read(size):
            envelope = decode_envelope(body)
            if envelope.command_id in command_ids:
                found.setdefault(envelope.command_id, (position, envelope.decision_size))
        return found

    def _ask(self, ask: Callable[[sqlite3.Connection, int], Answer]) -> tuple[int, Answer | None]:
        """Ask the file; give the size up to which it answered, and the answer."""
        connection = None
        try:
            connection = connect(self._path, writable=False)
            connection.execute("BEGIN")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            watermark = watermark_of(connection)
            if version == VERSION and is_part_of(self._log, watermark):
                return watermark.size, ask(connection, watermark.size)
        except sqlite3.Error:
            return 0, None
        finally:
            if connection is not None:
                connection.close()
        return 0, None

    def _tail(self, start: int, stop: int | None) -> Iterator[Message]:
        return (message_of(*item) for item in self._log.read(start, stop))
