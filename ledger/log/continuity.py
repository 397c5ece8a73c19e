"""Check that appended messages continue the chain; used by every log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError
from ledger.core.message import Head
from ledger.events.encoding import hash_of, previous_hash_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.core.message import Message

__all__ = ["continue_head"]


def continue_head(head: Head, messages: Sequence[Message]) -> Head:
    """Check that messages are whole decisions that continue a head; return the new head.

    Raises:
        IntegrityError: a position or a previous hash does not follow, or a decision is incomplete.

    """
    size, digest = head
    missing = 0
    for message in messages:
        if message.position != size:
            text = f"the log goes on at position {size}, not at {message.position}"
            raise IntegrityError(f"{text}: nothing was appended", position=size)
        if previous_hash_of(message.body) != digest:
            text = f"message {size} does not name the hash of the message before"
            raise IntegrityError(f"{text}: nothing was appended", position=size)
        if (missing == 0) is (message.command_id is None):
            text = f"message {size} stands at the wrong place of its decision"
            raise IntegrityError(f"{text}: nothing was appended", position=size)
        missing = (missing or message.decision_size) - 1
        size, digest = size + 1, hash_of(message.body)
    if missing:
        text = f"the decision that ends at position {size - 1} lacks {missing} messages"
        raise IntegrityError(f"{text}: nothing was appended", position=size)
    return Head(size, digest)
