"""The entries of the tag index and how they are searched; shared by writer and readers.

A *run* is the list of events with a tag and a type, in order of position; every event is in the
runs of its tags and in one of the tag ``EVERY``. An entry of a run holds up to 512 positions: its
key is the run with the first position, its value the distances of the others from that. Each
decision has an entry of its command: identifier, position and size. See ``_entries``.
"""

from __future__ import annotations

import sys
from array import array
from bisect import bisect_left
from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from ledger.core.errors import InputError
from ledger.core.message import IDENTIFIER_BYTES, Head
from ledger.events.event_types import EVENTS
from ledger.log.index.entries import END, TABLE, DamagedEntriesError, iterate_keys, keys_from

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from ledger.core.message import Message
    from ledger.log.port import Query

__all__ = [
    "APPLICATION_ID",
    "COMMAND",
    "COMMAND_KEY_BYTES",
    "DISTANCE_BYTES",
    "EVERY",
    "POSITIONS_MAX",
    "POSITION_BYTES",
    "TABLES",
    "TYPES",
    "TYPE_BYTES",
    "VERSION",
    "contains_entries",
    "entries_of_run",
    "entry_of_command",
    "escaped",
    "find_decisions",
    "run_of",
    "search",
    "watermark_of",
]

APPLICATION_ID = 0x474C4458
"""Marks the file as an index (``GLDX``)."""

_LAYOUT = 2

_TAGGING = repr((_LAYOUT, sys.byteorder, [(name, kind.TAGS) for name, kind in EVENTS.items()]))

VERSION = int.from_bytes(sha256(_TAGGING.encode()).digest()[:4], "big") >> 1
"""Version of the key layout, of the type numbers, and of the tags that the schemas define.

An index built with other tags would miss events silently, so it is rebuilt.
"""

EVERY = ""
"""A tag that every event has, so that a search by type alone is an ordinary search."""

TABLES = (
    *TABLE,
    "CREATE TABLE watermark (size INTEGER NOT NULL, hash BLOB NOT NULL) STRICT",
    "INSERT INTO watermark VALUES (0, zeroblob(32))",
)

TYPES = {name: number for number, name in enumerate(EVENTS)}
TYPE_BYTES = 2
_TYPE_KEYS = {name: number.to_bytes(TYPE_BYTES, "big") for name, number in TYPES.items()}
POSITION_BYTES = 6
_SIZE_BYTES = 4

POSITIONS_MAX = (1 << 8 * POSITION_BYTES) - 1
"""Greater than every position that the index can hold."""

COMMAND = b"\xfe"
"""Prefix of the keys of commands; no UTF-8 text begins with it."""
COMMAND_KEY_BYTES = 1 + IDENTIFIER_BYTES + POSITION_BYTES + _SIZE_BYTES

_ENTRY_POSITIONS_MAX = 512
DISTANCE_BYTES = 2
_DISTANCE_MAX = 0xFFFF

_COUNT_MAX = 1000
"""The frequencies of tags are counted only up to this number."""


def run_of(tag: str, event_type: str) -> bytes:
    """Return the key of a run; no run is a prefix of another, whatever characters the tag has."""
    return _of_tag(tag) + _type(event_type)


def entries_of_run(run: bytes, positions: Sequence[int]) -> Iterator[tuple[bytes, bytes]]:
    """Return the entries for ascending positions."""
    first = positions[0]
    if len(positions) == 1:
        yield run + _place(first), b""
        return
    distances = array("H")
    for position in positions[1:]:
        distance = position - first
        if distance > _DISTANCE_MAX or len(distances) == _ENTRY_POSITIONS_MAX - 1:
            yield run + _place(first), distances.tobytes()
            first, distances = position, array("H")
        else:
            distances.append(distance)
    yield run + _place(first), distances.tobytes()


def entry_of_command(command_id: bytes, position: int, size: int) -> tuple[bytes, bytes]:
    """Return the entry of a command decided by ``size`` events from a position on."""
    return COMMAND + command_id + _place(position) + size.to_bytes(_SIZE_BYTES, "big"), b""


def contains_entries(connection: sqlite3.Connection, message: Message) -> bool:
    """Return whether the index finds a message by each of its tags and by its command."""
    at = message.position
    if message.command_id is not None and message.command_id not in find_decisions(
        connection, [message.command_id]
    ):
        return False
    return all(
        at in _positions(connection, run_of(tag, message.type), at, at + 1)
        for tag in {EVERY, *message.tags}
    )


def watermark_of(connection: sqlite3.Connection) -> Head:
    """Return the size and hash up to which the index matches its log.

    Raises:
        DamagedEntriesError: there is not exactly one watermark.

    """
    rows = connection.execute("SELECT size, hash FROM watermark LIMIT 2").fetchall()
    if [(type(size), type(digest)) for size, digest in rows] != [(int, bytes)]:
        raise DamagedEntriesError
    return Head(*rows[0])


def find_decisions(
    connection: sqlite3.Connection, command_ids: Iterable[bytes]
) -> dict[bytes, tuple[int, int]]:
    """Return (first position, size) of the decision of each command that the index has.

    If a command has several decisions, the first one is returned. Commands whose keys fall between
    the same two entries cost one search.
    """
    decisions = {}
    ordered = sorted(command_ids)
    prefixes = [COMMAND + command_id for command_id in ordered]
    following = keys_from(connection, prefixes)
    for command_id, prefix, key_after in zip(ordered, prefixes, following, strict=True):
        if not key_after.startswith(prefix):
            continue
        for key, _ in iterate_keys(connection, prefix, prefix + END):
            if key.startswith(prefix):
                size = int.from_bytes(key[-_SIZE_BYTES:], "big")
                place = key[-_SIZE_BYTES - POSITION_BYTES : -_SIZE_BYTES]
                decisions[command_id] = (int.from_bytes(place, "big"), size)
                break
    return decisions


def search(
    connection: sqlite3.Connection,
    query: Query,
    *,
    after: int,
    before: int,
    limit: int | None,
    backwards: bool,
) -> list[int]:
    """Find positions between ``after`` and ``before``, both excluded.

    The rarest tag is searched, one run in order of position for each type. The cost therefore
    depends on the number of results, not on the size of the log.
    """
    if limit is not None and limit <= 0:
        return []
    first = max(after + 1, 0)
    if not query.types and not query.tags:
        everything = range(first, before)
        ordered = everything[::-1] if backwards else everything
        return list(ordered if limit is None else ordered[:limit])
    if first >= before:
        return []
    tag, *others = _rarest_first(connection, query)
    positions: list[int] = []
    for kind in list(_kinds(connection, query, tag)):
        run = _of_tag(tag) + kind
        hits = (
            position
            for position in _positions(connection, run, first, before, backwards=backwards)
            if all(
                position in _positions(connection, _of_tag(other) + kind, position, position + 1)
                for other in others
            )
        )
        positions += islice(hits, limit)
    positions.sort(reverse=backwards)
    return positions if limit is None else positions[:limit]


def _positions(
    connection: sqlite3.Connection, run: bytes, first: int, stop: int, *, backwards: bool = False
) -> Iterator[int]:
    """Yield the positions of a run from ``first`` up to, not including, ``stop``, in order."""
    start, end = run + _place(first), run + _place(stop)
    for key, more in iterate_keys(connection, start, end, backwards=backwards):
        if key.startswith(run):  # the entry before the first may be of another run
            positions = _positions_in(key, more, first, stop)
            yield from reversed(positions) if backwards else positions


def _positions_in(key: bytes, more: bytes, first: int, stop: int) -> list[int]:
    """Return the positions of an entry between two positions."""
    base = int.from_bytes(key[-POSITION_BYTES:], "big")
    distances = array("H", bytes(2))
    distances.frombytes(more)
    start, end = bisect_left(distances, first - base), bisect_left(distances, stop - base)
    return [base + distance for distance in distances[start:end]]


def _place(position: int) -> bytes:
    return position.to_bytes(POSITION_BYTES, "big")


def escaped(tag: bytes) -> bytes:
    """Escape a tag so that a zero byte can end it in a key."""
    return tag.replace(b"\0", b"\0\xff")


def _of_tag(tag: str) -> bytes:
    """Return the key prefix of a tag; none is a prefix of another, whatever characters it has.

    Raises:
        InputError: it is not valid text, so no message can have it.

    """
    try:
        return escaped(tag.encode()) + b"\0"
    except UnicodeEncodeError as error:
        text = f"{tag.partition(':')[2]!a} is not written in UTF-8, as every name in a log is"
        raise InputError(f"{text}: name another") from error


def _type(name: str) -> bytes:
    return _TYPE_KEYS[name]


def _rarest_first(connection: sqlite3.Connection, query: Query) -> list[str]:
    tags = list(dict.fromkeys(query.tags)) or [EVERY]
    if len(tags) == 1:
        return tags
    statement = "SELECT COUNT(*) FROM (SELECT 1 FROM entry WHERE key >= ? AND key < ? LIMIT ?)"

    def count(tag: str) -> int:
        start = _of_tag(tag)
        (number,) = connection.execute(statement, (start, start + END, _COUNT_MAX)).fetchone()
        return int(number)

    return sorted(tags, key=count)


def _kinds(connection: sqlite3.Connection, query: Query, tag: str) -> Iterator[bytes]:
    if query.types:
        yield from (_type(name) for name in dict.fromkeys(query.types) if name in TYPES)
        return
    start = bound = _of_tag(tag)
    stop = start + END
    while found := [
        key for key, _ in islice(iterate_keys(connection, bound, stop), 2) if key >= bound
    ]:
        kind = found[0][len(start) : len(start) + TYPE_BYTES]
        yield kind
        bound = start + (int.from_bytes(kind, "big") + 1).to_bytes(TYPE_BYTES, "big")
