"""Record facts of the exchange in the chain, one after the other."""

from __future__ import annotations

from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from ledger.events.command import Command
    from tools.data import DataDirectory

__all__ = ["Recorder"]

PATIENCE_SECONDS = 5.0
PAUSE_SECONDS = 0.25


class Recorder:
    """Record as this machine's writer, for one command at a time, or through remote writers."""

    def __init__(self, directory: DataDirectory, *, patience: float = PATIENCE_SECONDS) -> None:
        """Set the data directory, and how many seconds to wait for another process."""
        self._directory = directory
        self._patience = patience
        self._lock = Lock()
        self._never = Event()

    def record(self, command: Command) -> None:
        """Record a fact; wait while another process writes.

        Raises:
            InputError: the chain refuses the fact.
            AvailabilityError: the writer or the disk is unavailable.

        """
        with self._lock:
            until = monotonic() + self._patience
            while True:
                try:
                    with self._directory.write() as ledger:
                        ledger.execute(command)
                except AvailabilityError:
                    if monotonic() >= until:
                        raise
                    self._never.wait(PAUSE_SECONDS)
                else:
                    return
