"""Common base class of logs with an index and a tree: queries, waiting, stopping."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import closing
from threading import Condition
from time import monotonic
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from ledger.log.index.readers import INDEX, ReadersIndex, open_tree
from ledger.log.index.tag_index import TagIndex
from ledger.log.index.tag_map_file import MAP, map_at
from ledger.log.index.tree import TREE, Tree
from ledger.log.port import Query

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from ledger.core.errors import LedgerError
    from ledger.core.message import Head, Message
    from ledger.storage.writer_lock import WriterLock
    from ledger.tlog.tag_map import TagProof
    from ledger.tlog.tag_map_store import TagMap

__all__ = ["IndexedLog"]

_POLL_SECONDS = 0.05
_CHECKPOINTS = Query(types=("CheckpointSigned",))


class IndexedLog(ABC):
    """A log with an index; the condition ``_changed`` guards it and is notified by each append."""

    def __init__(self, name: str) -> None:
        """Start without an index; ``name`` is the log's name in errors."""
        self._name = name
        self._changed = Condition()
        self._lock: WriterLock | None = None
        self._index: TagIndex | ReadersIndex | None = None
        self._tree: Tree | None = None
        self._folders: tuple[Path, Path | None] | None = None
        self._stopped: LedgerError | None = None

    @property
    def is_writable(self) -> bool:
        """Return whether this is the log of the writer."""
        return self._lock is not None

    @abstractmethod
    def head(self) -> Head:
        """Return the current head."""

    @abstractmethod
    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield (position, message); see the port."""

    @abstractmethod
    def close(self) -> None:
        """Release files and locks; see the port."""

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node of the tree; see the port."""
        self._require_usable()
        with self._changed:
            if self._tree is None:
                if self._folders is None:
                    raise AvailabilityError(f"the tree of {self._name} is not open yet")
                self._tree = open_tree(self, *self._folders)
            return self._tree.node(level, index)

    def map_root(self, size: int) -> bytes:
        """Return the root of the tag map at a size; see the port."""
        with closing(self._map_at(size)) as tag_map:
            return tag_map.root()

    def tag_proofs(self, tags: Iterable[str], size: int) -> list[TagProof]:
        """Return the values of some tags in the tag map at a size, with proofs; see the port."""
        with closing(self._map_at(size)) as tag_map:
            return [tag_map.prove(tag.encode()) for tag in tags]

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
        return self._usable_index().find(
            query, after=after, before=before, limit=limit, backwards=backwards
        )

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands; see the port."""
        return self._usable_index().commands(command_ids)

    def wait(self, size: int, timeout_seconds: float) -> bool:
        """Wait until the log is longer than ``size``; a reader polls every 50 ms.

        Raises:
            LedgerError: the log stopped or was closed.

        """
        deadline = monotonic() + timeout_seconds
        with self._changed:
            while self.head().size <= size:
                left = deadline - monotonic()
                if left <= 0:
                    return False
                self._changed.wait(left if self.is_writable else min(left, _POLL_SECONDS))
        return True

    def _open_index(self, folder: Path, cache: Path | None) -> None:
        """Open index and tree: a writer updates them, a reader opens the tree at first use."""
        self._folders = (folder, cache)
        if self.is_writable:
            self._index = TagIndex(folder / INDEX, self)
            self._tree = Tree(folder / TREE, self, writable=True)
        else:
            self._index = ReadersIndex(folder / INDEX, self, cache)

    def _keep_up(self, messages: Sequence[Message], head: Head) -> None:
        """Add appended messages to index and tree."""
        if isinstance(self._index, TagIndex):
            self._index.add(messages, head)
        if self._tree is not None:
            self._tree.add(messages, head)

    def _close_index(self) -> None:
        if self._index is not None:
            self._index.close()
        if self._tree is not None:
            self._tree.close()

    def _map_at(self, size: int) -> TagMap:
        self._require_usable()
        if self._folders is None:
            raise AvailabilityError(f"the tag map of {self._name} is not open yet")
        folder, cache = self._folders
        # The file matches the last checkpoint or, while one is being signed, the one before.
        signed = self.find(_CHECKPOINTS, limit=2, backwards=True)
        path = folder / MAP
        return map_at(self, size, path, cache, signed=signed, writable=self.is_writable)

    @property
    def _reason(self) -> LedgerError | None:
        """Return why the log has stopped for good, if it has."""
        return self._stopped

    def _require_usable(self) -> None:
        reason = self._reason
        if reason is not None:
            raise type(reason)(str(reason))

    def _usable_index(self) -> TagIndex | ReadersIndex:
        self._require_usable()
        if self._index is None:
            raise AvailabilityError(f"the index of {self._name} is not open yet")
        return self._index
