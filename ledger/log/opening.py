"""The first event of a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError, IntegrityError
from ledger.events.encoding import decode
from ledger.events.event_types import ChainOpened

if TYPE_CHECKING:
    from ledger.log.port import ReadableLog

__all__ = ["opening_in", "opening_of"]


def opening_of(log: ReadableLog) -> ChainOpened:
    """Return the first event of the chain in a log; errors as :func:`opening_in`."""
    return opening_in(next((body for _, body in log.read(0, 1)), None))


def opening_in(first: bytes | None) -> ChainOpened:
    """Return the event of the first message of a log.

    Raises:
        InputError: there is no message, as in a topic that was made for a chain to come.
        IntegrityError: it is of another kind.

    """
    if first is None:
        raise InputError("the log holds no chain: make one with `gameledger init`")
    event = decode(first).event
    if not isinstance(event, ChainOpened):
        raise IntegrityError("the log does not begin with ChainOpened: verify it", position=0)
    return event
