"""Check during a verification the tag map roots that the checkpoints of a chain name.

What comes in: the tags of each message, and the map root of each checkpoint, in the order of the
verification. What goes out: nothing, or an error for the first checkpoint that
names another root than the computed one. Memory stays constant: large amounts are spooled to disk.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import IntegrityError
from ledger.core.message import BLOCK
from ledger.core.phrases import Phrase
from ledger.tlog.tag_entries import TagEntries
from ledger.tlog.tag_map_store import TagMap
from ledger.verification.duplicate_commands import temporary_file

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.tlog.signing import Checkpoint

__all__ = ["MapCheck", "MapVerifier", "NoMapCheck"]


class MapVerifier(Protocol):
    """Interface of a tag map check: receives messages and checkpoints in the order of the chain."""

    def add(self, position: int, digest: bytes, tags: Sequence[bytes]) -> None:
        """Add the next message with its hash and its tags, in UTF-8."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Add the map root that a checkpoint names.

        Sizes never decrease, and a checkpoint covers no message at or after itself.

        Args:
            at: position of the checkpoint.
            size: number of messages that the checkpoint covers.
            map_root: the root that it names.

        """

    def finish(self) -> None:
        """Compare the remaining checkpoints.

        Raises:
            IntegrityError: a checkpoint names another root; the position is that of the checkpoint.
            AvailabilityError: the temporary file can't be used.

        """

    def close(self) -> None:
        """Close the files; closing twice is allowed."""


class NoMapCheck:
    """Checks nothing: for callers without the map of the part before."""

    def add(self, position: int, digest: bytes, tags: Sequence[bytes]) -> None:
        """Do nothing."""

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Do nothing."""

    def finish(self) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class MapCheck:
    """Computes the tag map and compares its roots."""

    def __init__(
        self,
        recent: int,
        known_checkpoint: Checkpoint | None = None,
        initial_map: TagMap | None = None,
    ) -> None:
        """Start with an empty or an existing map.

        Args:
            recent: largest number of messages between a checkpoint and the size that it covers.
            known_checkpoint: a checkpoint known from elsewhere; its map root is compared, if it
                names one.
            initial_map: the map of the part before; the check takes ownership. None: empty.

        """
        self._map = initial_map or TagMap.temporary()
        self._recent = recent
        self._known_checkpoint = known_checkpoint
        self._waiting: deque[tuple[bytes, Sequence[bytes]]] = deque()
        self._fault: IntegrityError | None = None

    def add(self, position: int, digest: bytes, tags: Sequence[bytes]) -> None:
        """Add the next message."""
        self._waiting.append((digest, tags))
        if len(self._waiting) >= self._recent + BLOCK:
            self._settle(position + 1 - self._recent)

    def claim(self, at: int, size: int, map_root: bytes) -> None:
        """Compare the map root of a checkpoint; :meth:`finish` reports the first fault.

        One over less than the initial map is not compared: the map of that size is gone.
        """
        if size < self._map.size:
            return
        self._settle(size)
        self._compare(Phrase("CHECKPOINT_MAP_WRONG", at=at, size=size), at, map_root)

    def finish(self) -> None:
        """Compare the remaining checkpoints."""
        if self._known_checkpoint is not None:
            self._settle(self._known_checkpoint.size)
        if self._fault is not None:
            raise self._fault

    def close(self) -> None:
        """Delete the temporary file."""
        self._map.close()

    def _compare(self, fault: Phrase, at: int, map_root: bytes) -> None:
        with temporary_file():
            computed = self._map.root()
        if self._fault is None and computed != map_root:
            self._fault = IntegrityError(fault, position=at)

    def _settle(self, size: int) -> None:
        remembered = self._known_checkpoint
        if remembered is not None and remembered.size <= size:
            self._known_checkpoint = None
            self._settle(remembered.size)
            if remembered.map_root:
                other = Phrase("NOTE_MAP_WRONG", size=remembered.size)
                self._compare(other, remembered.size - 1, remembered.map_root)
        first = self._map.size
        if first < size:
            due = [self._waiting.popleft() for _ in range(first, size)]
            with temporary_file():
                self._map.add(TagEntries.of(first, due))
