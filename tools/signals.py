"""Handle signals in a separate thread.

A signal handler runs between two steps of the main thread, which may hold a lock that the handler
needs: for example, a handler that sets an event deadlocks while the main thread begins to wait for
that event.
"""

from __future__ import annotations

from _thread import start_new_thread
from math import inf
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from threading import Event

__all__ = ["handling", "wait_for"]

LOOK_SECONDS = 0.5


def handling(do: Callable[[], object]) -> Callable[..., None]:
    """Return a signal handler that runs an action in another thread, and takes no lock."""

    def handle(*_: object) -> None:
        start_new_thread(do, ())

    return handle


def wait_for(event: Event, seconds: float = inf) -> bool:
    """Wait in the main thread for an event set by a signal; return whether it is set.

    A signal does not end a wait if another thread received it, or if it arrived just before: Python
    runs no handler until the wait is over.
    """
    end = monotonic() + seconds
    while not event.wait(min(LOOK_SECONDS, max(end - monotonic(), 0.0))):
        if monotonic() >= end:
            return False
    return True
