"""Sorted entries in SQLite that prove their answers: what is not there was never there.

An entry has a key and more bytes, names the key of the entry after it, from the empty key to
``END``, and bears a check sum of all three. One that was altered shows when it is read; one that
was removed or added without its neighbour shows at the next answer that passes its place, because
that a key is missing is proved by the entry before it, which names one behind it. So a question
costs what it finds, and one entry more. See docs/adr/0015-the-index-proves-its-answers.md.
"""

from __future__ import annotations

from itertools import chain, groupby
from typing import TYPE_CHECKING, Any
from zlib import crc32

from ledger.core.errors import IntegrityError

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Sequence

__all__ = ["END", "TABLE", "DamagedEntriesError", "everything", "insert", "key_from", "walk"]

END = b"\xff"
"""Behind every key; no key begins with it."""

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
"""Rows of one statement. Each statement lets other threads run, and waits until they let it."""

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
    """Entries contradict themselves: one was removed, added or altered."""

    def __init__(self) -> None:
        """Say so; whoever knows the file says which."""
        super().__init__("the entries of the index contradict themselves: delete its file")


def key_from(connection: sqlite3.Connection, start: bytes) -> bytes:
    """Return the first key from a place on, or ``END``; the entry before proves it.

    Raises:
        DamagedEntriesError: that entry contradicts itself.

    """
    _, _, following = _sound(connection.execute(_BEFORE, (start,)).fetchone())
    if following < start:
        raise DamagedEntriesError
    return following


def walk(
    connection: sqlite3.Connection, start: bytes, stop: bytes, *, backwards: bool = False
) -> Iterator[tuple[bytes, bytes]]:
    """Return keys with their bytes: the last before ``start``, and all from there to ``stop``.

    ``start`` is not empty, so there always is an entry before it; ``stop`` is not included.

    Raises:
        DamagedEntriesError: the entries contradict themselves at a place that was passed.

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


def everything(
    connection: sqlite3.Connection,
) -> Iterator[tuple[tuple[bytes, ...], tuple[bytes, ...]]]:
    """Return all keys and their bytes, some thousands at once; the first key is empty.

    Raises:
        DamagedEntriesError: the entries contradict themselves.

    """
    due = b""
    cursor = connection.execute("SELECT key, more, next, sum FROM entry ORDER BY key")
    while rows := cursor.fetchmany(_FETCHED):
        keys, mores, following, sums = zip(*rows, strict=True)
        try:
            found = tuple(map(crc32, following, map(crc32, mores, map(crc32, keys))))
        except TypeError as error:
            raise DamagedEntriesError from error
        if found != sums or keys != (due, *following[:-1]):
            raise DamagedEntriesError
        due = following[-1]
        yield keys, mores
    if due != END:
        raise DamagedEntriesError


def insert(
    connection: sqlite3.Connection, entries: Sequence[tuple[bytes, bytes]], *, tail: int
) -> None:
    """Add entries, each key once and in ascending order, and correct those before them.

    Keys that differ in no more than their last ``tail`` bytes are taken to come to stand side by
    side, so that they cost one search, because the last of them inherits what the old one named.

    Raises:
        DamagedEntriesError: the entries contradict themselves where one is added.

    """
    runs = groupby((key for key, _ in entries), lambda key: key[:-tail])
    found = _in_rows(connection, _BEFORE_EACH, [(next(run),) for _, run in runs])
    before = {start: row for start, *row in found}
    added: list[tuple[bytes, bytes, bytes, int]] = []
    corrected: list[tuple[bytes, bytes, int]] = []
    last, last_more, following, is_new = b"", b"", b"", False

    def name(next_key: bytes) -> None:
        check = _sum(last, last_more, next_key)
        if is_new:
            added.append((last, last_more, next_key, check))
        else:
            corrected.append((last, next_key, check))

    for key, more in entries:
        if key >= following:
            if is_new:
                name(following)
            row = before.get(key) or connection.execute(_BEFORE, (key,)).fetchone()
            last, last_more, following = _sound(row)
            is_new = False
            if following <= key:
                raise DamagedEntriesError
        name(key)
        last, last_more, is_new = key, more, True
    if is_new:
        name(following)
    _in_rows(connection, _ADD, added)
    _in_rows(connection, _CORRECT, corrected)


def _in_rows(
    connection: sqlite3.Connection, statement: str, rows: Sequence[tuple[Any, ...]]
) -> list[tuple[Any, ...]]:
    """Run a statement over rows, many at once, and return what it found."""
    found: list[tuple[Any, ...]] = []
    for at in range(0, len(rows), _ROWS_MAX):
        some = rows[at : at + _ROWS_MAX]
        marks = f"({', '.join('?' * len(some[0]))})"
        text = statement.format(rows=", ".join([marks] * len(some)))
        found += connection.execute(text, [*chain.from_iterable(some)])
    return found


def _sum(key: bytes, more: bytes, following: bytes) -> int:
    return crc32(following, crc32(more, crc32(key)))


def _sound(row: Any) -> tuple[bytes, bytes, bytes]:
    """Return an entry that was read, if it is as it was written."""
    try:
        key, more, following, check = row
        if _sum(key, more, following) == check:
            return key, more, following
    except TypeError as error:
        raise DamagedEntriesError from error
    raise DamagedEntriesError
