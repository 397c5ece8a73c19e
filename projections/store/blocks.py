"""Check the messages of a log and group them into blocks, each written as one step.

What comes in: (position, message) in order, and the head that they must continue. What goes out:
blocks of whole decisions (atomic transactions), messages grouped by the fingerprint of their
schema, as raw bytes. Guaranteed: every link was checked against the hash computed here of the
previous message, every envelope has its own position, and no block ends inside a decision.
Rejected: a gap, a broken link, an unknown schema, a decision whose events are not consecutive.

Nothing is decoded here. The envelope's fixed fields come first, so the three relevant numbers
(position, decision_index, decision_size) are at byte 74 as Avro varints.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

from ledger.core.errors import IntegrityError
from ledger.core.message import BODY_OFFSET, Head
from ledger.events.avro_long import encode_long, read_long
from ledger.events.encoding import FINGERPRINT, MARKER, NUMBERS, PREVIOUS_HASH, decode_envelope
from ledger.tlog.merkle import leaf_hash

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = ["Block", "blocks"]

BYTES_MAX = 64 * 1024 * 1024
"""A block ends when its messages reach this total length, however few they are."""


@dataclass(frozen=True, slots=True)
class Block:
    """Consecutive messages: from position ``first`` up to, but not including, ``head.size``.

    ``groups`` has the messages of each schema in order, by fingerprint. ``torn`` is the number of
    messages after the block that begin a decision that the log does not complete.
    """

    first: int
    head: Head
    groups: dict[bytes, list[bytes]]
    torn: int

    @property
    def recorded_at(self) -> int:
        """Time of the last message (microseconds); 0 if there is none."""
        if not self.groups:
            return 0
        last = max((group[-1] for group in self.groups.values()), key=_position)
        return decode_envelope(last).recorded_at


def blocks(
    messages: Iterable[tuple[int, bytes]],
    head: Head,
    known: Collection[bytes],
    *,
    messages_max: int,
) -> Iterator[Block]:
    """Check messages and group them into blocks.

    Args:
        messages: the messages of the log after ``head``.
        head: where the blocks must begin.
        known: fingerprints of the schemas that can be written.
        messages_max: a block ends with the decision that reaches this number.

    Yields:
        Blocks without gaps. One with ``torn`` is the last; it can be empty.

    Raises:
        IntegrityError: with the position of the first faulty message. Blocks yielded before are
            valid.
    """
    headers = {MARKER + fingerprint for fingerprint in known}
    begin: tuple[int, bytes] = head  # of the decision
    (position, previous), first = head, head.size
    groups: dict[bytes, list[bytes]] = {}
    length = index_due = size_due = 0  # numbers stay doubled, as in Avro's zigzag coding
    for found, message in messages:
        header, place = message[:BODY_OFFSET], encode_long(position)
        at = NUMBERS + len(place)
        if (
            found != position
            or message[PREVIOUS_HASH] != previous
            or not message.startswith(place, NUMBERS)
            or len(message) < at + 2
            or header not in headers
        ):
            _refuse(found, position, message, previous, header in headers)
        index, size = message[at], message[at + 1]
        if index > 0x7F or size > 0x7F:  # noqa: PLR2004 - a second byte follows
            index, size = _decision(message, at)
        if index_due == 0:
            size_due, begin = size, (position, previous)
        if index != index_due or size != size_due or size < 2 or size & 1:  # noqa: PLR2004
            raise IntegrityError(
                f"message {position} does not continue its decision: "
                f"event {index / 2 + 1:g} of {size / 2:g} stands where "
                f"{index_due / 2 + 1:g} of {size_due / 2:g} is due",
                position=position,
            )
        groups.setdefault(header, []).append(message)
        previous = leaf_hash(message)
        position += 1
        length += len(message)
        index_due = index_due + 2 if index_due + 2 != size_due else 0
        if index_due == 0 and (position - first >= messages_max or length >= BYTES_MAX):
            yield Block(first, Head(position, previous), _by_fingerprint(groups), 0)
            first, length, groups = position, 0, {}
    if index_due:
        whole = Head(*begin)
        groups = _without(groups, whole.size)
        yield Block(first, whole, _by_fingerprint(groups), position - whole.size)
    elif position > first:
        yield Block(first, Head(position, previous), _by_fingerprint(groups), 0)


def _refuse(found: int, position: int, message: bytes, previous: bytes, known: bool) -> NoReturn:
    """Raise an error that describes the first fault of a message."""
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
            "version of gameledger: see docs/compatibility.md, Another version"
        )
    else:
        text = f"the envelope of message {position} is cut off or names another position"
    raise IntegrityError(f"{text}: run the verifier before anything else", position=position)


def _decision(message: bytes, at: int) -> tuple[int, int]:
    """Decode decision_index and decision_size as varints of any length, still doubled."""
    try:
        index, at = read_long(message, at)
        return 2 * index, 2 * read_long(message, at)[0]
    except (IndexError, ValueError):
        return -1, -1


def _without(groups: dict[bytes, list[bytes]], end: int) -> dict[bytes, list[bytes]]:
    """Remove the messages from position ``end`` on."""
    for group in groups.values():
        while group and _position(group[-1]) >= end:
            group.pop()
    return {fingerprint: group for fingerprint, group in groups.items() if group}


def _position(message: bytes) -> int:
    return read_long(message, NUMBERS)[0]


def _by_fingerprint(groups: dict[bytes, list[bytes]]) -> dict[bytes, list[bytes]]:
    return {header[FINGERPRINT]: group for header, group in groups.items()}
