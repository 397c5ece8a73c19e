"""Facts of the exchange, recorded in the chain one after the other."""

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
    """The writer's place on this machine, taken for one command at a time, or the writers named."""

    def __init__(self, directory: DataDirectory, *, patience: float = PATIENCE_SECONDS) -> None:
        """Name the data directory, and how many seconds to wait for another process."""
        self._directory = directory
        self._patience = patience
        self._lock = Lock()
        self._never = Event()

    def record(self, command: Command) -> None:
        """Record a fact; where another process writes for a moment, wait for it.

        Raises:
            InputError: the chain refuses it.
            AvailabilityError: the writer or the disk is away.

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
