"""Rebuild all tables from the log, and activate them in one step.

What comes in: the log and a store. What goes out: a new generation in use, created by this version
of the SQL from every message, after every link and body was checked. Guaranteed: readers see the
old tables or the new ones, never a mixture; a crash before the activation leaves the old ones in
use, and the next rebuild or repair drops its remains. Rejected: a log that no longer holds the
messages of the tables in use.
"""

from __future__ import annotations

from contextlib import ExitStack, closing, contextmanager, suppress
from typing import TYPE_CHECKING

import schemas
from ledger.core.errors import AuthorizationError
from ledger.core.message import EMPTY
from ledger.events.encoding import decode
from ledger.events.event_types import ChainOpened
from projections.store.full_load import load_tables
from projections.store.load_batches import BATCH, BatchCollector, portions
from projections.store.projector import MESSAGES_MAX, Projected, check_continues, read_ahead

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from ledger.core.message import Head
    from ledger.log.port import ReadableLog
    from projections.store.load_batches import Portion
    from projections.store.tables import Store

__all__ = ["is_due", "is_of", "rebuild"]

MANY = 300_000
"""Number of messages from which worker processes are faster."""

PARTS_MAX = 150
"""Parts of a table up to which merges stay stopped: more take memory (docs/scale.md)."""


def is_of(log: ReadableLog, store: Store) -> bool:
    """Return whether the tables belong to this chain, by comparing its opening event.

    True if one of the two has no opening event.
    """
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


def is_due(log: ReadableLog, store: Store) -> bool:
    """Return whether a rebuild is needed: the tables were created by other SQL, or are empty.

    Empty tables only need a rebuild if the log is long.
    """
    return not store.is_current or (log.head().size >= MANY and not store.position)


def rebuild(
    log: ReadableLog,
    store: Store,
    *,
    opened: Callable[[], ReadableLog] | None = None,
    catalogue: Mapping[bytes, schemas.Schema] | None = None,
    messages_max: int = MESSAGES_MAX,
    progress: Callable[[Head], None] | None = None,
) -> Projected:
    """Rebuild the tables of a store; afterwards the store answers from the new ones.

    Messages appended during the rebuild are left to the projector.

    Args:
        log: source of the messages.
        store: tables in use.
        opened: opens the log in worker processes, which are used for a large log; by default this
            process reads.
        catalogue: schemas by fingerprint, if not those of this version; then this process reads.
        messages_max: messages of a block, if this process reads.
        progress: called with the head of the new tables, some inserts ahead.

    Raises:
        IntegrityError: the log is broken, with the position; the old tables stay in use.
        AvailabilityError: ClickHouse or the log is unavailable; a retry is safe.

    """
    from projections.store.blocks import blocks
    from projections.store.rebuild_workers import RebuildWorkers

    check_continues(log, store.head)
    store.drop_unused()
    with ExitStack() as stack:
        fresh = stack.enter_context(store.new_generation()) if store.serves_others else None
        if opened is None or catalogue is not None or log.head().size < MANY:
            known = schemas.catalogue() if catalogue is None else catalogue
            found = blocks(log.read(), EMPTY, known, messages_max=messages_max)
            given = portions(found, BatchCollector(known, min(BATCH, messages_max)))
        else:
            workers = RebuildWorkers(log, opened, fresh.elsewhere if fresh else None)
            given = stack.enter_context(closing(workers)).portions()
        batches = stack.enter_context(read_ahead(given))
        fresh = fresh or stack.enter_context(store.new_generation())
        held = stack.enter_context(_merges_stopped(fresh, batches))
        result = load_tables(held, log, fresh, progress)
        fresh.activate()
    store.refresh()
    store.drop_unused()
    return result


@contextmanager
def _merges_stopped(fresh: Store, batches: Iterable[Portion]) -> Iterator[Iterator[Portion]]:
    """Stop the merges of new tables until their activation, so that parts are merged once.

    The yielded iterator replaces ``coming`` and stops the merges of each table that gets rows.
    Tables with many parts are merged immediately, because too many parts delay inserts; so are all
    tables if the user lacks the privilege. The tables of a failed rebuild are dropped.
    """
    is_held: dict[str, bool] = {}

    def hold() -> None:
        with suppress(AuthorizationError):
            for table, parts in fresh.parts().items():
                if table not in is_held or (is_held[table] and parts > PARTS_MAX):
                    fresh.merge(table, is_on=table in is_held)
                    is_held[table] = table not in is_held

    def given() -> Iterator[Portion]:
        for batch_set in batches:
            yield batch_set
            if batch_set.batches or fresh.serves_others:  # worker processes insert themselves
                hold()

    yield given()
    for table in [table for table, held in is_held.items() if held]:
        fresh.merge(table, is_on=True)
