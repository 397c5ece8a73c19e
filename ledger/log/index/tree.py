"""The Merkle tree over the messages of a log, cached in a file that may be deleted at any time.

What comes in: messages as they are appended, or the log itself for missing ones. What goes out:
the hashes of nodes, from which ``ledger.tlog.merkle`` computes roots and proofs. The file holds
full tiles of 256 hashes, with the levels of tlog-tiles (C2SP): each hash of a level stands for a
full tile of the level below. The incomplete right edge is in memory and recomputed at each start.

A damaged file must not lead to a signature over a wrong root. The file names the root of its tiles;
a file that contradicts itself, or whose last leaf is not the message of the log, is rebuilt. The
recipient of a proof verifies it.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from threading import RLock
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError, LedgerError
from ledger.events.encoding import hash_of, previous_hash_of
from ledger.log.sqlite_file import connect, create, frozen_state, has_shape, remove
from ledger.storage.sqlite_errors import explain
from ledger.tlog import merkle
from ledger.tlog.merkle import EMPTY_ROOT, HASH_BYTES
from ledger.tlog.tiles import TILE_BYTES, TILE_LEVELS, TILE_WIDTH, Edge, Level, folded

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ledger.core.message import Head, Message
    from ledger.log.port import ReadableLog

__all__ = ["TREE", "Tree"]

TREE = "tree.sqlite"

APPLICATION_ID = 0x474C4554
"""Marks the file as one of ours (``GLET``)."""

LAYOUT_VERSION = 1

_TABLES = (
    "CREATE TABLE tile (id INTEGER PRIMARY KEY, hashes BLOB NOT NULL) STRICT",
    "CREATE TABLE watermark (size INTEGER NOT NULL, root BLOB NOT NULL) STRICT",
    f"INSERT INTO watermark VALUES (0, x'{EMPTY_ROOT.hex()}')",  # noqa: S608 - a constant
)
_WATERMARK = "SELECT size, root FROM watermark"
_TILE = "SELECT hashes FROM tile WHERE id = ?"
_LEVEL_BITS = 56
"""Tile ``n`` of a level has the id ``level << 56 | n``."""

_CATCH_UP_MESSAGES = 65_536
_FRESH_TILES_MAX = 1024
"""A reader reloads the file when it has so many new tiles."""

_LOGGER = logging.getLogger(__name__)


class Tree:
    """The tree of one log; safe to use from several threads."""

    def __init__(self, path: Path, log: ReadableLog, *, writable: bool) -> None:
        """Store the location of the file; a writer creates, repairs and fills it.

        Raises:
            IntegrityError: the log is damaged.
            AvailabilityError: log or file cannot be used.

        """
        self._path = path
        self._log = log
        self._is_writable = writable
        self._lock = RLock()
        self._connection: sqlite3.Connection | None = None
        self._state: tuple[object, ...] | None = None
        self._edge = Edge()
        self._fresh: dict[int, bytes] = {}
        self._open()
        if writable:
            self._catch_up(log.head().size)

    def add(self, messages: Sequence[Message], head: Head) -> None:
        """Add appended messages; if that fails, the next query catches up."""
        with self._lock:
            if messages and messages[0].position == self.size:
                hashes = [previous_hash_of(message.body) for message in messages[1:]]
                with suppress(LedgerError):
                    self._extend([*hashes, head.hash])

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node; see ``ledger.tlog.merkle``.

        Raises:
            InputError: the log does not have its messages yet.
            IntegrityError: the log is damaged.
            AvailabilityError: log or file can't be read.

        """
        with self._lock:
            if self._connection is None if self._is_writable else self._state != self._state_now():
                self._open()
            self._catch_up((index + 1) << level)
            return self._node(level, index)

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                with suppress(sqlite3.Error):
                    connection.close()

    @property
    def size(self) -> int:
        """Number of leaves known without reading the log."""
        return self._edge.size

    def _node(self, level: int, index: int) -> bytes:
        tile_level, above = divmod(level, TILE_LEVELS)
        number, place = divmod(index << above, TILE_WIDTH)
        first = place * HASH_BYTES
        return folded(self._tile(tile_level, number)[first : first + (HASH_BYTES << above)])

    def _tile(self, level: int, number: int) -> bytes | bytearray:
        if number == self._edge.levels[level].tiles:
            return self._edge.levels[level].edge
        key = level << _LEVEL_BITS | number
        return self._fresh.get(key) or self._stored(key)

    def _stored(self, key: int) -> bytes:
        row = None
        if self._connection is not None:
            try:
                row = self._connection.execute(_TILE, (key,)).fetchone()
            except sqlite3.Error as error:
                raise explain(error, self._path) from error
        if row is None or len(row[0]) != TILE_BYTES:
            text = f"{self._path} lacks a tile that it says it holds"
            raise AvailabilityError(f"{text}: delete it, it is made again from the log")
        return bytes(row[0])

    def _catch_up(self, size: int) -> None:
        """Add missing leaves up to a size from the log."""
        if size <= self.size:
            return
        if not self._is_writable and len(self._fresh) > _FRESH_TILES_MAX:
            self._open()
        hashes: list[bytes] = []
        for _, message in self._log.read(self.size, size):
            hashes.append(hash_of(message))
            if len(hashes) == _CATCH_UP_MESSAGES:
                self._extend(hashes)
                hashes = []
        self._extend(hashes)
        if self.size < size:
            text = f"the log ends at {self.size}, and the tree of {size} messages is asked for"
            raise InputError(text)

    def _extend(self, leaves: Sequence[bytes]) -> None:
        """Add leaves; a writer stores the tiles that become full."""
        for level, number, hashes in self._edge.extend(leaves):
            self._fresh[level << _LEVEL_BITS | number] = hashes
        if self._fresh and self._is_writable:
            self._store()

    def _store(self) -> None:
        connection = self._connection
        if connection is None:
            return
        size = self._edge.levels[0].tiles * TILE_WIDTH
        try:
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO tile VALUES (?, ?)", self._fresh.items())
            connection.execute(
                "UPDATE watermark SET size = ?, root = ?", (size, merkle.root(self._node, size))
            )
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            self.close()
            raise explain(error, self._path) from error
        self._fresh = {}

    def _open(self) -> None:
        """Continue from the valid part of the file; a writer rebuilds an invalid one."""
        self.close()
        self._state = self._state_now()
        try:
            is_right = self._path.exists() and self._is_loaded()
        except sqlite3.Error:
            is_right = False
        if is_right:
            return
        existed = self._path.exists()
        self.close()
        self._edge, self._fresh = Edge(), {}
        if not self._is_writable:
            return
        if existed:
            _LOGGER.warning("%s does not fit the log: it is made again from it", self._path)
        try:
            remove(self._path)
            create(self._path, _TABLES, application=APPLICATION_ID, version=LAYOUT_VERSION)
            self._connect()
        except OSError as error:
            text = f"{self._path} can't be made ({error.strerror})"
            raise AvailabilityError(f"{text}: repair the cause and repeat") from error
        except sqlite3.Error as error:
            raise explain(error, self._path) from error

    def _state_now(self) -> tuple[object, ...] | None:
        """Return the state of a file that a reader opened as immutable."""
        return frozen_state(self._path) if self._path.exists() else None

    def _connect(self) -> sqlite3.Connection:
        self._connection = connection = connect(self._path, writable=self._is_writable)
        if self._is_writable:
            connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    def _is_loaded(self) -> bool:
        """Load the size and right edge of the file; return False if it is damaged."""
        connection = self._connect()
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version != LAYOUT_VERSION or not has_shape(connection, _TABLES):
            return False
        size, root = connection.execute(_WATERMARK).fetchone()
        if size % TILE_WIDTH or size < 0:
            return False
        self._edge, self._fresh = Edge([Level(size >> TILE_LEVELS)]), {}
        levels = self._edge.levels
        try:
            while below := levels[-1].tiles:
                level = len(levels) - 1
                tiles = below >> TILE_LEVELS
                edge = [
                    self._stored(level << _LEVEL_BITS | n) for n in range(tiles * TILE_WIDTH, below)
                ]
                levels.append(Level(tiles, b"".join(folded(tile) for tile in edge)))
            if merkle.root(self._node, size) != bytes(root):
                return False
            last = self._node(0, size - 1) if size else None
        except LedgerError:
            return False
        leaves = [hash_of(message) for _, message in self._log.read(size - 1, size)] if size else []
        return leaves == ([last] if size else [])
