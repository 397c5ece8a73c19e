"""A log in one file of a simulated disk, with the contract of the port.

A record is a batch: length, checksum, messages. It is acknowledged and visible once it is synced.
What a failed append left is wiped before the failure is reported; where that fails too, the outcome
is unknown, and the log is closed until another process has looked.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING
from zlib import crc32

from ledger.core.errors import AvailabilityError, IntegrityError
from ledger.log.continuity import continue_head
from ledger.log.index.tag_index import message_of
from ledger.log.memory import MemoryLog

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ledger.core.message import Head, Message
    from tests.simulation.simulated_disk import Disk

FILE = "log"
_HEADER = Struct(">4sII")
_LENGTH = Struct(">I")
_MARK = b"SIML"


class UnknownOutcomeError(Exception):
    """An append may or may not be on the disk."""


class DiskLog(MemoryLog):
    """Holds the messages in memory, too: what is visible to readers."""

    def __init__(self, disk: Disk, begin: Sequence[Message] = ()) -> None:
        """Read the file; ``begin`` are messages whose bytes need not be decoded again.

        Raises:
            IntegrityError: the file is damaged before its end.
            AvailabilityError: it can't be written.

        """
        super().__init__()
        self._disk = disk
        self._stopped = False
        known = {message.body: message for message in begin}
        self._end = last = 0
        content = disk.read(FILE)
        for end, bodies in records(content):
            messages = [
                known.get(body) or message_of(self._head.size + number, body)
                for number, body in enumerate(bodies)
            ]
            super().append(messages)
            last, self._end = self._end, end
        try:
            if content[self._end :].strip(b"\0"):  # the rest of an append that was cut off
                self._wipe(len(content) - self._end)
            if last < self._end:
                # A process that was killed may not have synced it, and after a sync that failed it
                # may be in memory only, so it is written again.
                disk.write(FILE, last, content[last : self._end])
                disk.sync(FILE)
        except OSError as error:
            raise AvailabilityError(f"the disk failed ({error.strerror})") from error

    def append(self, messages: Sequence[Message]) -> Head:
        """Append whole decisions in one record, synced on return."""
        self.confirm()
        head = continue_head(self._head, messages)
        if head == self._head:
            return head
        record = record_of([message.body for message in messages])
        try:
            self._disk.write(FILE, self._end, record)
            self._disk.sync(FILE)
        except OSError as error:
            try:
                self._wipe(len(record))
            except OSError:
                self._stopped = True
                raise UnknownOutcomeError(str(error)) from error
            raise AvailabilityError(f"the disk failed ({error.strerror})") from error
        self._end += len(record)
        return super().append(messages)

    def confirm(self) -> None:
        """Check that the log is open and that the outcome of each append is known."""
        super().confirm()
        if self._stopped:
            raise AvailabilityError("the outcome of an append is unknown: open the log again")

    def _wipe(self, length: int) -> None:
        self._disk.write(FILE, self._end, bytes(length))
        self._disk.sync(FILE)


def record_of(bodies: Sequence[bytes]) -> bytes:
    """Return the bytes of a record."""
    payload = b"".join(_LENGTH.pack(len(body)) + body for body in bodies)
    return _HEADER.pack(_MARK, len(payload), crc32(payload)) + payload


def records(content: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Return the whole records from the beginning, each with the offset of its end."""
    at = 0
    while (record := _record_at(content, at)) is not None:
        at, bodies = record
        yield at, bodies
    later = content.find(_MARK, at + 1)
    while later >= 0:
        if _record_at(content, later) is not None:
            raise IntegrityError("the log is damaged before its end: restore it from a copy")
        later = content.find(_MARK, later + 1)


def _record_at(content: bytes, at: int) -> tuple[int, list[bytes]] | None:
    if len(content) < at + _HEADER.size:
        return None
    mark, length, checksum = _HEADER.unpack_from(content, at)
    start = at + _HEADER.size
    payload = content[start : start + length]
    if mark != _MARK or len(payload) < length or crc32(payload) != checksum:
        return None
    bodies, place = [], 0
    while place < length:
        (size,) = _LENGTH.unpack_from(payload, place)
        bodies.append(payload[place + 4 : place + 4 + size])
        place += 4 + size
    return start + length, bodies
