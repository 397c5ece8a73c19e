"""A disk: what was written and not synced is lost, or torn, when the power goes.

Within its contract a disk may lose any sectors of writes that were not synced, refuse for want of
room, and fail a write or a sync, with or without the data being there. Outside of it, a write may
be lost or land elsewhere, a bit may flip, and a sync may lie; the system has to notice these.
"""

from __future__ import annotations

import errno
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.core.message import Head
    from tests.simulation.simulated_world import World

SECTOR = 512


class Faults(Protocol):
    """Says whether a fault happens now; a simulation without faults says no."""

    def __call__(self, kind: str) -> bool: ...


class File:
    """What a process sees, what is on the platter, and what lies between."""

    def __init__(self, content: bytes = b"") -> None:
        self.seen = bytearray(content)
        self.durable = bytearray(content)
        self.unsynced: list[tuple[int, bytes]] = []


class Disk:
    """Files by name; every access may take time and fail."""

    def __init__(self, world: World, faults: Faults, name: str, latency: int = 1_000) -> None:
        self.world, self.happens, self.name = world, faults, name
        self.latency = latency
        self.on_death: Callable[[bool], None] = lambda _: None
        self.on_noted: Callable[[Head], None] = lambda _: None
        self._chance = world.stream(f"disk {name}")
        self.files: dict[str, File] = {}
        self.is_violated = False
        self._broken_until = 0

    def put(self, name: str, content: bytes) -> None:
        """Place a file that is on the platter already."""
        self.files[name] = File(content)

    def read(self, name: str) -> bytes:
        """Return what a process sees."""
        return bytes(self.files[name].seen) if name in self.files else b""

    def write(self, name: str, offset: int, data: bytes) -> None:
        """Write; on the platter only after a sync.

        Raises:
            OSError: it failed; a part may have been written.

        """
        self._wait(50)
        if self.happens("process dies at a write"):
            self._put(name, offset, data[: self._chance.randrange(len(data) + 1)])
            self.on_death(False)
        if self.happens("disk full"):
            raise OSError(errno.ENOSPC, "no space left on device")
        if self.happens("write fails"):
            self._put(name, offset, data[: self._chance.randrange(len(data) + 1)])
            self._break()
        if self.world.now < self._broken_until:
            raise OSError(errno.EIO, "input/output error")
        self._put(name, offset, data)

    def sync(self, name: str) -> None:
        """Bring all writes to the platter.

        Raises:
            OSError: it failed; any sectors may be there or not.

        """
        self._wait(self.latency)
        file = self.files[name]
        if self.happens("power fails in a sync"):
            self.on_death(True)
        if self.happens("sync fails with the data there"):
            self._settle(file, lambda: True)
            self._break()
        if self.happens("sync fails"):
            self._settle(file, lambda: self._chance.random() < 0.5)
            self._break()
        if self.happens("sync lies"):
            self.is_violated = True
            return
        if self.happens("write is lost"):
            self.is_violated = True
            self._settle(file, lambda: False)
        elif file.unsynced and self.happens("write is misdirected"):
            self.is_violated = True
            where, data = file.unsynced.pop()
            elsewhere = self._chance.randrange(max(1, len(file.durable) // SECTOR)) * SECTOR
            _patch(file.durable, elsewhere, data)
            file.unsynced.append((where, b""))
        self._settle(file, lambda: True)

    def crash(self) -> None:
        """Lose the power: of each write that was not synced, some sectors are there."""
        share = self._chance.choice((0.0, 0.2, 0.8, 1.0))
        for file in self.files.values():
            if file.unsynced and self._chance.random() < 0.5:  # a sector itself is torn
                offset, data = file.unsynced.pop()
                length = self._chance.randrange(self._chance.choice((64, len(data) + 1)))
                file.unsynced.append((offset, data[:length]))
            self._settle(file, lambda: self._chance.random() < share)
            if self.happens("bit flips"):
                self.is_violated = True
                at = self._chance.randrange(max(1, len(file.durable)))
                if file.durable:
                    file.durable[at] ^= 1 << self._chance.randrange(8)
            file.seen = bytearray(file.durable)

    def _put(self, name: str, offset: int, data: bytes) -> None:
        file = self.files.setdefault(name, File())
        _patch(file.seen, offset, data)
        file.unsynced.append((offset, data))

    def _break(self) -> None:
        """Fail now, and perhaps for a while."""
        if self._chance.random() < 0.5:
            self._broken_until = self.world.now + self._chance.randrange(2_000_000)
        raise OSError(errno.EIO, "input/output error")

    def _wait(self, microseconds: int) -> None:
        self.world.pause(self._chance.randrange(1, 2 * microseconds))

    @staticmethod
    def _settle(file: File, is_kept: Callable[[], bool]) -> None:
        for offset, data in file.unsynced:
            start = 0
            while start < len(data):
                end = start + SECTOR - (offset + start) % SECTOR
                if is_kept():
                    _patch(file.durable, offset + start, data[start:end])
                start = end
        file.unsynced.clear()


def _patch(content: bytearray, offset: int, data: bytes) -> None:
    if len(content) < offset:
        content.extend(bytes(offset - len(content)))
    content[offset : offset + len(data)] = data
