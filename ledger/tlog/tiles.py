"""Tiles: the tree in files that any web server can serve (C2SP tlog-tiles).

What comes in: hashes of leaves in their order, or messages. What goes out: tiles of 256 hashes,
entry bundles of 256 messages, and the paths under which a reader requests them. Pure: nothing is
read or written. Hash *i* of tile *n* on level *l* is the node of level ``8 * l`` and index
``256 * n + i``; a tile exists only above full tiles.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.merkle import HASH_BYTES, hashes_in, parents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "ENTRY_BYTES_MAX",
    "TILE_BYTES",
    "TILE_LEVELS",
    "TILE_WIDTH",
    "Edge",
    "Level",
    "Tile",
    "bundle_of",
    "bundle_path",
    "entries_of",
    "folded",
    "tile_path",
]

TILE_LEVELS = 8
TILE_WIDTH = 1 << TILE_LEVELS
TILE_BYTES = TILE_WIDTH * HASH_BYTES
ENTRY_BYTES_MAX = 0xFFFF
"""Bytes of one entry: its length field has 16 bits."""

_LENGTH_BYTES = 2


class Tile(NamedTuple):
    """A tile: concatenated hashes, 256 of them if it is full."""

    level: int
    number: int
    hashes: bytes


class Level:
    """The hashes of one level: the number of full tiles, and the hashes after these tiles."""

    def __init__(self, tiles: int = 0, edge: bytes = b"") -> None:
        """Start with some full tiles and the hashes after them."""
        self.tiles = tiles
        self.edge = bytearray(edge)


class Edge:
    """The right edge of a growing tree, in tiles."""

    def __init__(self, levels: Iterable[Level] = ()) -> None:
        """Start empty or with existing levels."""
        self.levels = list(levels) or [Level()]

    @property
    def size(self) -> int:
        """Number of leaves."""
        leaves = self.levels[0]
        return leaves.tiles * TILE_WIDTH + len(leaves.edge) // HASH_BYTES

    def extend(self, leaves: Sequence[bytes]) -> Iterator[Tile]:
        """Add hashes of leaves; yield the tiles that became full, the lowest level first."""
        self.levels[0].edge += b"".join(leaves)
        for number, level in enumerate(self.levels):  # includes levels that are added here
            full = len(level.edge) // TILE_BYTES * TILE_BYTES
            if not full:
                return
            if number + 1 == len(self.levels):
                self.levels.append(Level())
            for first in range(0, full, TILE_BYTES):
                tile = bytes(level.edge[first : first + TILE_BYTES])
                self.levels[number + 1].edge += folded(tile)
                yield Tile(number, level.tiles, tile)
                level.tiles += 1
            del level.edge[:full]

    def partial(self) -> Iterator[Tile]:
        """Yield the tiles at the edge that are not full."""
        for number, level in enumerate(self.levels):
            if level.edge:
                yield Tile(number, level.tiles, bytes(level.edge))


def folded(hashes: bytes | bytearray) -> bytes:
    """Hash concatenated hashes, a power of two of them, into their common ancestor."""
    row = hashes_in(bytes(hashes))
    (node,) = parents(row, (len(row) - 1).bit_length())
    return node


def tile_path(level: int, number: int, width: int = TILE_WIDTH) -> str:
    """Return the path of a tile, such as ``tile/0/x001/234.p/5``."""
    return f"tile/{level}/{_path(number, width)}"


def bundle_path(number: int, width: int = TILE_WIDTH) -> str:
    """Return the path of an entry bundle, such as ``tile/entries/x001/234``."""
    return f"tile/entries/{_path(number, width)}"


def bundle_of(messages: Iterable[bytes]) -> bytes:
    """Concatenate messages, each with a length prefix.

    Raises:
        InputError: a message has more than 65,535 bytes.

    """
    parts = []
    for message in messages:
        if len(message) > ENTRY_BYTES_MAX:
            text = f"a message of {len(message)} bytes does not fit an entry bundle"
            raise InputError(f"{text}: {ENTRY_BYTES_MAX} at most")
        parts += [len(message).to_bytes(_LENGTH_BYTES), message]
    return b"".join(parts)


def entries_of(bundle: bytes, first: int, width: int) -> Iterator[tuple[int, bytes]]:
    """Yield (position, message) of an entry bundle.

    Args:
        bundle: bytes of the bundle.
        first: position of its first message.
        width: number of messages in it.

    Raises:
        IntegrityError: the bundle is too short or too long; the error has the first faulty
            position.

    """
    at = 0
    for position in range(first, first + width):
        begin = at + _LENGTH_BYTES
        end = begin + int.from_bytes(bundle[at:begin])
        if begin > len(bundle) or end > len(bundle):
            text = f"the bundle of entries from {first} on ends within entry {position}"
            raise IntegrityError(text, position=position)
        yield position, bundle[begin:end]
        at = end
    if at != len(bundle):
        text = f"the bundle of entries from {first} on goes on behind its {width} entries"
        raise IntegrityError(text, position=first + width)


def _path(number: int, width: int) -> str:
    parts = [f"{number % 1000:03}"]
    while number >= 1000:  # noqa: PLR2004 - three digits an element
        number //= 1000
        parts.append(f"x{number % 1000:03}")
    path = "/".join(reversed(parts))
    return path if width == TILE_WIDTH else f"{path}.p/{width}"
