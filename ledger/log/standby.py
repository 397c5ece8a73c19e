"""Whose turn it is to write: one process leads, any number stand by.

What comes in: a log that several processes could write. What goes out: the moment at which this
one may open it for writing, and the news that its turn is over. The lease only spares two
writers from fighting; that they do no harm when it fails is the log's own doing: a lock on one
machine, the epoch of the transactions on Kafka. So a lease may lapse late or be held by a process
that does not know it yet. See docs/adr/0011-the-lease-is-a-group-membership.md.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import AvailabilityError
from ledger.core.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.core.errors import LedgerError

__all__ = ["LockStandby", "Standby"]


class Standby(Protocol):
    """A process that waits for its turn, takes it, and is told when it is over."""

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until this process may open the log for writing; false when the time is over.

        Raises:
            InputError, IntegrityError, AuthorizationError: waiting is of no use.
            AvailabilityError: the folder belongs to another process.

        """

    def watch(self, tell: Callable[[LedgerError], None]) -> None:
        """Have a function called, from another thread, when the turn is over."""

    def close(self) -> None:
        """Return the turn up, so that another process takes it at once; may be called twice."""


class LockStandby:
    """On one machine: whoever gets the writer's lock writes, until its process ends."""

    def __init__(self, directory: Path) -> None:
        """Name the folder of the log."""
        self._path = directory / "writer.lock"
        self._closed = Event()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until nobody holds the lock; see :class:`Standby`."""
        try:
            WriterLock(self._path).release()
        except AvailabilityError:
            self._closed.wait(timeout_seconds)
            return False
        return True

    def watch(self, tell: Callable[[LedgerError], None]) -> None:
        """Nothing is to be told: a lock is not lost while its process lives."""

    def close(self) -> None:
        """Stop waiting; the lock is released with the log."""
        self._closed.set()
