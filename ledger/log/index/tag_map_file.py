"""The file of a log's tag map: beside the log, or in the cache of a reader; made again when wrong.

What comes in: a log and a size. What goes out: the map of its messages up to there. Who writes
the log brings the file forward to each checkpoint that is signed; a reader uses it, or a file of
its own. The map of any other size is made in memory from the log alone.

A file counts only as the map of a checkpoint that stands in the log, with the root that it names.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing, suppress
from functools import cache
from typing import TYPE_CHECKING

from ledger.core.canonical_form import Scanner
from ledger.core.encoding import FINGERPRINT, hash_of, schema_of
from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.core.events import CheckpointSigned
from ledger.core.message import in_blocks
from ledger.core.sqlite_errors import explain, is_damage
from ledger.core.tag_map import KINDS
from ledger.core.tag_map_store import TABLES, TagMap
from ledger.log.port import events_at
from ledger.log.sqlite_file import cache_held, connect, create, has_shape, remove

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ledger.core.signing import Checkpoint
    from ledger.core.tag_entries import ScanAll, TagEntries
    from ledger.log.port import ReadableLog

__all__ = ["MAP", "map_at", "map_in_memory", "map_of_note"]

MAP = "tag_map.sqlite"

APPLICATION_ID = 0x474C544D
"""Marks the file as one of ours (``GLTM``)."""

LAYOUT_VERSION = 1

_LOGGER = logging.getLogger(__name__)


def map_at(
    log: ReadableLog,
    size: int,
    path: Path,
    cache: Path | None,
    *,
    signed: Iterable[int],
    writable: bool,
) -> TagMap:
    """Open the map of the first ``size`` messages of a log.

    The file beside the log is brought forward by who may write it; a reader takes it if it is of
    that size, or else a file of its own in its cache.

    Args:
        log: gives the messages.
        size: how many of them.
        path: of the file beside the log.
        cache: where a reader may keep one of its own.
        signed: positions of the last checkpoints in the log.
        writable: for who writes the log.

    Raises:
        IntegrityError: the log is damaged, or a file is, again after it was made anew.
        AvailabilityError: log or file can't be used.

    """
    roots = {
        recorded.event.size: recorded.event.map_root
        for recorded in events_at(log, signed)
        if isinstance(recorded.event, CheckpointSigned)
    }
    try:
        if writable:
            return _forward(log, size, path, roots)
        found = _opened(path, roots, writable=False)
        if found is not None:
            if found.size == size:
                return found
            found.close()
        if cache is not None:
            with suppress(OSError, AvailabilityError), cache_held(cache):
                return _forward(log, size, cache / MAP, roots)
    except sqlite3.Error as error:
        raise explain(error, path) from error
    return map_in_memory(log, size)


def map_of_note(paths: Iterable[Path], note: Checkpoint) -> TagMap | None:
    """Return a copy of the map that a note names, if one of these files holds it."""
    for path in paths:
        try:
            found = _opened(path, {note.size: note.map_root}, writable=False)
            if found is not None:
                with closing(found):
                    return found.copy()
        except sqlite3.Error as error:
            raise explain(error, path) from error
    return None


def map_in_memory(log: ReadableLog, size: int) -> TagMap:
    """Make the map of the first ``size`` messages from the log alone."""
    return _filled(TagMap.temporary(), log, size)


def _forward(log: ReadableLog, size: int, path: Path, roots: Mapping[int, bytes]) -> TagMap:
    """Bring a file to a size, or begin it anew; one that is ahead stays, and memory serves."""
    found = _opened(path, roots, writable=True)
    if found is not None and found.size > size:
        found.close()
        return map_in_memory(log, size)
    if found is not None:
        try:
            return _frozen(_filled(found, log, size))
        except (IntegrityError, sqlite3.DatabaseError):
            found.close()
            _LOGGER.warning("%s is damaged: it is made again from the log", path)
    remove(path)
    create(path, TABLES, application=APPLICATION_ID, version=LAYOUT_VERSION)
    return _frozen(_filled(TagMap(connect(path, writable=True), str(path)), log, size))


def _frozen(found: TagMap) -> TagMap:
    found.freeze()
    return found


def _opened(path: Path, roots: Mapping[int, bytes], *, writable: bool) -> TagMap | None:
    """Open a file if it is of a checkpoint of the log, as that one says."""
    if not path.exists():
        return None
    connection = connect(path, writable=writable)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == LAYOUT_VERSION and has_shape(connection, TABLES):
            if not writable:
                connection.execute("BEGIN")
            found = TagMap(connection, str(path))
            if roots.get(found.size) == found.root():
                return found
    except IntegrityError:
        pass
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            connection.close()
            raise
    connection.close()
    return None


def _filled(found: TagMap, log: ReadableLog, size: int) -> TagMap:
    for block in in_blocks(log.read(found.size, size)):
        found.add(_entries(block))
    found.fold()
    if found.size != size:
        text = f"the log ends at {found.size}, and the map of {size} messages is asked for"
        raise InputError(text)
    return found


def _entries(block: list[tuple[int, bytes]]) -> TagEntries:
    """Return what the map takes in of neighbouring messages."""
    from ledger.core.tag_entries import (  # noqa: PLC0415 - NumPy takes long to start
        rows_by_schema,
        tagged_in,
    )

    first, messages = block[0][0], [message for _, message in block]
    tagged = tagged_in(messages, rows_by_schema(messages), _scan_of)
    if tagged is None:
        text = f"one of the messages {first} to {block[-1][0]} was altered"
        raise IntegrityError(f"{text}: verify the log, restore it", position=first)
    return tagged.entries(first, b"".join(map(hash_of, messages)))


@cache
def _scan_of(header: bytes) -> ScanAll:
    """Make what tells the tags of messages of a schema that the map holds."""
    schema = schema_of(header[FINGERPRINT])
    return Scanner(schema, [(field, kind) for field, kind in schema.tags if kind in KINDS]).scan_all
