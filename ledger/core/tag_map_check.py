"""Do the checkpoints of a chain name the right tag map? Answered beside a reading of all messages.

What comes in: the events of each stretch by their tags, and what each checkpoint says, as a
verification meets them. What goes out: nothing, or the first checkpoint that names another root.
Memory stays flat: what is many waits on the disk.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from contextlib import contextmanager
from pathlib import Path
from tempfile import gettempdir
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import IntegrityError
from ledger.core.sqlite_errors import explain
from ledger.core.tag_map_store import TagMap

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.core.signing import Checkpoint
    from ledger.core.tag_entries import TagEntries

__all__ = ["MapCheck", "MapJudge", "NoMapCheck"]


class MapJudge(Protocol):
    """Hears what a verification meets, in order."""

    def add(self, entries: TagEntries) -> None:
        """Take note of the next messages."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Take note of what the checkpoint in message ``at`` says of the first ``size``.

        Sizes never fall, and a checkpoint covers no message at or behind it.
        """

    def finish(self) -> None:
        """Compare what is left.

        Raises:
            IntegrityError: a checkpoint names another root; the position is its own.
            AvailabilityError: the temporary file can't be used.

        """

    def close(self) -> None:
        """Let go of files; closing twice is allowed."""


class NoMapCheck:
    """Computes nothing: for who knows nothing of the map so far."""

    def add(self, entries: TagEntries) -> None:
        """Pass over it."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Pass over it."""

    def finish(self) -> None:
        """Compare nothing."""

    def close(self) -> None:
        """Nothing is open."""


class MapCheck:
    """Computes the map."""

    def __init__(
        self, recent: int, remembered: Checkpoint | None = None, begun: TagMap | None = None
    ) -> None:
        """Begin without messages, or with a map that is there.

        Args:
            recent: a checkpoint is at most so many messages late.
            remembered: one from elsewhere, whose tag map is compared too if it names one.
            begun: the map so far, which is taken over.

        """
        self._map = begun or TagMap.temporary()
        self._recent = recent
        self._remembered = remembered
        self._waiting: deque[TagEntries] = deque()
        self._fault: IntegrityError | None = None

    def add(self, entries: TagEntries) -> None:
        """Take note of the next messages."""
        waiting = self._waiting
        while waiting and waiting[0].end <= waiting[-1].end - self._recent:
            self._settle(waiting[0].end)
        waiting.append(entries)

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Compare what a checkpoint says; the first fault waits for the end."""
        self._settle(size)
        self._compare(f"the checkpoint in message {at}", at, map_root)

    def finish(self) -> None:
        """Compare what is left."""
        if self._remembered is not None:
            self._settle(self._remembered.size)
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        """Delete the temporary file."""
        self._map.close()

    def _compare(self, whose: str, at: int, map_root: bytes) -> None:
        with _explained():
            found = self._map.root()
        if self._fault is None and found != map_root:
            text = f"{whose} names another tag map of {self._map.size} messages"
            self._fault = IntegrityError(text, position=at)

    def _settle(self, size: int) -> None:
        remembered = self._remembered
        if remembered is not None and remembered.size <= size:
            self._remembered = None
            self._settle(remembered.size)
            if remembered.map_root:
                self._compare("the note", remembered.size - 1, remembered.map_root)
        waiting = self._waiting
        while waiting and self._map.size < size:
            entries = waiting.popleft()
            if entries.end > size:
                entries, rest = entries.split(size)
                waiting.appendleft(rest)
            with _explained():
                self._map.add(entries)


@contextmanager
def _explained() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise explain(error, Path(gettempdir())) from error
