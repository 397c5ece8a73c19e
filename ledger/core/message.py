"""Types shared by chain and logs: stored messages, and the head of a chain."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "BLOCK",
    "BODY_OFFSET",
    "EMPTY",
    "IDENTIFIER_BYTES",
    "MESSAGE_BYTES_MAX",
    "ZERO_HASH",
    "Head",
    "Message",
    "in_blocks",
]

BODY_OFFSET = 10
"""Bytes of a message before its Avro body: marker and fingerprint of the schema."""

ZERO_HASH = bytes(32)
"""``previous_hash`` of position 0."""

IDENTIFIER_BYTES = 16
"""Length of a command identifier."""

MESSAGE_BYTES_MAX = 65_535
"""Bytes of one message: an entry bundle of a transparency log has a length field of 16 bits.

The content of one command and the names of all participants stay below it
(``ledger.events.command``).
"""

BLOCK = 4096
"""Messages that are processed as one block."""
BLOCK_BYTES = 1 << 25
"""A block of at least this many bytes ends, whatever its number of messages."""
SOME = 64
"""Number of messages read at once; small enough for memory even at their maximum length."""


class Head(NamedTuple):
    """Head of a chain: number of messages and hash of the last one."""

    size: int
    hash: bytes


EMPTY = Head(0, ZERO_HASH)
"""Head of a log without messages."""


class Message(Struct, frozen=True, gc=False):
    """A message to be appended, with the data that the index needs.

    ``command_id`` and ``decision_size`` describe the decision; ``command_id`` is set on its first
    message and ``None`` on the others.
    """

    position: int
    body: bytes
    type: str
    tags: tuple[str, ...]
    command_id: bytes | None
    decision_size: int


def in_blocks(
    messages: Iterable[tuple[int, bytes]], messages_max: int | None = None
) -> Iterator[list[tuple[int, bytes]]]:
    """Yield messages in blocks; messages read before an error are yielded before it is raised.

    Args:
        messages: pairs (position, message) as a log returns them.
        messages_max: largest number of messages in a block; None: :data:`BLOCK`.

    """
    following = iter(messages)
    error: LedgerError | None = None
    while error is None:
        block: list[tuple[int, bytes]] = []
        bytes_left, due = BLOCK_BYTES, messages_max or BLOCK
        try:
            while bytes_left > 0 and due > 0:
                begin, some = (
                    len(block),
                    min(due, SOME if bytes_left > SOME * MESSAGE_BYTES_MAX else 1),
                )
                block.extend(islice(following, some))  # keeps what came before an error
                if len(block) < begin + some:
                    break
                bytes_left -= sum(len(message) for _, message in block[begin:])
                due -= some
        except LedgerError as found:
            error = found
        if block:
            yield block
        elif error is None:
            return
    raise error
