"""Facts of the exchange, recorded in the chain one after the other."""

from __future__ import annotations

from threading import Event, Lock
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError

if TYPE_CHECKING:
    from ledger.core.command import Command
    from tools.data import DataDirectory

__all__ = ["Recorder"]

ATTEMPTS = 20
PAUSE_SECONDS = 0.25


class Recorder:
    """The writer's place on this machine, taken for one command at a time, or the writers named."""

    def __init__(self, directory: DataDirectory, *, attempts: int = ATTEMPTS) -> None:
        """Name the data directory."""
        self._directory = directory
        self._attempts = attempts
        self._lock = Lock()
        self._never = Event()

    def record(self, command: Command) -> None:
        """Record a fact; where another process writes for a moment, wait for it.

        Raises:
            InputError: the chain refuses it.
            AvailabilityError: the writer or the disk is away.

        """
        with self._lock:
            for left in reversed(range(self._attempts)):
                try:
                    with self._directory.write() as ledger:
                        ledger.execute(command)
                except AvailabilityError:
                    if not left:
                        raise
                    self._never.wait(PAUSE_SECONDS)
                else:
                    return
