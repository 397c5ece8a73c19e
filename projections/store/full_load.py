"""Load a log into new tables; readers see all of it or nothing.

What comes in: portions from the beginning of a log. What goes out: their rows, and then the
watermark. Memory is bounded by the number of concurrent inserts. Rejected: an unreadable body, with
its position, and tables in which a position is missing or duplicated.
"""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import TYPE_CHECKING

import schemas
from ledger.core.errors import LedgerError
from ledger.core.message import EMPTY
from projections.store.derived import derive
from projections.store.load_batches import insert
from projections.store.projector import Projected, check_all_bodies, check_written
from projections.store.two_connections import inserting

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from concurrent.futures import Future

    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from projections.store.load_batches import Portion
    from projections.store.tables import Store

__all__ = ["load_tables"]

UNDER_WAY_MAX = 4
"""Greatest number of inserts that are running or waiting for a connection."""


def load_tables(
    coming: Iterable[Portion],
    log: ReadableLog,
    store: Store,
    progress: Callable[[Head], None] | None = None,
) -> Projected:
    """Write portions into new tables; the watermark is written once, when all rows are stored.

    Args:
        coming: portions from the beginning of the log.
        log: searched for an unreadable body.
        store: new tables.
        progress: called with the head of each portion, and again at the end.

    Raises:
        IntegrityError: a message does not fit or its body is unreadable, with its position.
        AvailabilityError: ClickHouse or the log is unavailable; a retry is safe.
    """
    last, moment = None, 0
    under_way: deque[Future[None]] = deque()
    with inserting(store) as do:
        for last in coming:
            for batch in last.batches:
                under_way.append(do(partial(insert, batch, log)))
                if len(under_way) > UNDER_WAY_MAX:
                    under_way.popleft().result()
            moment = last.recorded_at or moment
            if progress:
                progress(last.head)
        for inserted in under_way:
            inserted.result()
    if last is None or not last.head.size:
        return Projected(EMPTY, 0 if last is None else last.torn)
    try:
        events = store.tables_with_position() & set(schemas.newest())
        check_written(store, events, 0, last.head.size)
    except LedgerError:
        check_all_bodies(log, last.head.size)
        raise
    derive(store, log, 0, last.head.size, moment)
    if progress:
        progress(last.head)
    store.set_head(last.head, moment)
    return Projected(last.head, last.torn)
