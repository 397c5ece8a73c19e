"""The file of a log's tag map, next to the log or in a reader's cache; rebuilt if invalid.

What comes in: a log and a size. What goes out: the map of its messages up to that size. The writer
of the log advances the file to each signed checkpoint; a reader uses it or a file of its own. At a
checkpoint that ends with the ``CheckpointSigned`` before it, its cover, the file stays where it is:
evidence needs the map of the covered one. The map of any other size is computed in memory.

A file is valid only as the map of a recorded checkpoint: it must have the root that the checkpoint
names.
"""

from __future__ import annotations

import logging
import sqlite3
from contextlib import closing, suppress
from functools import cache
from typing import TYPE_CHECKING

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.core.message import BODY_OFFSET, in_blocks
from ledger.events.canonical_form import UNREADABLE, tag_reader_of
from ledger.events.encoding import FINGERPRINT, hash_of, schema_of
from ledger.events.event_types import CheckpointSigned
from ledger.log.port import events_at
from ledger.log.sqlite_file import connect, create, has_shape, locked_cache, remove
from ledger.storage.sqlite_errors import explain, is_damage
from ledger.tlog.tag_map import KINDS
from ledger.tlog.tag_map_store import TABLES, TagMap

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from ledger.events.canonical_form import TagReader
    from ledger.log.port import ReadableLog
    from ledger.tlog.signing import Checkpoint
    from ledger.tlog.tag_entries import TagEntries

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

    A writer advances the file next to the log; a reader uses it if it has that size, and otherwise
    a file of its own in its cache.

    Args:
        log: source of the messages.
        size: number of messages.
        path: file next to the log.
        cache: folder where a reader may store its own file.
        signed: positions of the last checkpoints in the log.
        writable: True for the writer of the log.

    Raises:
        IntegrityError: the log is damaged, or a file is damaged even after it was rebuilt.
        AvailabilityError: log or file cannot be used.

    """
    roots, covered = {}, {}
    for recorded in events_at(log, signed):
        if isinstance(recorded.event, CheckpointSigned):
            roots[recorded.event.size] = recorded.event.map_root
            covered[recorded.position + 1] = recorded.event.size
    stored = covered.get(size, size)
    try:
        if writable:
            return _fill(_advance(log, stored, path, roots), log, size)
        tag_map = _open_valid(path, roots, writable=False)
        if tag_map is not None:
            if tag_map.size == size:
                return tag_map
            tag_map.close()
        if cache is not None:
            unusable = OSError, AvailabilityError, sqlite3.OperationalError
            with suppress(*unusable), locked_cache(cache):
                return _fill(_advance(log, stored, cache / MAP, roots), log, size)
    except sqlite3.Error as error:
        raise explain(error, path) from error
    return map_in_memory(log, size)


def map_of_note(paths: Iterable[Path], note: Checkpoint) -> TagMap | None:
    """Return a copy of the map that a checkpoint names; None if none of these files has it."""
    for path in paths:
        try:
            tag_map = _open_valid(path, {note.size: note.map_root}, writable=False)
            if tag_map is not None:
                with closing(tag_map):
                    return tag_map.copy()
        except sqlite3.Error as error:
            raise explain(error, path) from error
    return None


def map_in_memory(log: ReadableLog, size: int) -> TagMap:
    """Compute the map of the first ``size`` messages from the log alone."""
    return _fill(TagMap.temporary(), log, size)


def _advance(log: ReadableLog, size: int, path: Path, roots: Mapping[int, bytes]) -> TagMap:
    """Advance or rebuild a file; if the file is ahead, leave it and use a map in memory."""
    tag_map = _open_valid(path, roots, writable=True)
    if tag_map is not None and tag_map.size > size:
        tag_map.close()
        return map_in_memory(log, size)
    if tag_map is not None:
        try:
            return _freeze(_fill(tag_map, log, size))
        except (IntegrityError, sqlite3.DatabaseError) as error:
            tag_map.close()
            if isinstance(error, sqlite3.Error) and not is_damage(error):
                raise  # a full disk: the file stays valid
            _LOGGER.warning("%s is damaged: it is made again from the log", path)
    remove(path)
    create(path, TABLES, application=APPLICATION_ID, version=LAYOUT_VERSION)
    return _freeze(_fill(TagMap(connect(path, writable=True), str(path)), log, size))


def _freeze(tag_map: TagMap) -> TagMap:
    tag_map.freeze()
    return tag_map


def _open_valid(path: Path, roots: Mapping[int, bytes], *, writable: bool) -> TagMap | None:
    """Open a file if it matches a checkpoint of the log."""
    if not path.exists():
        return None
    connection = connect(path, writable=writable)
    try:
        (version,) = connection.execute("PRAGMA user_version").fetchone()
        if version == LAYOUT_VERSION and has_shape(connection, TABLES):
            if not writable:
                connection.execute("BEGIN")
            tag_map = TagMap(connection, str(path))
            if roots.get(tag_map.size) == tag_map.root():
                return tag_map
    except IntegrityError:
        pass
    except sqlite3.DatabaseError as error:
        if not is_damage(error):
            connection.close()
            raise
    connection.close()
    return None


def _fill(tag_map: TagMap, log: ReadableLog, size: int) -> TagMap:
    for block in in_blocks(log.read(tag_map.size, size)):
        tag_map.add(_entries(block))
    tag_map.fold()
    if tag_map.size != size:
        text = f"the log ends at {tag_map.size}, and the map of {size} messages is asked for"
        raise InputError(text)
    return tag_map


def _entries(block: list[tuple[int, bytes]]) -> TagEntries:
    """Return the additions of neighbouring messages to the map."""
    from ledger.tlog.tag_entries import TagEntries  # noqa: PLC0415 - NumPy takes long to start

    first = block[0][0]
    try:
        read = [(hash_of(body), _tag_reader(body[:BODY_OFFSET])(body)) for _, body in block]
    except UNREADABLE as error:
        text = f"one of the messages {first} to {block[-1][0]} was altered"
        raise IntegrityError(f"{text}: verify the log, restore it", position=first) from error
    return TagEntries.of(first, read)


@cache
def _tag_reader(header: bytes) -> TagReader:
    """Return the reader of the mapped tags in messages of a schema."""
    schema = schema_of(header[FINGERPRINT])
    return tag_reader_of(schema, [(field, kind) for field, kind in schema.tags if kind in KINDS])
