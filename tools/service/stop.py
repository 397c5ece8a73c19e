"""Stop signal of a service, with its reason."""

from __future__ import annotations

import os
from threading import Event, RLock, Timer

__all__ = ["Stop"]

STOP_SECONDS = 60.0


class Stop:
    """Stop signal of a service: an operator's request, or the error that caused it."""

    def __init__(self, *, ends_process: bool = False) -> None:
        """Begin without a reason to stop.

        Args:
            ends_process: end the process :data:`STOP_SECONDS` after the signal, whatever it waits
                for; an unresponsive broker must not keep a fenced writer alive.

        """
        self._event = Event()
        self._deciding = RLock()
        self._ends_process = ends_process
        self.error: Exception | None = None

    def __call__(self, error: Exception | None = None) -> None:
        """Stop; the first reason is kept."""
        with self._deciding:
            if not self._event.is_set():
                self.error = error
                self._event.set()
                if self._ends_process:
                    self._end_in_time()

    @property
    def is_set(self) -> bool:
        """Return whether the service is to stop."""
        return self._event.is_set()

    def _end_in_time(self) -> None:
        code = getattr(self.error, "exit_code", 1 if self.error else 0)
        timer = Timer(STOP_SECONDS, os._exit, (code,))
        timer.daemon = True
        timer.start()
