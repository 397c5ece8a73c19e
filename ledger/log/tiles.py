"""A log as files that any web server can serve (C2SP tlog-tiles), written and read.

What comes in: a log with a checkpoint. What goes out: a folder with the signed checkpoint, the tree
in tiles and all messages in entry bundles; :class:`TiledLog` reads such a folder, or the same files
by HTTP, message by message. Guaranteed: the checkpoint is replaced last, so a concurrent reader
finds everything that it names; published files never change, and an interrupted publication can be
repeated. Rejected: a folder that holds another history, and files that are truncated, too long or
do not yield the root.
"""

from __future__ import annotations

import fcntl
import os
import re
import zlib
from contextlib import contextmanager
from functools import lru_cache
from http.client import HTTPException, IncompleteRead
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from ledger.core.errors import AvailabilityError, InputError, IntegrityError
from ledger.core.message import Head
from ledger.events.encoding import hash_of
from ledger.storage.durable import OPEN, make_folder, sync_folder
from ledger.storage.named_files import open_regular
from ledger.tlog import merkle
from ledger.tlog.notes import NOTE_CHARACTERS_MAX
from ledger.tlog.signing import Checkpoint, parse_note
from ledger.tlog.tiles import (
    ENTRY_BYTES_MAX,
    TILE_BYTES,
    TILE_LEVELS,
    TILE_WIDTH,
    Edge,
    bundle_of,
    bundle_path,
    entries_of,
    folded,
    tile_path,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ledger.log.port import ReadableLog
    from ledger.tlog.tiles import Tile

__all__ = ["CHECKPOINT", "PublishResult", "TiledLog", "is_tiled", "mirrored_size", "publish"]

CHECKPOINT = "checkpoint"
"""The file of the signed checkpoint in a folder of tiles."""
BUNDLE_BYTES_MAX = TILE_WIDTH * (2 + ENTRY_BYTES_MAX)
NOTE_BYTES_MAX = 4 * NOTE_CHARACTERS_MAX
HTTP_SECONDS = 30.0
_OURS = frozenset({"tile", ".checkpoint.new"})
"""Left by a first publication that was interrupted before its checkpoint was written."""
_ASKED = {"Accept-Encoding": "gzip, identity"}
"""C2SP lets a log compress even without a request; incompressible content grows by a hundredth."""
_TILES_HELD = 64
"""So many tiles of a path through a tree are used again by the next proof."""
_GZIP = 16 + zlib.MAX_WBITS
_WEB = re.compile("https?:", re.IGNORECASE)
_NOT_IN_URL = re.compile(r"[\x00-\x20\x7f]")


class PublishResult(NamedTuple):
    """Result of a publication: the size now, and the one before."""

    size: int
    before: int


def publish(
    log: ReadableLog,
    note: str,
    folder: Path,
    *,
    progress: Callable[[int, int], None] = lambda _done, _of: None,
) -> PublishResult:
    """Update a folder to a signed checkpoint of a log; existing complete files are not rewritten.

    Args:
        log: holds at least the messages that the checkpoint covers.
        note: the checkpoint.
        folder: created if it does not exist.
        progress: called with the number of messages written, and their total.

    Raises:
        InputError: a message is too long for an entry bundle, or the folder is not a folder or
            holds something else.
        IntegrityError: the folder or the checkpoint belongs to another history than the log, or a
            message was altered since the tree was made.
        AvailabilityError: the folder can't be written, or another process writes it.

    """
    checkpoint, _ = parse_note(note)
    size = checkpoint.size
    if merkle.root(log.node, size) != checkpoint.root:
        raise IntegrityError(f"the checkpoint of size {size} has another root than the log")
    try:
        with _alone(folder):
            before = _published(folder, log, checkpoint)
            _write_between(folder, log, before, size, progress)
            sync_folder(_write(folder / CHECKPOINT, note.encode()))
    except (FileExistsError, NotADirectoryError) as error:
        raise InputError(f"{folder} is no folder: name another folder") from error
    except OSError as error:
        text = f"the tiles can't be written to {folder} ({error.strerror})"
        raise AvailabilityError(f"{text}: repair the cause and repeat") from error
    except ValueError as error:
        raise InputError(f"{folder} is no name of a folder: {error}") from error
    return PublishResult(size, before)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Lock a folder: of two that write the same file, one would publish what is half written."""
    make_folder(folder, mode=OPEN)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    except BlockingIOError as error:
        text = f"another process writes tiles to {folder}: stop it, or name another folder"
        raise AvailabilityError(text) from error
    finally:
        os.close(descriptor)


def _write_between(
    folder: Path, log: ReadableLog, before: int, size: int, progress: Callable[[int, int], object]
) -> None:
    """Write the bundles and tiles that are new when a tree grows."""
    places: set[Path] = set()
    for number in range(before // TILE_WIDTH, -(-size // TILE_WIDTH)):
        first = number * TILE_WIDTH
        end = min(first + TILE_WIDTH, size)
        bundle = bundle_of(_leaves(log, first, end))
        places.add(_write(folder / bundle_path(number, end - first), bundle))
        progress(end, size)
    for path, hashes in _tiles(log, before, size):
        places.add(_write(folder / path, hashes))
    for place in _within(folder, places):
        sync_folder(place)


def _published(folder: Path, log: ReadableLog, checkpoint: Checkpoint) -> int:
    """Return the size that a folder already holds, if its history is that of the log."""
    path = folder / CHECKPOINT
    if not path.exists():
        if folder.exists() and not _OURS.issuperset(file.name for file in folder.iterdir()):
            raise InputError(f"{folder} is not empty and holds no checkpoint: name another folder")
        return 0
    return mirrored_size(folder, log, checkpoint.chain, checkpoint.size)


def mirrored_size(folder: Path, log: ReadableLog, chain: str, size: int) -> int:
    """Return the number of messages, at most ``size``, that a folder of tiles holds.

    Raises:
        InputError: the folder holds no checkpoint, another chain, or more than ``size`` messages.
        IntegrityError: its history is not that of the log.
        AvailabilityError: it can't be read.

    """
    content = _FolderSource(folder).get(CHECKPOINT, NOTE_BYTES_MAX)
    path = folder / CHECKPOINT
    try:
        checkpoint, _ = parse_note((content or b"").decode())
    except (InputError, UnicodeDecodeError) as error:
        raise InputError(f"{path} is no checkpoint ({error}): name another folder") from error
    if checkpoint.chain != chain:
        raise InputError(f"{folder} holds the chain {checkpoint.chain}, and this is {chain}")
    if checkpoint.size > size:
        text = f"{folder} holds {checkpoint.size} messages, and the checkpoint {size}"
        raise InputError(f"{text}: sign a new one with `gameledger log checkpoint`")
    if merkle.root(log.node, checkpoint.size) != checkpoint.root:
        text = (
            f"{folder} holds a checkpoint of size {checkpoint.size} with another root than the log"
        )
        raise IntegrityError(f"{text}: one of them was replaced; keep both")
    return checkpoint.size


def _leaves(log: ReadableLog, first: int, end: int) -> Iterator[bytes]:
    """Yield messages, each compared with its leaf first: published files are never rewritten."""
    for position, message in log.read(first, end):
        if hash_of(message) != log.node(0, position):
            text = f"message {position} is not the one that the tree of the log was made of"
            raise IntegrityError(f"{text}: see `gameledger log verify`", position=position)
        yield message


def _tiles(log: ReadableLog, before: int, size: int) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of the tiles that are new when a tree grows to ``size``."""
    level = 0
    while width := size >> (TILE_LEVELS * level):
        for number in range(
            (before >> (TILE_LEVELS * level)) // TILE_WIDTH, -(-width // TILE_WIDTH)
        ):
            first = number * TILE_WIDTH
            end = min(first + TILE_WIDTH, width)
            hashes = [log.node(TILE_LEVELS * level, index) for index in range(first, end)]
            yield tile_path(level, number, end - first), b"".join(hashes)
        level += 1


def _within(folder: Path, places: set[Path]) -> set[Path]:
    """Return paths and all folders between them and the folder: a parent holds each new name."""
    between = (above for place in places for above in (place, *place.parents))
    return {place for place in between if place.is_relative_to(folder)}


def _write(path: Path, content: bytes) -> Path:
    """Write a complete file; return the folder with its name."""
    make_folder(path.parent, mode=OPEN)
    unfinished = path.with_name(f".{path.name}.new")
    with unfinished.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    unfinished.replace(path)
    return path.parent


class _Source(Protocol):
    """Reads the files of a published log; None for a missing one."""

    def get(self, path: str, bytes_max: int) -> bytes | None: ...


class _FolderSource:
    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, path: str, bytes_max: int) -> bytes | None:
        try:
            (self._folder / path).stat()  # unlike `exists`, it raises for an invalid name
            with open_regular(self._folder / path) as file:
                return file.read(bytes_max + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            text = f"{self._folder / path} can't be read ({error.strerror})"
            raise AvailabilityError(text) from error
        except ValueError as error:
            raise InputError(f"{self._folder} is no name of a folder: {error}") from error


class _WebSource:
    def __init__(self, prefix: str) -> None:
        self._prefix = prefix.rstrip("/")

    def get(self, path: str, bytes_max: int) -> bytes | None:
        url = f"{self._prefix}/{path}"
        try:
            with urlopen(Request(url, headers=_ASKED), timeout=HTTP_SECONDS) as answer:  # noqa: S310 - http or https, see TiledLog
                is_compressed = answer.headers.get("Content-Encoding") == "gzip"
                longer = bytes_max // 100 + 1024 if is_compressed else 1
                content: bytes = answer.read(bytes_max + longer)
                is_whole = len(content) > bytes_max or not answer.length
        except HTTPError as error:
            if error.code in {404, 410}:
                return None
            raise AvailabilityError(f"{url} answers {error.code}: try again later") from error
        except IncompleteRead:
            is_whole = False
        except (OSError, HTTPException) as error:
            raise AvailabilityError(f"{url} can't be read ({error or type(error)})") from error
        if is_whole and is_compressed:
            content, is_whole = _decompress(content, bytes_max)
        if not is_whole:
            raise AvailabilityError(f"what {url} sends was cut off: try again")
        return content


def is_tiled(place: str) -> bool:
    """Return whether a location is a log in tiles: a URL (http or https) or a folder of tiles.

    Raises:
        InputError: the location begins like a URL but is not a valid one.

    """
    return _is_web(place) or Path(place, CHECKPOINT).is_file()


def _is_web(place: str) -> bool:
    """Return whether a location is a URL.

    Raises:
        InputError: the location begins like a URL but is not a valid one.

    """
    if not _WEB.match(place):
        return False
    try:
        parts = urlsplit(place)
        is_url = bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_url = False
    if not is_url or not place.isascii() or _NOT_IN_URL.search(place):
        raise InputError(f"{place} is no address of a log: http or https, host and path, in ASCII")
    return True


def _decompress(content: bytes, bytes_max: int) -> tuple[bytes, bool]:
    """Decompress gzip up to one byte beyond a bound; return whether that or the end was reached."""
    stream = zlib.decompressobj(_GZIP)
    try:
        data = stream.decompress(content, bytes_max + 1)
    except zlib.error:
        return b"", False
    return data, stream.eof or len(data) > bytes_max


class TiledLog:
    """A published log, read from its checkpoint and its tiles alone."""

    def __init__(self, place: str) -> None:
        """Read the checkpoint.

        Args:
            place: a folder, or a URL with http or https.

        Raises:
            InputError: there is no published log, or the URL is not valid.
            AvailabilityError: it can't be read.

        """
        self.place = place
        self._tile = lru_cache(_TILES_HELD)(self._read_tile)
        self._source: _Source = _WebSource(place) if _is_web(place) else _FolderSource(Path(place))
        note = self._source.get(CHECKPOINT, NOTE_BYTES_MAX)
        if note is None:
            raise InputError(
                f"{place} holds no checkpoint: it is no log in tiles; name another log with --data "
                "or --log"
            )
        try:
            self.note = note.decode()
            self.checkpoint, _ = parse_note(self.note)
        except (InputError, UnicodeDecodeError) as error:
            raise InputError(f"{place}/{CHECKPOINT}: {error}") from error

    def head(self) -> Head:
        """Return the head of the log at its checkpoint; only the last message is read.

        Raises:
            IntegrityError: a file is missing, truncated or too long.
            AvailabilityError: a file can't be read.

        """
        size = self.checkpoint.size
        last = [message for _, message in self.read(max(size - 1, 0), size)]
        return Head(size, hash_of(last[0])) if last else Head(0, bytes(merkle.HASH_BYTES))

    def read(self, start: int = 0, stop: int | None = None) -> Iterator[tuple[int, bytes]]:
        """Yield (position, message) from ``start`` up to, not including, ``stop``.

        A read of everything that the checkpoint covers also compares each tile with its messages.

        Raises:
            IntegrityError: a file is missing, truncated or too long, or a tile has another hash
                than the message.
            AvailabilityError: a file can't be read.

        """
        size = self.checkpoint.size
        stop = size if stop is None else min(stop, size)
        edge = Edge() if (start, stop) == (0, size) else None
        for first in range(start - start % TILE_WIDTH, stop, TILE_WIDTH):
            leaves = []
            for position, message in self._entries(first, size):
                leaves.append(hash_of(message))
                if start <= position < stop:
                    yield position, message
            for tile in edge.extend(leaves) if edge else ():
                self._compare(tile)
        for tile in edge.partial() if edge else ():
            self._compare(tile)

    def node(self, level: int, index: int) -> bytes:
        """Return the hash of a full node, as the tiles have it; they prove nothing alone.

        Raises:
            IntegrityError: a tile is missing, truncated or too long.
            AvailabilityError: it can't be read.

        """
        height, above = level // TILE_LEVELS, level % TILE_LEVELS
        first = index << above
        number = first // TILE_WIDTH
        hashes = self._tile(height, number)
        at = first % TILE_WIDTH * merkle.HASH_BYTES
        return folded(hashes[at : at + (merkle.HASH_BYTES << above)])

    def _read_tile(self, level: int, number: int) -> bytes:
        size = self.checkpoint.size >> (TILE_LEVELS * level)
        width = min(TILE_WIDTH, size - number * TILE_WIDTH)
        path = tile_path(level, number, width)
        first = number * TILE_WIDTH << (TILE_LEVELS * level)
        hashes, is_full = self._get(path, TILE_BYTES, first)
        length = TILE_BYTES if is_full else width * merkle.HASH_BYTES
        if len(hashes) != length:
            raise IntegrityError(f"{self.place}/{path} is truncated or too long", position=first)
        return hashes

    def _entries(self, first: int, size: int) -> Iterator[tuple[int, bytes]]:
        """Yield the messages of one bundle."""
        width = min(TILE_WIDTH, size - first)
        path = bundle_path(first // TILE_WIDTH, width)
        bundle, is_full = self._get(path, BUNDLE_BYTES_MAX, first)
        entries = entries_of(bundle, first, TILE_WIDTH if is_full else width)
        yield from islice(entries, width if is_full else None)

    def close(self) -> None:
        """Do nothing: no file stays open between reads."""

    def _compare(self, tile: Tile) -> None:
        """Compare a published tile with the one computed from the messages."""
        width = len(tile.hashes) * TILE_WIDTH // TILE_BYTES
        path = tile_path(tile.level, tile.number, width)
        first = tile.number * TILE_WIDTH << (TILE_LEVELS * tile.level)
        hashes, is_full = self._get(path, TILE_BYTES, first)
        if (hashes[: len(tile.hashes)] if is_full else hashes) != tile.hashes:
            text = f"{self.place}/{path} is not the tile that the messages from {first} on give"
            raise IntegrityError(text, position=first)

    def _get(self, path: str, bytes_max: int, position: int) -> tuple[bytes, bool]:
        """Return a file; if a partial one is gone because the log grew, the full one."""
        content, full = self._source.get(path, bytes_max), path.partition(".p/")[0]
        if is_full := content is None and full != path:
            content = self._source.get(full, bytes_max)
        if content is None:
            raise IntegrityError(f"{self.place} lacks {path}", position=position)
        if len(content) > bytes_max:
            raise IntegrityError(f"{self.place}/{path} is too long", position=position)
        return content, is_full
