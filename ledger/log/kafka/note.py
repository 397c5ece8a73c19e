"""The note: the last acknowledged head, stored on the writer's own disk.

Brokers have lost acknowledged data: an unclean election, a restored snapshot, a recreated topic.
The writer therefore stores size and hash of the head on its own disk before it acknowledges a
message, and it does not continue a topic that ends before this head. The file has two slots that
are written in turn, each with a digest, so a torn write leaves the previous slot intact. The file
is allocated in full length at the start, so a write succeeds on a full disk.
"""

from __future__ import annotations

import os
from contextlib import suppress
from hashlib import sha256
from struct import Struct
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.core.message import EMPTY, Head
from ledger.storage.durable import sync_folder

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["HeadNote"]

_PLACE = Struct(">8sQ32s16s")
_MARK = b"GLEDHEAD"
_PLACE_BYTES = 512
"""A sector: most disks write it completely or not at all, independently of its neighbour."""


class HeadNote:
    """The note in one file, opened only by the writer."""

    def __init__(self, path: Path) -> None:
        """Open the note; create an empty one if there is none.

        Raises:
            IntegrityError: the file is not a note.
            AvailabilityError: the disk fails.

        """
        self.path = path
        self._place = 0
        self._descriptor = -1
        try:
            if not path.exists():
                _make(path)
            self._descriptor = os.open(path, os.O_RDWR)
            self._begin()
        except OSError as error:
            self.close()
            text = f"{path} can't be used ({error.strerror})"
            raise AvailabilityError(f"{text}: the writer needs it; repair the cause") from error
        except BaseException:
            self.close()
            raise

    def write(self, head: Head) -> None:
        """Store a head; it is on disk on return.

        Raises:
            OSError: the disk failed.

        """
        place = 1 - self._place
        self._put(_pack(head), place * _PLACE_BYTES)
        self._place, self.head = place, head

    def close(self) -> None:
        """Close the file; closing twice is allowed."""
        if self._descriptor >= 0:
            with suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = -1

    def _begin(self) -> None:
        """Read the head and write it again in its place.

        A killed process may have written it without a sync. The next head is written over the other
        one, so this one must be on disk by then.
        """
        self.head = self._read()
        self._put(_pack(self.head), self._place * _PLACE_BYTES)

    def _put(self, record: bytes, offset: int) -> None:
        os.pwrite(self._descriptor, record, offset)
        os.fdatasync(self._descriptor)

    def _get(self, length: int, offset: int) -> bytes:
        return os.pread(self._descriptor, length, offset)

    def _read(self) -> Head:
        heads = {}
        for place in (0, 1):
            record = self._get(_PLACE.size, place * _PLACE_BYTES)
            if len(record) == _PLACE.size:
                mark, size, digest, check = _PLACE.unpack(record)
                if mark == _MARK and check == _check(size, digest):
                    heads[place] = Head(size, digest)
        if not heads:
            raise IntegrityError(
                f"{self.path} holds no readable note of the last acknowledged head: verify the "
                "log against a signed checkpoint, then delete the file and start the writer again"
            )
        self._place = max(heads, key=lambda place: heads[place].size)
        return heads[self._place]


def _make(path: Path) -> None:
    unfinished = path.with_name(f"{path.name}.new")
    descriptor = os.open(unfinished, os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    try:
        for place in (0, 1):
            os.pwrite(descriptor, _pack(EMPTY), place * _PLACE_BYTES)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    unfinished.replace(path)
    sync_folder(path.parent)


def _pack(head: Head) -> bytes:
    record = _PLACE.pack(_MARK, head.size, head.hash, _check(head.size, head.hash))
    return record.ljust(_PLACE_BYTES, b"\0")


def _check(size: int, digest: bytes) -> bytes:
    return sha256(_MARK + size.to_bytes(8, "big") + digest).digest()[:16]
