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
from typing import TYPE_CHECKING, NoReturn

from ledger.core.avro_long import encode_long, read_long
from ledger.core.encoding import BODY_OFFSET, FINGERPRINT, MARKER, NUMBERS, PREVIOUS_HASH
from ledger.core.errors import IntegrityError
from ledger.core.merkle import leaf_hash
from ledger.core.message import Head

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = ["Block", "blocks"]

BYTES_MAX = 64 * 1024 * 1024
"""A block ends when its messages are as long as this together, however few they are."""


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
    headers = {MARKER + fingerprint for fingerprint in known}
    groups: dict[bytes, list[bytes]] = {}
    length = 0
    index_due, size_due = 0, 0  # as they stand in the message: doubled by zigzag
    for found, message in messages:
        header, place = message[:BODY_OFFSET], encode_long(position)
        group, at = groups.get(header), NUMBERS + len(place)
        if (
            found != position
            or message[PREVIOUS_HASH] != previous
            or not message.startswith(place, NUMBERS)
            or len(message) < at + 2
            or (group is None and header not in headers)
        ):
            _refuse(found, position, message, previous, header in headers)
        index, size = message[at], message[at + 1]
        if index > 0x7F or size > 0x7F:  # noqa: PLR2004 - a second byte follows
            index, size = _decision(message, at)
        if index_due == 0:
            size_due, decision_head = size, Head(position, previous)
        if index != index_due or size != size_due or size < 2 or size & 1:  # noqa: PLR2004
            raise IntegrityError(
                f"message {position} does not continue its decision: "
                f"event {index / 2 + 1:g} of {size / 2:g} stands where "
                f"{index_due / 2 + 1:g} of {size_due / 2:g} is due",
                position=position,
            )
        if group is None:
            groups[header] = [message]
        else:
            group.append(message)
        previous = leaf_hash(message)
        position += 1
        length += len(message)
        index_due += 2
        if index_due == size_due:
            index_due = 0
            if position - first >= messages_max or length >= BYTES_MAX:
                yield Block(first, Head(position, previous), _by_fingerprint(groups), 0)
                first, length, groups = position, 0, {}
    if index_due:
        torn = position - decision_head.size
        groups = _without(groups, decision_head.size)
        yield Block(first, decision_head, _by_fingerprint(groups), torn)
    elif position > first:
        yield Block(first, Head(position, previous), _by_fingerprint(groups), 0)


def _refuse(found: int, position: int, message: bytes, previous: bytes, known: bool) -> NoReturn:
    """Return what is wrong with a message, the first fault first."""
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


def _decision(message: bytes, at: int) -> tuple[int, int]:
    """Read decision_index and decision_size the slow way, doubled as in the message."""
    try:
        index, at = read_long(message, at)
        return 2 * index, 2 * read_long(message, at)[0]
    except (IndexError, ValueError):
        return -1, -1


def _without(groups: dict[bytes, list[bytes]], end: int) -> dict[bytes, list[bytes]]:
    """Leave out the messages from position ``end`` on."""
    for group in groups.values():
        while group and read_long(group[-1], NUMBERS)[0] >= end:
            group.pop()
    return {fingerprint: group for fingerprint, group in groups.items() if group}


def _by_fingerprint(groups: dict[bytes, list[bytes]]) -> dict[bytes, list[bytes]]:
    return {header[FINGERPRINT]: group for header, group in groups.items()}
