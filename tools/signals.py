"""What is done on a signal is done by a thread of its own.

A handler runs between two steps of the main thread, which may hold the very lock that the handler
waits for: so an event that is set by a handler, while the main thread begins to wait for it.
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
    """Return a handler of signals that has something done, and takes no lock."""

    def handle(*_: object) -> None:
        start_new_thread(do, ())

    return handle


def wait_for(event: Event, seconds: float = inf) -> bool:
    """Wait for what a signal sets, in the main thread; return whether it is set.

    A signal does not end its wait if another thread got it, or if it came just before: Python runs
    no handler until the wait is over.
    """
    end = monotonic() + seconds
    while not event.wait(min(LOOK_SECONDS, max(end - monotonic(), 0.0))):
        if monotonic() >= end:
            return False
    return True
