"""Cancel queries of clients that disconnected, and all queries at the end of the service.

Input: lent connections to the tables, each with the signal that its client disconnected. Output:
``KILL QUERY`` for the queries of these connections, and of connections that were opened from them.
Queries carry a mark in ``log_comment``; each lending of a connection has its own mark, so that the
queries of its next user are not cancelled. The engine ends a query at its next block of rows;
Python code that processes the rows is not interrupted.
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

__all__ = ["QueryCanceller"]

LOOK_SECONDS = 0.25


class QueryCanceller:
    """Mark lent connections, and cancel the queries of clients that disconnected."""

    def __init__(self, over: Event) -> None:
        """Begin with nothing lent; ``over`` is set at the end of the service."""
        self._over, self._done = over, Event()
        self._lent: dict[str, Event | None] = {}
        self._numbers = count()
        self._mark = f"gameledger-{os.getpid()}-{token_hex(4)}"

    @contextmanager
    def marked(self, store: Store, gone: Event | None) -> Iterator[Store]:
        """Mark the queries of a connection until it is returned."""
        mark = f"{self._mark}-{next(self._numbers)}"
        store.mark(mark)
        self._lent[mark] = gone
        try:
            yield store
        finally:
            del self._lent[mark]

    @contextmanager
    def working(self, store: Store) -> Iterator[None]:
        """Cancel over a separate connection, in a thread, until the end of the block."""
        self._done.clear()
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
