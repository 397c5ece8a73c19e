"""The tables of the tag index and the search in them; both sides of the index use it."""

from __future__ import annotations

from hashlib import sha256
from itertools import islice
from typing import TYPE_CHECKING

from ledger.events import EVENTS
from ledger.log.port import EMPTY, Head

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterator

    from ledger.log.port import Query

__all__ = ["APPLICATION_ID", "EVERY", "TABLES", "VERSION", "commands_in", "search", "watermark_of"]

APPLICATION_ID = 0x474C4458
"""Marks the file as an index (``GLDX``)."""

COMMANDS_ASKED = 500
"""Commands of one question; SQLite takes at least 999 parameters."""

_LAYOUT = 1

_TAGGING = repr((_LAYOUT, [(name, kind.TAGS) for name, kind in EVENTS.items()]))

VERSION = int.from_bytes(sha256(_TAGGING.encode()).digest()[:4], "big") >> 1
"""Stands for the layout of the tables and the tags that the schemas give.

An index that was made with other tags would miss events in silence, so it is rebuilt.
"""

EVERY = ""
"""The tag that every event has, so that a search by type alone is a search like the others."""

TABLES = """
CREATE TABLE type (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE tagged (
    tag TEXT NOT NULL,
    type INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (tag, type, position)
) WITHOUT ROWID;
CREATE TABLE command (
    command_id BLOB PRIMARY KEY,
    position INTEGER NOT NULL,
    size INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE watermark (
    row INTEGER PRIMARY KEY CHECK (row = 1),
    size INTEGER NOT NULL,
    hash BLOB NOT NULL
);
INSERT INTO watermark (row, size, hash) VALUES (1, 0, zeroblob(32));
"""

_TYPES_OF_TAG = """
WITH RECURSIVE found (type) AS (
    SELECT MIN(type) FROM tagged WHERE tag = :tag
    UNION ALL
    SELECT (SELECT MIN(type) FROM tagged WHERE tag = :tag AND type > found.type)
    FROM found WHERE found.type IS NOT NULL
)
SELECT type FROM found WHERE type IS NOT NULL
"""

_RUN = """
SELECT position FROM tagged AS hit
WHERE tag = ? AND type = ? AND position > ? AND position < ? {others}
ORDER BY position {direction} LIMIT ?
"""

_ALSO_TAGGED = """
AND EXISTS (
    SELECT 1 FROM tagged AS other
    WHERE other.tag = ? AND other.type = hit.type AND other.position = hit.position
)
"""

_COUNT_MAX = 1000
"""Tags are compared by how often they occur only up to this number."""


def watermark_of(connection: sqlite3.Connection) -> Head:
    """Read up to where the index agrees with its log."""
    row = connection.execute("SELECT size, hash FROM watermark").fetchone()
    return Head(*row) if row else EMPTY


def commands_in(
    connection: sqlite3.Connection, command_ids: Collection[bytes]
) -> dict[bytes, tuple[int, int]]:
    """Find (first position, size) of the decisions of commands, a chunk of them a question."""
    found: dict[bytes, tuple[int, int]] = {}
    asked = iter(command_ids)
    while chunk := list(islice(asked, COMMANDS_ASKED)):
        places = ",".join("?" * len(chunk))
        statement = f"SELECT command_id, position, size FROM command WHERE command_id IN ({places})"  # noqa: S608 - question marks only
        for command_id, position, size in connection.execute(statement, chunk):
            found[command_id] = (position, size)
    return found


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

    The key is (tag, type, position): each type of the rarest tag is one run in order of
    position, so the cost follows from what is found, not from what the log holds.
    """
    if limit is not None and limit <= 0:
        return []
    if not query.types and not query.tags:
        everything = range(max(after + 1, 0), before)
        ordered = everything[::-1] if backwards else everything
        return list(ordered if limit is None else ordered[:limit])
    tag, *others = _rarest_first(connection, query)
    statement = _RUN.format(
        others=_ALSO_TAGGED * len(others), direction="DESC" if backwards else "ASC"
    )
    most = -1 if limit is None else limit
    found: list[int] = []
    for kind in _kinds(connection, query, tag):
        values = (tag, kind, after, before, *others, most)
        found += [position for (position,) in connection.execute(statement, values)]
    found.sort(reverse=backwards)
    return found if limit is None else found[:limit]


def _rarest_first(connection: sqlite3.Connection, query: Query) -> list[str]:
    tags = list(dict.fromkeys(query.tags)) or [EVERY]
    if len(tags) == 1:
        return tags
    statement = "SELECT COUNT(*) FROM (SELECT 1 FROM tagged WHERE tag = ? LIMIT ?)"

    def count(tag: str) -> int:
        (number,) = connection.execute(statement, (tag, _COUNT_MAX)).fetchone()
        return int(number)

    return sorted(tags, key=count)


def _kinds(connection: sqlite3.Connection, query: Query, tag: str) -> Iterator[int]:
    if not query.types:
        for (kind,) in connection.execute(_TYPES_OF_TAG, {"tag": tag}).fetchall():
            yield kind
    for name in dict.fromkeys(query.types):
        row = connection.execute("SELECT id FROM type WHERE name = ?", (name,)).fetchone()
        if row:
            yield row[0]
