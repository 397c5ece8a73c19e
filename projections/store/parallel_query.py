"""Run a query in parallel to others, because planning one takes the engine as long as the rest."""

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
    """Run ``ask`` in a thread over another connection to the same tables.

    Yields its future; the end of the block waits for it.
    """
    with store.clone() as other, ThreadPoolExecutor(1, "gameledger-asked") as thread:
        yield thread.submit(ask, other)
