"""Map chain positions to topic offsets, and read messages in order of position.

Offsets grow with positions, so the offset of a position is found by interpolation between known
pairs, with a few small reads; some of the results are cached in memory. Nothing is stored on disk,
so nothing can be outdated there. Every message that is read is checked against the chain: its
position and its hash.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import OrderedDict
from threading import Lock
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError
from ledger.events.avro_long import encode_long
from ledger.events.encoding import MARKER, NUMBERS, PREVIOUS_HASH, hash_of
from ledger.log.kafka.reader import position_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.core.message import Head
    from ledger.log.kafka.reader import TopicReader

    Source = Callable[[int, int], Iterator[list[tuple[int, bytes]]]]

__all__ = ["NEAR", "ChunkCache", "OffsetIndex", "read_in_order"]

NEAR = 256
"""A read begins at most this many messages before the requested one."""

CHUNKS_BYTES_MAX = 128 << 20
MESSAGE_OVERHEAD_BYTES = 41

OFFSETS_MAX = 65_536
PROBES_MAX = 80
"""Far more than a search needs; it bounds the search for any content of the topic."""


def read_in_order(
    reader: TopicReader,
    places: OffsetIndex,
    *,
    start: int,
    stop: int,
    head: Head,
    end: int,
    source: Source | None = None,
) -> Iterator[tuple[int, bytes]]:
    """Yield (position, message) from one position up to another.

    Each message is yielded only after the next message, or the head, confirms its hash: a bit that
    was damaged in a segment of the broker is never shown as an event.

    Args:
        reader: reader of the topic.
        places: known positions and offsets of the topic; new ones are added.
        start: first position.
        stop: position after the last one.
        head: head before the offset ``end``; its size is at least ``stop``.
        end: offset after the last message of ``head``.
        source: returns the messages between two offsets in chunks; None: the reader.

    Raises:
        IntegrityError: a message is missing, foreign, or does not continue the one before.

    """
    due, digest, expected = -1, b"", b""
    last: tuple[int, bytes] | None = None
    begin = places.locate(reader, start, head.size, end)
    for chunk in (source or reader.messages)(begin, end):
        for offset, body in chunk:
            if (
                body
                and body[PREVIOUS_HASH] == digest
                and body.startswith(expected, NUMBERS)
                and body.startswith(MARKER)
            ):
                position = due
            else:
                position = position_of(body, offset)
                if due >= 0 or position > start:
                    raise _out_of_order(due if due >= 0 else start, position, offset)
            due, digest = position + 1, hash_of(body)
            expected = encode_long(due)
            if last is not None:
                yield last
                if position >= stop:
                    return
            if position >= start:
                if not position % NEAR:
                    places.add(position, offset)
                last = position, body
            if due == head.size:
                if digest != head.hash:
                    text = f"message {position} at offset {offset} is not the last one appended"
                    raise IntegrityError(f"{text}: verify the log", position=position)
                yield position, body
                return
    raise _out_of_order(max(due, start), None, end)


def _out_of_order(due: int, found: int | None, offset: int) -> IntegrityError:
    if found is None:
        text = f"message {due} is missing before offset {offset}"
    elif found == due:
        text = f"message {due} at offset {offset} does not name the hash of the one before"
    elif found > due:
        text = f"message {due} is missing: the topic goes on with {found} at offset {offset}"
    else:
        text = f"message {found} stands in the topic again, at offset {offset}"
    return IntegrityError(f"{text}: verify the log, restore it from a copy", position=due)


class OffsetIndex:
    """Known pairs of position and offset, dense enough to start a read near any position."""

    def __init__(self) -> None:
        """Start empty."""
        self._lock = Lock()
        self._spacing = NEAR
        self._positions: list[int] = []
        self._offsets: list[int] = []

    def add(self, position: int, offset: int) -> None:
        """Remember a pair of position and offset unless a near one is known."""
        with self._lock:
            at = bisect_left(self._positions, position)
            before = self._positions[at - 1] if at else -self._spacing
            after = self._positions[at : at + 1] or [position + self._spacing]
            if position - before < self._spacing or after[0] - position < self._spacing:
                return
            self._positions.insert(at, position)
            self._offsets.insert(at, offset)
            if len(self._positions) > OFFSETS_MAX:
                del self._positions[::2], self._offsets[::2]
                self._spacing *= 2

    def neighbours(self, position: int) -> tuple[tuple[int, int] | None, tuple[int, int] | None]:
        """Return the nearest known pair at or before a position, and the nearest one after it."""
        with self._lock:
            at = bisect_right(self._positions, position)
            before = (self._positions[at - 1], self._offsets[at - 1]) if at else None
            if at == len(self._positions):
                return before, None
            return before, (self._positions[at], self._offsets[at])

    def locate(self, reader: TopicReader, position: int, size: int, end: int) -> int:
        """Find an offset at or before a position and near it.

        Args:
            reader: reads probes.
            position: position of an existing message.
            size: number of messages before ``end``.
            end: offset after the last of them.

        """
        known, behind = self.neighbours(position)
        low, low_offset = known or (0, reader.begin())
        high, high_offset = behind or (size, end)
        for probe in range(PROBES_MAX):
            if position - low <= NEAR:
                break
            share = (position - low) / max(high - low, 1) if probe % 4 < 3 else 0.5  # noqa: PLR2004 - now and then halve
            guess = low_offset + int((high_offset - low_offset) * share) - NEAR // 2
            guess = min(max(guess, low_offset + 1), high_offset - 1)
            probed = reader.first(guess, high_offset) if guess > low_offset else None
            if probed is None:
                high_offset = max(guess, low_offset)
                if high_offset <= low_offset + 1:
                    break
                continue
            offset, body = probed
            at = position_of(body, offset)
            self.add(at, offset)
            if at <= position:
                low, low_offset = at, offset
            else:
                high, high_offset = at, guess
        return low_offset


class ChunkCache:
    """LRU cache of recently read or appended messages, in chunks of ``NEAR``.

    A decision reads the events of an account since its last statement, which are scattered over the
    log. Without a cache each event costs a fetch of a chunk; with it, each chunk is fetched once.
    """

    def __init__(self, bytes_max: int = CHUNKS_BYTES_MAX) -> None:
        """Start empty."""
        self._lock = Lock()
        self._chunks: OrderedDict[int, list[bytes]] = OrderedDict()
        self._room = bytes_max

    def get(self, number: int, size: int) -> list[bytes] | None:
        """Return the messages of a chunk; None unless at least ``size`` of them are cached."""
        with self._lock:
            bodies = self._chunks.get(number)
            if bodies is None or len(bodies) < size:
                return None
            self._chunks.move_to_end(number)
            return bodies

    def put(self, number: int, bodies: list[bytes]) -> None:
        """Cache the messages of a chunk, from its first on."""
        with self._lock:
            self._room += _bytes_of(self._chunks.pop(number, []))
            self._chunks[number] = bodies
            self._room -= _bytes_of(bodies)
            while self._room < 0 and self._chunks:
                self._room += _bytes_of(self._chunks.popitem(last=False)[1])

    def append(self, position: int, bodies: list[bytes]) -> None:
        """Cache appended messages if their predecessors are cached, too."""
        while bodies:
            number, at = divmod(position, NEAR)
            before = (self.get(number, at) or []) if at else []
            chunk, bodies = bodies[: NEAR - at], bodies[NEAR - at :]
            if len(before) == at:
                self.put(number, before + chunk)
            position += len(chunk)


def _bytes_of(bodies: list[bytes]) -> int:
    return sum(map(len, bodies)) + MESSAGE_OVERHEAD_BYTES * len(bodies)
