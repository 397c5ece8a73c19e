"""Do work on the tables over two connections, so that both processors have some.

What comes in: a store, and functions of a store. What goes out: their futures. The embedded engine
has one connection for each thread, too.
"""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from projections.store.tables import Store

__all__ = ["FEW", "do_all", "inserting"]

FEW = 10_000
"""Messages sent over one connection: those of a second, while a writer and readers need
processors, too."""


@contextmanager
def inserting(store: Store) -> Iterator[Callable[[Callable[[Store], None]], Future[None]]]:
    """Yield a function that submits an insert to two threads.

    The first goes over the connection of ``store``; another is opened for two at the same time.
    """
    free: SimpleQueue[Store] = SimpleQueue()
    free.put(store)

    def over_one(work: Callable[[Store], None]) -> None:
        try:
            one = free.get_nowait()
        except Empty:
            one = opened.enter_context(store.clone())
        try:
            work(one)
        finally:
            free.put(one)

    threads = ThreadPoolExecutor(2, "gameledger-insert")
    with ExitStack() as opened:
        try:
            yield lambda work: threads.submit(over_one, work)
        finally:
            threads.shutdown(cancel_futures=True)


def do_all(store: Store, works: Iterable[Callable[[Store], None]], *, is_much: bool) -> None:
    """Do independent work on the tables, over two connections if it is much.

    Raises:
        LedgerError: the first work that failed, in their order.

    """
    if not is_much:
        for work in works:
            work(store)
        return
    with inserting(store) as do:
        for done in [do(work) for work in works]:
            done.result()
