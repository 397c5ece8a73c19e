"""Messages of a log → checked blocks, each ready to be written as one step.

What comes in: (position, message) in order, and the head they must continue. What goes out:
blocks of whole decisions, messages grouped by the fingerprint of their schema, untouched.
Promised: every link was checked against our own hash of the message before, every envelope
says the position it stands at, and no block ends inside a decision. Refused: a gap, a broken
link, an unknown schema, a decision whose events do not follow one another.

Nothing is decoded here. The envelope's fixed fields come first, so that the three numbers
that matter (position, decision_index, decision_size) stand at byte 74 as Avro varints.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, NoReturn

from ledger.encoding import FINGERPRINT, MARKER, PREVIOUS_HASH
from ledger.errors import IntegrityError
from ledger.log.port import Head

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = ["Block", "blocks", "position_of", "varint"]

NUMBERS = 10 + 32 + 16 + 16
"""Offset of the envelope's first number, ``position``, in a message."""
BYTES_MAX = 64 * 1024 * 1024
"""A block ends when its messages are as long as this together, however few they are."""
LONG_BYTES_MAX = 10
"""Bytes of the longest Avro long."""
LOW_BITS = 13
LOW_MASK = (1 << LOW_BITS) - 1


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive messages: from position ``first`` up to, not including, ``head.size``.

    ``groups`` has the messages of each schema in order, by fingerprint. ``torn`` is the
    number of messages behind the block that begin a decision the log does not complete.
    """

    first: int
    head: Head
    groups: dict[bytes, list[bytes]]
    torn: int


def varint(number: int) -> bytes:
    """Encode a number as Avro encodes a long (zigzag, seven bits a byte)."""
    rest = number << 1 if number >= 0 else (~number << 1) | 1
    out = bytearray()
    while rest > 0x7F:  # noqa: PLR2004 - seven bits
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)


_LOW = [bytes((n << 1 & 0x7F | 0x80, n >> 6 | 0x80)) for n in range(LOW_MASK + 1)]
"""The first two bytes of the varint of every position that is longer than two bytes."""


def _rest(position: int) -> bytes:
    """Encode what follows the first two bytes of a position's varint."""
    rest, out = position >> LOW_BITS, bytearray()
    while rest > 0x7F:  # noqa: PLR2004 - seven bits
        out.append(rest & 0x7F | 0x80)
        rest >>= 7
    out.append(rest)
    return bytes(out)


def blocks(
    messages: Iterable[tuple[int, bytes]],
    head: Head,
    known: Collection[bytes],
    *,
    messages_max: int,
) -> Iterator[Block]:
    """Check messages and put them together.

    Args:
        messages: what the log gives behind ``head``.
        head: where the blocks must begin.
        known: fingerprints of the schemas that can be written.
        messages_max: a block ends with the decision that reaches this number.

    Yields:
        Blocks without gaps. One with ``torn`` is the last; it can be empty.

    Raises:
        IntegrityError: with the position of the first message that does not fit. Blocks
            given before are good.
    """
    position, previous = head
    first, decision_head = head.size, head
    groups: dict[bytes, list[bytes]] = {}
    length, place_rest = 0, _rest(position)
    index_due, size_due = 0, 0  # as they stand in the message: doubled by zigzag
    for found, message in messages:
        fingerprint = message[FINGERPRINT]
        if position & LOW_MASK == 0:
            place_rest = _rest(position)
        place = _LOW[position & LOW_MASK] + place_rest if position > LOW_MASK else varint(position)
        at = NUMBERS + len(place)
        if (
            found != position
            or message[PREVIOUS_HASH] != previous
            or message[:2] != MARKER
            or not message.startswith(place, NUMBERS)
            or len(message) < at + 2
            or fingerprint not in known
        ):
            _refuse(found, position, message, previous, fingerprint in known)
        index, size = message[at], message[at + 1]
        if index > 0x7F or size > 0x7F:  # noqa: PLR2004 - a second byte follows
            index, size = _decision(message)
        if index_due == 0:
            size_due, decision_head = size, Head(position, previous)
        if index != index_due or size != size_due or size < 2 or size & 1:  # noqa: PLR2004
            raise IntegrityError(
                f"message {position} does not continue its decision: "
                f"event {index / 2 + 1:g} of {size / 2:g} stands where "
                f"{index_due / 2 + 1:g} of {size_due / 2:g} is due",
                position=position,
            )
        if fingerprint in groups:
            groups[fingerprint].append(message)
        else:
            groups[fingerprint] = [message]
        previous = sha256(message).digest()
        position += 1
        length += len(message)
        index_due += 2
        if index_due == size_due:
            index_due = 0
            if position - first >= messages_max or length >= BYTES_MAX:
                yield Block(first, Head(position, previous), groups, 0)
                first, length, groups = position, 0, {}
    if index_due:
        torn = position - decision_head.size
        yield Block(first, decision_head, _without(groups, decision_head.size), torn)
    elif position > first:
        yield Block(first, Head(position, previous), groups, 0)


def _refuse(found: int, position: int, message: bytes, previous: bytes, known: bool) -> NoReturn:
    """Say what is wrong with a message, the first fault first."""
    if found != position:
        text = f"the log gives message {found} where {position} is due"
    elif message[:2] != MARKER:
        text = f"message {position} does not begin with C3 01"
    elif message[PREVIOUS_HASH] != previous:
        text = (
            f"the link of message {position} is broken: it names {message[PREVIOUS_HASH].hex()} "
            f"as the hash of the message before, which is {previous.hex()}"
        )
    elif not known:
        text = (
            f"message {position} has schema {message[FINGERPRINT].hex()}, unknown to this "
            "version of gameledger: use the version that wrote it, or a newer one"
        )
    else:
        text = f"the envelope of message {position} is cut off or names another position"
    raise IntegrityError(f"{text}: run the verifier before anything else", position=position)


def position_of(message: bytes) -> int:
    """Read the position from a message whose envelope begins soundly; nothing is decoded."""
    return _long(message, NUMBERS)[0] >> 1


def _decision(message: bytes) -> tuple[int, int]:
    """Read decision_index and decision_size the slow way, doubled as in the message."""
    _, at = _long(message, NUMBERS)
    index, at = _long(message, at)
    return index, _long(message, at)[0]


def _long(message: bytes, at: int) -> tuple[int, int]:
    """Read a varint, zigzag left on; give it and the offset behind it."""
    value = 0
    for length, byte in enumerate(message[at : at + LONG_BYTES_MAX]):
        value |= (byte & 0x7F) << 7 * length
        if byte <= 0x7F:  # noqa: PLR2004 - the last one
            return value, at + length + 1
    return -1, at


def _without(groups: dict[bytes, list[bytes]], end: int) -> dict[bytes, list[bytes]]:
    """Leave out the messages from position ``end`` on."""
    for group in groups.values():
        while group and position_of(group[-1]) >= end:
            group.pop()
    return {fingerprint: group for fingerprint, group in groups.items() if group}
