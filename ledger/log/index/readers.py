"""Index and tree of a reader: those beside the log, or else some of its own in a cache.

What comes in: the log, where its index and tree are, and a folder of the reader's own. What goes
out: positions and hashes. Files that are missing or far behind can't be mended by who may only
read, and looking everything up in the log takes longer each day; so what they lack is built once
in the cache, which may be deleted at any time.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError
from ledger.log.index.reading import ReadOnlyTagIndex
from ledger.log.index.tag_index import TagIndex
from ledger.log.index.tree import TREE, Tree
from ledger.log.sqlite_file import cache_held

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from pathlib import Path

    from ledger.log.port import Query, ReadableLog

__all__ = ["INDEX", "ReadersIndex", "tree_to_read"]

BEHIND_MAX = 20_000
"""Messages that are looked up in the log itself, in about a second."""

INDEX = "index.sqlite"


class ReadersIndex:
    """Answers from whichever index lacks least; what both lack is looked up in the log."""

    def __init__(self, path: Path, log: ReadableLog, cache: Path | None) -> None:
        """Take the place of the index beside the log, and a folder that the reader may write."""
        self._log = log
        self._cache = cache
        self._beside = ReadOnlyTagIndex(path, log)
        self._own = self._beside if cache is None else ReadOnlyTagIndex(cache / INDEX, log)

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
        return self._nearest().find(
            query, after=after, before=before, limit=limit, backwards=backwards
        )

    def commands(self, command_ids: Collection[bytes]) -> dict[bytes, tuple[int, int]]:
        """Return (first position, size) of the decisions of recorded commands; see the port."""
        return self._nearest().commands(command_ids)

    def close(self) -> None:
        """Let go of the files; closing twice is allowed."""
        self._beside.close()
        self._own.close()

    def _nearest(self) -> ReadOnlyTagIndex:
        due = self._log.head().size - BEHIND_MAX
        if self._cache is None or self._beside.size_known >= due or self._beside.size() >= due:
            return self._beside
        if self._own.size() < due:
            path = self._cache / INDEX
            _build(self._cache, lambda: TagIndex(path, self._log))
            self._own.close()
            self._own = ReadOnlyTagIndex(self._cache / INDEX, self._log)
        return max(self._own, self._beside, key=ReadOnlyTagIndex.size)


def tree_to_read(log: ReadableLog, folder: Path, cache: Path | None) -> Tree:
    """Open the tree of a log for a reader, the one that lacks least."""
    beside = Tree(folder / TREE, log, writable=False)
    due = log.head().size - BEHIND_MAX
    if cache is None or beside.size >= due:
        return beside
    own = Tree(cache / TREE, log, writable=False)
    if own.size < due:
        _build(cache, lambda: Tree(cache / TREE, log, writable=True))
        own = Tree(cache / TREE, log, writable=False)
    return max(own, beside, key=lambda tree: tree.size)


def _build(cache: Path, build: Callable[[], TagIndex | Tree]) -> None:
    """Build in the cache, if it can be written; without it, the log answers."""
    with suppress(OSError, AvailabilityError), cache_held(cache):
        build().close()
