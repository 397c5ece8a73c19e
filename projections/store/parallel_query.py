"""One question beside others: to plan it takes the engine as long as all the rest."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from concurrent.futures import Future

    from projections.store.tables import Store

__all__ = ["query_in_parallel"]

_Answer = TypeVar("_Answer")


@contextmanager
def query_in_parallel(store: Store, ask: Callable[[Store], _Answer]) -> Iterator[Future[_Answer]]:
    """Ask the same tables over a connection of its own until the end of the block."""
    with store.with_own_connection() as beside, ThreadPoolExecutor(1, "gameledger-asked") as thread:
        yield thread.submit(ask, beside)
