"""Record the head of the chain of accesses in the main chain, so that accesses can't be removed.

The service has no keys of the writer; it sends the command to the writers in ``--writers``, as any
client does, every hour and when it ends. Without writers, `gameledger access record` records the
head on the machine that may write.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import structlog

from ledger.core.errors import InputError, IntegrityError
from ledger.decisions.operator.keys import RecordAccessHead
from ledger.events.event_types import AccessHeadRecorded
from ledger.log.port import Query, events_at
from ledger.tlog.signing import Checkpoint

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.log.port import Log
    from ledger.writer import Receipt
    from tools.access.chain import AccessChain
    from tools.data import DataDirectory
    from tools.service.client import AnyLedger

__all__ = ["LOST", "anchored", "record_head", "recorded_head", "require_continued"]

HOUR_SECONDS = 3600.0

_log = structlog.get_logger("gameledger.access")


LOST = (
    "restore it from its copy, or begin another one with `gameledger access begin` if it is lost "
    "for good (docs/runbook.md)"
)


def recorded_head(log: Log) -> Checkpoint | None:
    """Return the head of the chain of accesses that the main chain recorded last."""
    query = Query(types=(AccessHeadRecorded.__name__,))
    for recorded in events_at(log, log.find(query, limit=1, backwards=True)):
        head = recorded.event
        if isinstance(head, AccessHeadRecorded):
            return Checkpoint(head.chain, head.size, head.root)
    return None


def require_continued(chain: AccessChain, known: Checkpoint) -> None:
    """Require that a chain of accesses continues from the head that the main chain recorded.

    Raises:
        IntegrityError: messages are missing or were altered.

    """
    try:
        is_same = chain.checkpoint(known.size) == known
    except InputError as error:
        text = f"accesses are missing: the main chain recorded {known.size} messages, and {error}"
        raise IntegrityError(f"{text}: {LOST}") from error
    if not is_same:
        raise IntegrityError(
            f"the first {known.size} messages of {known.chain} are not those that the main chain "
            f"recorded: {LOST}"
        )


def record_head(chain: AccessChain, ledger: AnyLedger) -> Receipt:
    """Record the current size and root of the chain of accesses.

    Raises:
        InputError: the main chain recorded a longer chain.
        AvailabilityError: the writer is unavailable.

    """
    head = chain.checkpoint()
    command = RecordAccessHead(chain=head.chain, size=head.size, root=head.root, source="access")
    return ledger.execute(command)


@contextmanager
def anchored(
    data: DataDirectory, chain: AccessChain, *, seconds: float = HOUR_SECONDS
) -> Iterator[None]:
    """Record the head every hour and at the end, if writers are named; errors are logged."""
    if data.locations.writers is None:
        yield
        return
    over = Event()

    def work() -> None:
        while not over.wait(seconds):
            _record(data, chain)

    thread = Thread(target=work, name="access-anchor", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()
        _record(data, chain)


def _record(data: DataDirectory, chain: AccessChain) -> None:
    try:
        with data.write() as ledger:
            receipt = record_head(chain, ledger)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is tried again in an hour
        _log.error("head_not_recorded", why=str(error) or repr(error))
    else:
        _log.info("head_recorded", position=receipt.first_position)
