"""Standing by, leading, stopping: the life of one writer among several."""

from __future__ import annotations

import contextlib
import os
from threading import Event, RLock, Timer
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from ledger.log.standby import Standby
    from ledger.writer import Ledger
    from tools.service.server import Server

__all__ = ["Stop", "run"]

WAIT_SECONDS = 0.5
STOP_SECONDS = 60.0


class Stop:
    """The end of the service: asked for, or with the error that caused it."""

    def __init__(self, *, ends_process: bool = False) -> None:
        """Begin without a reason to stop.

        Args:
            ends_process: end the process :data:`STOP_SECONDS` later, whatever it waits for; a
                broker that does not answer must not keep a fenced writer alive.

        """
        self._event = Event()
        self._deciding = RLock()
        self._ends_process = ends_process
        self.error: Exception | None = None

    def __call__(self, error: Exception | None = None) -> None:
        """Stop; the first reason counts."""
        with self._deciding:
            if not self._event.is_set():
                self.error = error
                self._event.set()
                if self._ends_process:
                    self._end_in_time()

    @property
    def is_set(self) -> bool:
        """Return whether the end is near."""
        return self._event.is_set()

    def _end_in_time(self) -> None:
        code = getattr(self.error, "exit_code", 1 if self.error else 0)
        timer = Timer(STOP_SECONDS, os._exit, (code,))
        timer.daemon = True
        timer.start()


def run(
    standby: Standby,
    open_ledger: Callable[[], Ledger],
    server: Server,
    stop: Stop,
    tell: Callable[..., None],
) -> None:
    """Stand by, lead, serve, until told to stop.

    Args:
        standby: whose turn it is; closed at the end.
        open_ledger: takes the log over, once it is our turn.
        server: where clients come; closed at the end.
        stop: ends it.
        tell: is told the state (``standby``, ``leading``, ``stopped``) with what belongs to it.

    Raises:
        FencedError: another writer took over.
        LedgerError: what else ended it.

    """
    with contextlib.closing(standby), contextlib.closing(server):
        tell("standby")
        while not standby.wait(WAIT_SECONDS):
            if stop.is_set:
                tell("stopped", turned_away=0)
                return
        with open_ledger() as ledger:
            standby.watch(stop)
            server.listen()
            tell("leading", chain=ledger.chain, size=ledger.head.size, address=str(server.address))
            server.serve(ledger, stop)
    tell("stopped", turned_away=server.turned_away.total)
    if stop.error is not None:
        raise stop.error
