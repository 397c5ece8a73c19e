"""Link the events of decisions into the hash chain.

What comes in: the head of a chain and the events of one decision. What goes out: messages, each
with the hash of the message before it, and the new head. ``ledger.verification.verify`` reads
a chain from its first message and reports the first fault. docs/format.md states what the chain
guarantees and what a reader cannot know from it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.clock import is_moment
from ledger.core.errors import AvailabilityError, InputError
from ledger.core.message import MESSAGE_BYTES_MAX, Head, Message
from ledger.events.encoding import SharedEnvelope
from ledger.events.schema_book import SELF_DESCRIBED
from ledger.tlog.merkle import leaf_hash
from ledger.verification.self_description import CHECKPOINT_WINDOW, FORMAT_VERSION, HASH_ALGORITHM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ledger.events.event_types import Event

__all__ = [
    "CHECKPOINT_WINDOW",
    "FORMAT_VERSION",
    "HASH_ALGORITHM",
    "MESSAGE_BYTES_MAX",
    "SELF_DESCRIBED",
    "link",
    "require_fits",
]


def link(
    head: Head,
    events: Sequence[Event],
    *,
    command_id: bytes,
    command_digest: bytes,
    recorded_at: int,
    occurred_at: int,
    actor: str,
    source: str,
) -> tuple[list[Message], Head]:
    """Link the messages of one decision; return them and the new head of the chain.

    Pure: nothing is written. To link several decisions of a batch, pass the head that each call
    returns to the next call.

    Raises:
        InputError: there is no event; a decision has at least one.
        AvailabilityError: the clock is outside the years that the format allows.

    """
    if not events:
        raise InputError("a decision has at least one event")
    if not is_moment(recorded_at):
        raise AvailabilityError(f"the clock is beyond 1970 to 2199 ({recorded_at} µs): set it")
    position, digest = head
    decision_size = len(events)
    shared = SharedEnvelope.write(
        command_id=command_id,
        command_digest=command_digest,
        decision_size=decision_size,
        recorded_at=recorded_at,
        occurred_at=occurred_at,
        actor=actor,
        source=source,
    )
    messages = []
    for index, event in enumerate(events):
        body = shared.encode(digest, position, index, event)
        messages.append(
            Message(
                position,
                body,
                type(event).__name__,
                event.index_tags(),
                None if index else command_id,
                decision_size,
            )
        )
        position, digest = position + 1, leaf_hash(body)
    return messages, Head(position, digest)


def require_fits(messages: Sequence[Message]) -> None:
    """Reject a decision if one of its messages is larger than the format allows.

    Raises:
        InputError: a message is too large.

    """
    for message in messages:
        if len(message.body) > MESSAGE_BYTES_MAX:
            raise InputError(
                f"{message.type} would have {len(message.body)} bytes, {MESSAGE_BYTES_MAX} at "
                "most: nothing was recorded; name less in one command"
            )
