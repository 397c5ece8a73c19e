"""End what the engine works at for clients that hung up, and at the end of the service.

What comes in: connections to the tables while they are lent, each with the event of its client's
hang-up. What goes out: ``KILL QUERY`` for the queries of these connections, and of connections that
were opened from them. Queries carry a mark in ``log_comment``; each lending has its own, so that
the next client of a connection loses nothing. The engine ends a query at its next block of rows;
the work of Python on its rows is not interrupted.
"""

from __future__ import annotations

import os
from contextlib import contextmanager, suppress
from itertools import count
from secrets import token_hex
from threading import Event, Thread
from typing import TYPE_CHECKING

from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from projections.store.tables import Store

__all__ = ["Cancelling"]

LOOK_SECONDS = 0.25


class Cancelling:
    """Marks lent connections, and cancels the queries of clients that hung up."""

    def __init__(self, over: Event) -> None:
        """Lend nothing yet; ``over`` is set at the end of the service."""
        self._over, self._done = over, Event()
        self._lent: dict[str, Event | None] = {}
        self._numbers = count()
        self._mark = f"gameledger-{os.getpid()}-{token_hex(4)}"

    @contextmanager
    def lent(self, store: Store, gone: Event | None) -> Iterator[Store]:
        """Mark what a connection is asked, until it comes back."""
        mark = f"{self._mark}-{next(self._numbers)}"
        store.mark(mark)
        self._lent[mark] = gone
        try:
            yield store
        finally:
            del self._lent[mark]

    @contextmanager
    def working(self, store: Store) -> Iterator[None]:
        """Cancel over a connection of its own, in a thread, until the end of the block."""
        with store.clone() as own:
            thread = Thread(target=self._work, args=(own,), name="access-cancelling", daemon=True)
            thread.start()
            try:
                yield
            finally:
                self._done.set()
                thread.join()

    def _work(self, store: Store) -> None:
        while not self._done.wait(LOOK_SECONDS):
            is_over = self._over.is_set()
            for mark, gone in tuple(self._lent.items()):
                if is_over or (gone is not None and gone.is_set()):
                    with suppress(LedgerError):  # it is asked again as long as the query runs
                        store.kill(mark)
