"""Sorted entries in SQLite that prove each answer, including that a key does not exist.

An entry has a key and a value, names the key of the next entry (from the empty key to ``END``), and
has a checksum of all three. An altered entry fails when it is read. A removed or added entry fails
at the next search that passes its position: a missing key is proved by the entry before it, which
names a later key. A search therefore reads its results and one more entry. See
docs/adr/0015-the-index-proves-its-answers.md.
"""

from __future__ import annotations

from itertools import chain, groupby
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ledger.core.errors import IntegrityError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

__all__ = [
    "END",
    "TABLE",
    "DamagedEntriesError",
    "insert",
    "iterate_blocks",
    "iterate_keys",
    "keys_from",
]

END = b"\xff"
"""Greater than every key; no key begins with it."""

_CREATE = """
CREATE TABLE entry (
    key BLOB PRIMARY KEY,
    more BLOB NOT NULL,
    next BLOB NOT NULL,
    sum INTEGER NOT NULL
) STRICT, WITHOUT ROWID
""".strip()

TABLE = (_CREATE, f"INSERT INTO entry VALUES (x'', x'', x'ff', {crc32(END)})")  # noqa: S608 - a number

_FETCHED = 4096
_ROWS_MAX = 1000
"""Rows of one statement. Each statement releases the GIL and has to reacquire it."""
_APART = 16
"""One of this many keys is searched first."""

_BEFORE = "SELECT key, more, next, sum FROM entry WHERE key < ? ORDER BY key DESC LIMIT 1"

_BEFORE_EACH = """
WITH wanted (start) AS (VALUES {rows})
SELECT start, key, more, next, sum FROM wanted
JOIN entry ON key = (SELECT key FROM entry WHERE key < start ORDER BY key DESC LIMIT 1)
"""

_ADD = "INSERT INTO entry VALUES {rows}"

_CORRECT = """
WITH corrected (key, next, sum) AS (VALUES {rows})
UPDATE entry SET next = corrected.next, sum = corrected.sum
FROM corrected WHERE entry.key = corrected.key
"""

_WALK = """
SELECT key, more, next, sum FROM entry
WHERE key >= (SELECT key FROM entry WHERE key < ? ORDER BY key DESC LIMIT 1) AND key < ?
ORDER BY key
"""


class DamagedEntriesError(IntegrityError):
    """Entries contradict each other: one was removed, added or altered."""

    def __init__(self) -> None:
        """Set the text; the caller that knows the file adds its name."""
        super().__init__("the entries of the index contradict themselves: delete its file")


def keys_from(connection: sqlite3.Connection, starts: Sequence[bytes]) -> Iterator[bytes]:
    """Return, for each of some ascending keys, the first key at or after it, with proof.

    Where there is none, the result is ``END``.

    Raises:
        DamagedEntriesError: an entry contradicts itself or its neighbour.

    """
    before, following = _before(connection, starts), b""
    for start in starts:
        if start in before:
            _, _, following = _sound(before[start])
        if following < start:
            raise DamagedEntriesError
        yield following


def iterate_keys(
    connection: sqlite3.Connection, start: bytes, stop: bytes, *, backwards: bool = False
) -> Iterator[tuple[bytes, bytes]]:
    """Return keys with their values: the last one before ``start``, and all from there to ``stop``.

    ``start`` is not empty, so an entry always precedes it; ``stop`` is excluded.

    Raises:
        DamagedEntriesError: the entries contradict each other somewhere in the range.

    """
    due = stop if backwards else None
    for row in connection.execute(f"{_WALK} DESC" if backwards else _WALK, (start, stop)):
        key, more, following = _sound(row)
        if backwards:
            if following != due and (due != stop or following < stop):
                raise DamagedEntriesError
            due = key
        else:
            if due not in {key, None}:
                raise DamagedEntriesError
            due = following
        yield key, more
    if due is None or (due >= start if backwards else due < stop):
        raise DamagedEntriesError


def iterate_blocks(
    connection: sqlite3.Connection,
) -> Iterator[tuple[tuple[bytes, ...], tuple[bytes, ...]]]:
    """Yield all keys and their values in blocks of some thousands; the first key is empty.

    Raises:
        DamagedEntriesError: the entries contradict each other.

    """
    due = b""
    cursor = connection.execute("SELECT key, more, next, sum FROM entry ORDER BY key")
    while rows := cursor.fetchmany(_FETCHED):
        keys, mores, following, sums = zip(*rows, strict=True)
        try:
            checksums = tuple(map(crc32, following, map(crc32, mores, map(crc32, keys))))
        except TypeError as error:
            raise DamagedEntriesError from error
        if checksums != sums or keys != (due, *following[:-1]):
            raise DamagedEntriesError
        due = following[-1]
        yield keys, mores
    if due != END:
        raise DamagedEntriesError


def insert(
    connection: sqlite3.Connection, entries: Sequence[tuple[bytes, bytes]], *, tail: int
) -> None:
    """Add entries, each key once and in ascending order, and update their predecessors.

    Keys that differ only in their last ``tail`` bytes are assumed to become neighbours, so they
    cost one search: the last of them inherits the successor of the old entry.

    Raises:
        DamagedEntriesError: the entries contradict each other where one is added.

    """
    if not entries:
        return
    keys, mores = zip(*entries, strict=True)
    before = _before(connection, [next(run) for _, run in groupby(keys, lambda key: key[:-tail])])
    named: list[bytes] = []
    corrected: list[tuple[bytes, bytes, int]] = []
    following = b""
    for key in keys:
        if key < following:
            named.append(key)
            continue
        if corrected:
            named.append(following)
        row = before.get(key) or connection.execute(_BEFORE, (key,)).fetchone()
        last, last_more, following = _sound(row)
        if following <= key:
            raise DamagedEntriesError
        corrected.append((last, key, _sum(last, last_more, key)))
    named.append(following)
    sums = map(crc32, named, map(crc32, mores, map(crc32, keys)))
    _in_rows(connection, _ADD, list(zip(keys, mores, named, sums, strict=True)))
    _in_rows(connection, _CORRECT, corrected)


def _before(connection: sqlite3.Connection, starts: Sequence[bytes]) -> dict[bytes, Any]:
    """Return, for each of some ascending keys, the entry before it.

    Only some keys are searched: a key that lies between a found entry and the next key which that
    entry names has the same predecessor and needs no search.
    """
    some = _in_rows(connection, _BEFORE_EACH, [(start,) for start in starts[::_APART]])
    rows = {start: row for start, *row in some}
    left, following = [], b""
    for start in starts:
        if start in rows:
            _, _, following = _sound(rows[start])
        elif start >= following:
            left.append((start,))
    return rows | {start: row for start, *row in _in_rows(connection, _BEFORE_EACH, left)}


def _in_rows(
    connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Run a statement over many rows at once; return its results."""
    results: list[tuple[Any, ...]] = []
    for at in range(0, len(rows), _ROWS_MAX):
        some = rows[at : at + _ROWS_MAX]
        marks = f"({', '.join('?' * len(some[0]))})"
        text = statement.format(rows=", ".join([marks] * len(some)))
        results += connection.execute(text, [*chain.from_iterable(some)])
    return results


def _sum(key: bytes, more: bytes, following: bytes) -> int:
    return crc32(following, crc32(more, crc32(key)))


def _sound(row: Any) -> tuple[bytes, bytes, bytes]:
    """Return an entry after its checksum was verified."""
    try:
        key, more, following, check = row
        if _sum(key, more, following) == check:
            return key, more, following
    except TypeError as error:
        raise DamagedEntriesError from error
    raise DamagedEntriesError
