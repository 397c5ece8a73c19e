"""What Ctrl-C does to the program: it ends with exit code 130 and a sentence, never otherwise."""

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
    """End at once if an interruption comes while modules are imported, when nothing is done yet.

    Python's imports don't stand it: they swallow it, make another error of it, or keep their lock.
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

    It crashes if it is taken down under a question, and Python 3.11 does not wait for a thread
    when a wait for it was interrupted.
    """
    print(SENTENCE, file=sys.stderr)
    if active_count() > 1:
        os._exit(INTERRUPTED)
    sys.exit(INTERRUPTED)
