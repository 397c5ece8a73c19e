"""Handle Ctrl-C: the program ends with exit code 130 and a message."""

from __future__ import annotations

import os
import signal
import sys
from contextlib import contextmanager
from threading import active_count, current_thread, main_thread
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["INTERRUPTED", "end_interrupted", "ending_if_interrupted"]

INTERRUPTED = 130
SENTENCE = "gameledger: interrupted"


@contextmanager
def ending_if_interrupted() -> Iterator[None]:
    """End at once if an interruption comes during imports, before any work has begun.

    Python's import system does not handle interruptions: it swallows them, turns them into another
    error, or keeps its lock.
    """
    in_order = signal.default_int_handler
    if current_thread() is not main_thread() or signal.getsignal(signal.SIGINT) is not in_order:
        yield  # whoever called us sees to interruptions
        return
    signal.signal(signal.SIGINT, _end_importing)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, in_order)


def _end_importing(*_: object) -> NoReturn:
    os.write(2, f"{SENTENCE}\n".encode())  # what sys.stderr writes with may be what was interrupted
    os._exit(INTERRUPTED)


def end_interrupted() -> NoReturn:
    """End at once if the interruption left threads behind, which may be in the engine.

    The engine crashes if it is unloaded during a query, and Python 3.11 does not wait for a thread
    after a wait for it was interrupted.
    """
    print(SENTENCE, file=sys.stderr)
    if active_count() > 1:
        os._exit(INTERRUPTED)
    sys.exit(INTERRUPTED)
