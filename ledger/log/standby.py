"""Election of the writer: one process leads, any number stand by.

What comes in: a log that several processes could write. What goes out: the moment at which this
process may open it for writing, and the notification that its lease is over. The lease only spares
two writers from fighting. The log itself prevents damage when the lease fails: by a lock on one
machine, by the epoch of the transactions on Kafka. So a lease may lapse late or be held by a
process that has not noticed its loss. See docs/adr/0011-the-lease-is-a-group-membership.md.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import AvailabilityError
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.core.errors import LedgerError

__all__ = ["LockStandby", "Standby"]


class Standby(Protocol):
    """A process that waits for the lease, takes it, and is notified when it is lost."""

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until this process may open the log for writing; return False on timeout.

        Raises:
            InputError, IntegrityError, AuthorizationError: waiting is useless.
            AvailabilityError: the folder belongs to another process.

        """

    def watch(self, notify: Callable[[LedgerError], None]) -> None:
        """Call a function, from another thread, when the lease is lost."""

    def close(self) -> None:
        """Release the lease, so that another process takes it at once; may be called twice."""


class LockStandby:
    """On one machine: the process that has the writer's lock leads, until it ends."""

    def __init__(self, directory: Path) -> None:
        """Store the folder of the log."""
        self._path = directory / "writer.lock"
        self._closed = Event()

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until the lock is free; see :class:`Standby`."""
        try:
            WriterLock(self._path).release()
        except AvailabilityError:
            self._closed.wait(timeout_seconds)
            return False
        return True

    def watch(self, notify: Callable[[LedgerError], None]) -> None:
        """Do nothing: a lock is not lost while its process lives."""

    def close(self) -> None:
        """Stop waiting; the lock is released with the log."""
        self._closed.set()
