"""Index and tree of a reader: the files next to the log, or copies in the reader's cache.

What comes in: the log, the location of its index and tree, and a cache folder of the reader. What
goes out: positions and hashes. A reader cannot repair missing or outdated files next to the log,
and searching the log itself takes longer every day. Therefore missing parts are built once in the
cache, which may be deleted at any time.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from ledger.log.index.reading import ReadOnlyTagIndex
from ledger.log.index.tag_index import TagIndex
from ledger.log.index.tree import TREE, Tree
from ledger.log.sqlite_file import locked_cache

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from ledger.log.port import Query, ReadableLog

__all__ = ["INDEX", "ReadersIndex", "open_tree"]

BEHIND_MAX = 20_000
"""Maximum number of messages that are searched in the log itself, in about a second."""

INDEX = "index.sqlite"


class ReadersIndex:
    """Uses the most complete index file; searches the log for messages that the file lacks."""

    def __init__(self, path: Path, log: ReadableLog, cache: Path | None) -> None:
        """Store the paths of the index next to the log and of the reader's cache."""
        self._log = log
        self._cache = cache
        self._shared = ReadOnlyTagIndex(path, log)
        self._own = self._shared if cache is None else ReadOnlyTagIndex(cache / INDEX, log)

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
        return self._most_complete().find(
            query, after=after, before=before, limit=limit, backwards=backwards
        )

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands; see the port."""
        return self._most_complete().commands(command_ids)

    def close(self) -> None:
        """Close the files; closing twice is allowed."""
        self._shared.close()
        self._own.close()

    def _most_complete(self) -> ReadOnlyTagIndex:
        due = self._log.head().size - BEHIND_MAX
        if self._cache is None or self._shared.size_known >= due or self._shared.size() >= due:
            return self._shared
        if self._own.size() < due:
            path = self._cache / INDEX
            _build(self._cache, lambda: TagIndex(path, self._log))
            self._own.close()
            self._own = ReadOnlyTagIndex(self._cache / INDEX, self._log)
        return max(self._own, self._shared, key=ReadOnlyTagIndex.size)


def open_tree(log: ReadableLog, folder: Path, cache: Path | None) -> Tree:
    """Open the most complete tree of a log for a reader."""
    shared = Tree(folder / TREE, log, writable=False)
    due = log.head().size - BEHIND_MAX
    if cache is None or shared.size >= due:
        return shared
    own = Tree(cache / TREE, log, writable=False)
    if own.size < due:
        _build(cache, lambda: Tree(cache / TREE, log, writable=True))
        own = Tree(cache / TREE, log, writable=False)
    return max(own, shared, key=lambda tree: tree.size)


def _build(cache: Path, build: Callable[[], TagIndex | Tree]) -> None:
    """Build a file in the cache if that is writable; otherwise the log will be searched."""
    with suppress(OSError, AvailabilityError), locked_cache(cache):
        build().close()
