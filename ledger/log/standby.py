"""Election of the writer: one process leads, the others stand by.

What comes in: a log that several processes could write. What goes out: permission for this process
to open the log for writing, and a notification when its lease has ended. The lease only keeps two
writers from competing. If the lease fails, the log itself prevents damage: by a lock on one
machine, by the epoch of the transactions on Kafka. So it does no harm if a lease ends late or its
holder has not noticed that it lost the lease. See
docs/adr/0011-the-lease-is-a-group-membership.md.
"""

from __future__ import annotations

from threading import Event
from typing import TYPE_CHECKING, Protocol

from ledger.core.errors import AvailabilityError
from ledger.storage.writer_lock import WriterLock

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from ledger.core.errors import InputError, LedgerError

__all__ = ["LockStandby", "Standby"]


class Standby(Protocol):
    """A process that waits for the lease, obtains it, and is notified when it loses the lease."""

    def wait(self, timeout_seconds: float) -> bool:
        """Wait until this process may open the log for writing; return False on timeout.

        Raises:
            InputError, IntegrityError, AuthorizationError: the process can never obtain the lease.
            AvailabilityError: the folder belongs to another process.

        """

    def watch(self, notify: Callable[[LedgerError], None]) -> None:
        """Call a function, from another thread, when the lease is lost."""

    def fault(self) -> InputError | None:
        """Return why the log could lose messages or hold readers back; None if it is as it must be.

        Raises:
            LedgerError: that can't be found out now.

        """

    def has_others(self) -> bool:
        """Return whether another process would lead if this one released the lease.

        Raises:
            LedgerError: that can't be found out now.

        """

    def close(self) -> None:
        """Release the lease, so that another process takes it at once; may be called twice."""


class LockStandby:
    """Standby on one machine: the holder of the writer's lock leads until its process ends."""

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

    def fault(self) -> None:
        """Return None: a file has no settings that others could change."""

    def has_others(self) -> bool:
        """Return False: who waits for the lock has the same disk and the same clock."""
        return False

    def close(self) -> None:
        """Stop waiting; the lock is released with the log."""
        self._closed.set()
