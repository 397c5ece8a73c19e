"""The head of the chain of accesses, recorded in the main chain: what was read can't be unread.

The service has no keys of the writer; it sends the command to the writers that are named
(``--writers``), as any client does, every hour and at its end. Without one, `gameledger access
record` does it, on the machine that may write.
"""

from __future__ import annotations

from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING

import structlog

from ledger.decisions.operator.keys import RecordAccessHead

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ledger.writer import Receipt
    from tools.access.chain import AccessChain
    from tools.data import DataDirectory
    from tools.service.client import AnyLedger

__all__ = ["anchored", "record_head"]

HOUR_SECONDS = 3600.0

_log = structlog.get_logger("gameledger.access")


def record_head(chain: AccessChain, ledger: AnyLedger) -> Receipt:
    """Record size and root of the chain of accesses as it is now.

    Raises:
        InputError: the main chain knows a longer one.
        AvailabilityError: the writer is away.

    """
    head = chain.checkpoint()
    command = RecordAccessHead(chain=head.chain, size=head.size, root=head.root, source="access")
    return ledger.execute(command)


@contextmanager
def anchored(
    data: DataDirectory, chain: AccessChain, *, seconds: float = HOUR_SECONDS
) -> Iterator[None]:
    """Record the head every hour and at the end, where writers are named; a fault is logged."""
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
