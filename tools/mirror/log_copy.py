"""The copy of one log that a mirror holds: opened when needed, again after each failure."""

from __future__ import annotations

from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import AvailabilityError, LedgerError
from ledger.events.encoding import hash_of
from ledger.log.sqlite import SqliteLog
from ledger.log.tiles import publish
from ledger.log.verified_copy import VerifiedCopy
from ledger.tlog.merkle import CompactRange, require_subtree
from ledger.tlog.signing import parse_note

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.tlog.mirroring import Package, PackageRange
    from ledger.tlog.notes import Note, TreeHead
    from tools.mirror.folder import MirrorFolder
    from tools.witness.state import WitnessedLog

__all__ = ["LogCopy"]

ANNOUNCED_MAX = 8
"""So many announced checkpoints may be filled: a later one does not spoil an upload that runs."""

UPLOADS_MAX = 2
"""So many requests of one log are served or wait: one that sends more takes no other's thread."""


class _Announcement(NamedTuple):
    note: Note
    moment: int


class LogCopy:
    """The copy of one log; one thread at a time is :meth:`open`."""

    def __init__(self, folder: MirrorFolder, origin: str) -> None:
        """Open nothing yet."""
        self._folder, self._origin = folder, origin
        self._lock, self._uploads = Lock(), BoundedSemaphore(UPLOADS_MAX)
        self._copy: VerifiedCopy | None = None
        self._leaves: dict[int, bytes] = {}
        self._announced: dict[int, _Announcement] = {}

    def announce(self, note: Note, moment: int) -> None:
        """Remember a checkpoint that the log announced, and when it did so first."""
        size = note.head.size
        first = self._announced.get(size, _Announcement(note, moment))
        last = [*(self._announced | {size: _Announcement(note, first.moment)}).items()]
        self._announced = dict(last[-ANNOUNCED_MAX:])

    def announced(self, size: int) -> Note | None:
        """Return the checkpoint of a size that the log announced, if it was one of the last."""
        found = self._announced.get(size)
        return found and found.note

    def waiting_behind(self, size: int) -> int | None:
        """Return when the first checkpoint of more messages was announced; None without one."""
        later = (one.moment for at, one in self._announced.items() if at > size)
        return next(later, None)

    @contextmanager
    def open(self, memory: WitnessedLog) -> Iterator[VerifiedCopy]:
        """Open the copy for one thread; what changes it stands in :meth:`changing`.

        Raises:
            IntegrityError: the copy is damaged.
            AvailabilityError: it can't be used, or others wait for it.

        """
        if not self._uploads.acquire(blocking=False):
            raise AvailabilityError(f"{self._origin} is sent more than once: try again later")
        try:
            with self._lock:
                if memory.note is not None and not self._announced:
                    self.announce(memory.note, 0)
                if self._copy is None:
                    self._copy = self._opened(memory)
                yield self._copy
        finally:
            self._uploads.release()

    @contextmanager
    def changing(self) -> Iterator[None]:
        """Close the copy after a failure: who opens it again verifies its end again."""
        try:
            yield
        except LedgerError:
            self._close()
            raise

    def close(self) -> None:
        """Close the copy."""
        with self._lock:
            self._close()

    def add(
        self, copy: VerifiedCopy, place: PackageRange, package: Package, tree: TreeHead
    ) -> None:
        """Take the messages of a package that the copy lacks.

        Raises:
            IntegrityError: the messages are not in the tree, or one of them has a fault.
            AvailabilityError: the copy can't be written.

        """
        leaves = [hash_of(message) for message in package.messages]
        subtree = CompactRange()
        for position in range(place.subtree, place.start):
            subtree.add(self._leaf(copy, position))
        for leaf in leaves:
            subtree.add(leaf)
        require_subtree(subtree, place.subtree, tree.size, tree.root, package.proof)
        lacking = max(copy.size - place.start, 0)
        self._leaves |= dict(enumerate(leaves[lacking:], copy.size))
        with self.changing():
            copy.add(package.messages[lacking:])
        stored = copy.log.head().size
        self._leaves = {at: leaf for at, leaf in self._leaves.items() if at >= stored}

    def publish(self, copy: VerifiedCopy, note: Note) -> None:
        """Replace the signed checkpoint, and write the tiles up to it.

        Raises:
            IntegrityError: the tiles are of another history.
            AvailabilityError: they can't be written.

        """
        publish(copy.log, str(note), self._folder.tiles_of(self._origin))

    def _leaf(self, copy: VerifiedCopy, position: int) -> bytes:
        return self._leaves.get(position) or copy.log.node(0, position)

    def _opened(self, memory: WitnessedLog) -> VerifiedCopy:
        log = SqliteLog(self._folder.data_of(self._origin), writable=True)
        try:
            signed = self._folder.signed(self._origin)
            checkpoint = None if signed is None else parse_note(str(signed))[0]
            return VerifiedCopy(log, memory.keys, checkpoint)
        except BaseException:
            log.close()
            raise

    def _close(self) -> None:
        copy, self._copy, self._leaves = self._copy, None, {}
        if copy is not None:
            copy.log.close()
