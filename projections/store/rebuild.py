"""All tables anew from the log, swapped in whole.

What comes in: the log and a store. What goes out: a new generation in use, made by this
version of the SQL from every message, each link and body checked. Promised: readers see the
old tables or the new ones, never a mixture; a crash before the swap leaves the old ones in
use, and the next rebuild or repair drops what it left. Refused: a log that no longer holds
what the tables in use were made from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import schemas
from ledger.core.encoding import decode
from ledger.core.events import ChainOpened
from ledger.core.message import EMPTY
from projections.store.projector import MESSAGES_MAX, Projected, ahead, check_continues, write

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from projections.store.tables import Store

__all__ = ["is_of", "rebuild"]


def is_of(log: ReadableLog, store: Store) -> bool:
    """Return whether the tables were made from this chain, by how it begins."""
    rows = store.rows("SELECT command_id, recorded_at, chain FROM ChainOpened WHERE position = 0")
    opened = [decode(message) for _, message in log.read(0, 1)]
    if not rows or not opened or not isinstance(opened[0].event, ChainOpened):
        return True
    envelope = opened[0].envelope
    return (rows[0]["command_id"], rows[0]["recorded_at"], rows[0]["chain"]) == (
        envelope.command_id,
        envelope.recorded_at,
        opened[0].event.chain,
    )


def rebuild(
    log: ReadableLog,
    store: Store,
    *,
    catalogue: Mapping[bytes, schemas.Schema] | None = None,
    messages_max: int = MESSAGES_MAX,
    progress: Callable[[Head], None] | None = None,
) -> Projected:
    """Make the tables of a store again; afterwards the store answers from the new ones.

    Messages that are appended meanwhile are left to the projector.

    Raises:
        IntegrityError: the log is broken, with the position; the old tables stay in use.
        AvailabilityError: ClickHouse or the log is away; a repeat is safe.
    """
    from projections.store.blocks import blocks

    check_continues(log, store.head)
    store.drop_unused()
    known = schemas.catalogue() if catalogue is None else catalogue
    found = blocks(log.read(), EMPTY, known, messages_max=messages_max)
    with ahead(found) as coming, store.new_generation() as fresh:
        result = write(coming, EMPTY, fresh, known, progress)
        fresh.activate()
    store.refresh()
    store.drop_unused()
    return result
