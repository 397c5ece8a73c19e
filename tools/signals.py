"""What is done on a signal is done by a thread of its own.

A handler runs between two steps of the main thread, which may hold the very lock that the handler
waits for: so an event that is set by a handler, while the main thread begins to wait for it.
"""

from __future__ import annotations

from _thread import start_new_thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["handling"]


def handling(do: Callable[[], object]) -> Callable[..., None]:
    """Return a handler of signals that has something done, and takes no lock."""

    def handle(*_: object) -> None:
        start_new_thread(do, ())

    return handle
