"""Work that a service repeats in a thread of its own."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["repeated"]

END_SECONDS = 2.0
"""How long the end of a block waits for a call that is under way, such as one to brokers."""


@contextmanager
def repeated(work: Callable[[int], object], seconds: float, name: str) -> Iterator[None]:
    """Call a function now and every so many seconds while a block runs.

    An error of the ledger ends one call only: what can't be found out now is asked again.

    Args:
        work: gets the number of the call, from 0.
        seconds: between two calls.
        name: name of the thread.

    """
    over = Event()

    def run() -> None:
        number = 0
        while True:
            with suppress(LedgerError):
                work(number)
            number += 1
            if over.wait(seconds):
                return

    thread = Thread(target=run, name=name, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join(END_SECONDS)
