"""The tag index as used by processes other than the writer.

What comes in: the index file next to a log, which its writer updates every few thousand messages,
and the log. What goes out: positions. Messages missing from the file are searched in the log; a
process with several queries reads them once and keeps their entries while they are few. A missing,
damaged or unusable file makes searches slow, never wrong.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from itertools import islice
from threading import RLock
from typing import TYPE_CHECKING, TypeVar

from ledger.core.message import EMPTY, Head
from ledger.events.encoding import decode_envelope, hash_of
from ledger.log.index.entries import DamagedEntriesError
from ledger.log.index.recent import RecentEntries, merge_results
from ledger.log.index.search import TABLES, VERSION, find_decisions, search, watermark_of
from ledger.log.index.tag_index import (
    is_damaged,
    is_part_of,
    message_of,
    require_decisions,
    require_tail,
)
from ledger.log.sqlite_file import connect, frozen_state, has_shape

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from ledger.log.port import Query, ReadableLog

__all__ = ["ReadOnlyTagIndex"]

Answer = TypeVar("Answer")

_LOGGER = logging.getLogger("gameledger.index")

_KEPT_MAX = 20_000
"""Messages indexed in memory; if the file lacks more, each search reads them."""
_AHEAD_MAX = 5_000
"""Messages that may stay in memory although the file already has them."""
_BATCH = 1_000


class ReadOnlyTagIndex:
    """The index of a log for readers; safe to use from several threads."""

    def __init__(self, path: Path, log: ReadableLog) -> None:
        """Store the location of the index; the first query opens it."""
        self._path = path
        self._log = log
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[object, ...] = ()
        self._agreed = EMPTY
        self._is_tail_known = False
        self._is_damaged = False
        self._recent, self._recent_first = RecentEntries(), 0

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

        def search_file(connection: sqlite3.Connection, size: int) -> list[int]:
            end = size if before is None else min(before, size)
            return search(
                connection, query, after=after, before=end, limit=limit, backwards=backwards
            )

        with self._lock:
            size, answer = self._query_file(search_file)
            tail = self._search_tail(query, size, after, before)
        return merge_results(lambda _: answer or [], tail, limit=limit, backwards=backwards)

    def size(self) -> int:
        """Return the number of messages in the file; the others are searched in the log."""
        with self._lock:
            return self._query_file(lambda _, size: size)[0]

    @property
    def size_known(self) -> int:
        """The number of messages in the file at the last query; it may have more by now."""
        return self._agreed.size

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands; see the port."""

        def search_file(connection: sqlite3.Connection, _: int) -> dict[bytes, tuple[int, int]]:
            decisions = find_decisions(connection, command_ids)
            require_decisions(decisions, self._log)
            return decisions

        with self._lock:
            size, answer = self._query_file(search_file)
        decisions = answer or {}
        for position, body in self._log.read(size):
            envelope = decode_envelope(body)
            if envelope.command_id in command_ids:
                decisions.setdefault(envelope.command_id, (position, envelope.decision_size))
        return decisions

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with self._lock:
            connection, self._connection = self._connection, None
            self._agreed = EMPTY
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    def _search_tail(self, query: Query, size: int, after: int, before: int | None) -> list[int]:
        """Search the log for matches among the messages that the file lacks, from ``size`` on."""
        head = self._log.head()
        first, end = max(size, after + 1), head.size if before is None else min(before, head.size)
        if first >= end:
            return []
        if head.size - size > _KEPT_MAX:
            messages = (message_of(*item) for item in self._log.read(first, end))
            return [
                message.position
                for message in messages
                if (not query.types or message.type in query.types)
                and set(query.tags) <= set(message.tags)
            ]
        known = self._recent.head.size if self._recent.head else -1
        if not self._recent_first <= size <= min(self._recent_first + _AHEAD_MAX, known):
            self._recent, self._recent_first, known = RecentEntries(), size, size
        missing = self._log.read(known, head.size)
        while batch := [message_of(*item) for item in islice(missing, _BATCH)]:
            last = batch[-1]
            self._recent.add(batch, Head(last.position + 1, hash_of(last.body)))
        return self._recent.find(query, after=first - 1, before=end)

    def _query_file(
        self, query: Callable[[sqlite3.Connection, int], Answer]
    ) -> tuple[int, Answer | None]:
        """Query the file; return its number of messages, and the result (None without a file)."""
        if self._is_damaged:
            return 0, None
        try:
            connection = self._open_current()
            if connection is None:
                return 0, None
            connection.execute("BEGIN")
            try:
                return self._query_checked(connection, query)
            finally:
                if connection.in_transaction:  # a failing disk ends it, and is the cause
                    connection.execute("COMMIT")
        except (sqlite3.Error, DamagedEntriesError) as error:
            self.close()
            if is_damaged(error):
                self._is_damaged = True
                _LOGGER.warning(
                    "%s is damaged: answers come from the log itself and take longer, until the "
                    "writer starts again and rebuilds it",
                    self._path,
                )
        return 0, None

    def _query_checked(
        self, connection: sqlite3.Connection, query: Callable[[sqlite3.Connection, int], Answer]
    ) -> tuple[int, Answer | None]:
        watermark = watermark_of(connection)
        if watermark != self._agreed:
            if not is_part_of(self._log, watermark):
                return 0, None
            self._agreed = watermark
        if not self._is_tail_known:
            require_tail(connection, watermark, self._log)
            self._is_tail_known = True
        return watermark.size, query(connection, watermark.size)

    def _open_current(self) -> sqlite3.Connection | None:
        """Return the file, reopened if another file replaced it."""
        try:
            facts = self._path.stat()
        except FileNotFoundError:
            self.close()
            return None
        file = (facts.st_ino, facts.st_size, facts.st_mtime_ns, frozen_state(self._path))
        if self._connection is None or file != self._file:
            self.close()
            self._connection, self._file = connect(self._path, writable=False), file
            self._agreed = EMPTY
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version != VERSION:
                self.close()
                return None
            if not has_shape(self._connection, TABLES):
                raise DamagedEntriesError
        return self._connection
