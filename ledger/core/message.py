"""What chain and logs hand each other: messages to store or to read, and where a chain ends."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ledger.core.encoding import ZERO_HASH
from ledger.core.errors import LedgerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = [
    "BLOCK",
    "EMPTY",
    "IDENTIFIER_BYTES",
    "MESSAGE_BYTES_MAX",
    "Head",
    "Message",
    "in_blocks",
]

IDENTIFIER_BYTES = 16
"""Length of a command identifier."""

MESSAGE_BYTES_MAX = 65_535
"""Bytes of one message: an entry bundle of a transparency log gives its length in 16 bits.

What one command says stays below it, and so do the names of all who take part
(``ledger.core.command``).
"""

BLOCK = 4096
"""Messages that are handled as a whole."""
BLOCK_BYTES = 1 << 25
"""Bytes with which a block ends, however few messages they are."""
SOME = 64
"""Messages that are taken at once, where there is room for them however long they are."""


class Head(NamedTuple):
    """Where the chain ends: number of messages and hash of the last one."""

    size: int
    hash: bytes


EMPTY = Head(0, ZERO_HASH)
"""Head of a log without messages."""


class Message(Struct, frozen=True, gc=False):
    """A message ready to be appended, with what the index has to know of it.

    ``command_id`` is set on the first message of a decision and ``None`` on the others.
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
    """Yield messages by the block; what was read before an error comes before it is raised.

    Args:
        messages: (position, message) as a log gives them.
        messages_max: of a block, if not :data:`BLOCK`.

    """
    following = iter(messages)
    error: LedgerError | None = None
    while error is None:
        block: list[tuple[int, bytes]] = []
        room, due = BLOCK_BYTES, messages_max or BLOCK
        try:
            while room > 0 and due > 0:
                begin, some = len(block), min(due, SOME if room > SOME * MESSAGE_BYTES_MAX else 1)
                block.extend(islice(following, some))  # keeps what came before an error
                if len(block) < begin + some:
                    break
                room -= sum(len(message) for _, message in block[begin:])
                due -= some
        except LedgerError as found:
            error = found
        if block:
            yield block
        elif error is None:
            return
    raise error
