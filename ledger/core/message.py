"""What chain and logs hand each other: a message ready to be stored, and where a chain ends."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct

from ledger.core.encoding import ZERO_HASH

__all__ = ["EMPTY", "IDENTIFIER_BYTES", "MESSAGE_BYTES_MAX", "Head", "Message"]

IDENTIFIER_BYTES = 16
"""Length of a command identifier."""

MESSAGE_BYTES_MAX = 65_535
"""Bytes of one message: an entry bundle of a transparency log gives its length in 16 bits.

What one command says stays below it, and so do the names of all who take part
(``ledger.core.command``).
"""


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
