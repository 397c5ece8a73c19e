"""The tag map: proves which events have a tag, such as that of a round, and that no others have it.

What comes in: the events of a chain by their tags, as position and hash. What goes out: for each
tag its value, and one root over all tags, which every checkpoint contains; proofs that a tag has a
value (:class:`TagProof`), or that no event has the tag.

The *value* of a tag is the number of its events, the position of the last one, and the root of a
tree over them (RFC 6962). With that tree, a part of the events can be proved complete, too, such as
the facts of an account in one evening. The map is a binary tree over SHA-256 of the tags, most
significant bit first; a leaf is placed at the highest level where it is alone. Pure: nothing is
read or written.
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct

from ledger.core.errors import IntegrityError
from ledger.tlog.merkle import HASH_BYTES, CompactRange, leaf_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "EMPTY_MAP",
    "KEY_BITS",
    "KINDS",
    "MapNode",
    "TagProof",
    "TagTree",
    "TagValue",
    "above",
    "climb",
    "entry_hash",
    "is_mapped",
    "joined",
    "key_of",
    "leaf_of",
    "siblings_in",
    "subtree",
]

KINDS = ("account", "period", "person", "round", "table", "tournament")
"""Kinds of tags that the map holds; the events of a bet are in its round."""

KEY_BITS = 256

EMPTY_MAP = bytes(HASH_BYTES)
"""The root of an empty map, and the hash of an empty half."""

_LEAF, _NODE = b"\x02", b"\x03"
_PREFIXES = tuple(f"{kind}:".encode() for kind in KINDS)


class TagValue(Struct, frozen=True):
    """The value of a tag: ``root`` is the root of the tree over its ``count`` events."""

    count: int
    last: int
    root: bytes


class TagTree:
    """The growing tree over the events of one tag."""

    __slots__ = ("compact_range", "last")

    def __init__(self, last: int = -1, frontier: CompactRange | None = None) -> None:
        """Start empty, or continue from the last position and the right edge of the tree."""
        self.last = last
        self.compact_range = frontier or CompactRange()

    def add(self, position: int, message_hash: bytes) -> None:
        """Add an event."""
        self.compact_range.add(entry_hash(position, message_hash))
        self.last = position

    def value(self) -> TagValue:
        """Return the current value of the tag."""
        return TagValue(self.compact_range.size, self.last, self.compact_range.root())


class MapNode(NamedTuple):
    """The hash of a subtree of the map, and whether the subtree is a single leaf."""

    hash: bytes
    is_leaf: bool


def is_mapped(tag: bytes) -> bool:
    """Return whether the map holds tags of this kind; ``tag`` is in UTF-8."""
    return tag.startswith(_PREFIXES)


def key_of(tag: bytes) -> bytes:
    """Return the key of a tag in the map."""
    return sha256(tag).digest()


def entry_hash(position: int, message_hash: bytes) -> bytes:
    """Hash an event as a leaf of the tree of its tag."""
    return leaf_hash(position.to_bytes(8) + message_hash)


def leaf_of(key: bytes, value: TagValue) -> bytes:
    """Hash a tag and its value as a leaf of the map."""
    numbers = value.count.to_bytes(8) + value.last.to_bytes(8)
    return sha256(_LEAF + key + numbers + value.root).digest()


def above(left: MapNode | None, right: MapNode | None) -> MapNode | None:
    """Join two halves: a single leaf moves up, any other pair gets a parent node."""
    if left is None and (right is None or right.is_leaf):
        return right
    if right is None and left is not None and left.is_leaf:
        return left
    return MapNode(_hash_of(_or_empty(left), _or_empty(right)), is_leaf=False)


def joined(nodes: Sequence[MapNode | None]) -> MapNode | None:
    """Join adjacent nodes into one; their number is a power of two."""
    while len(nodes) > 1:
        nodes = [above(*pair) for pair in zip(nodes[::2], nodes[1::2], strict=True)]
    return nodes[0]


def subtree(leaves: Sequence[tuple[bytes, bytes]], depth: int) -> MapNode | None:
    """Compute the node of the map at a depth from the leaves below it.

    Args:
        leaves: (key, hash of the leaf), ascending; their keys agree in the first ``depth`` bits.
        depth: number of bits from the root to the node.

    """
    if len(leaves) < 2:  # noqa: PLR2004 - none, or one alone
        return MapNode(leaves[0][1], is_leaf=True) if leaves else None
    middle = _middle(leaves, depth)
    return above(subtree(leaves[:middle], depth + 1), subtree(leaves[middle:], depth + 1))


def siblings_in(
    leaves: Sequence[tuple[bytes, bytes]], depth: int, key: bytes
) -> tuple[list[bytes], bytes | None]:
    """Return what a proof needs from a subtree of the map: the siblings on the path to a key.

    Args:
        leaves: as in :func:`subtree`.
        depth: number of bits from the root to the subtree.
        key: key of the tag to be proved.

    Returns:
        The hashes from the top down, and the key of the leaf at the end of the path: that of the
        tag, that of another tag, or None if there is no leaf.

    """
    beside: list[bytes] = []
    while len(leaves) > 1:
        middle = _middle(leaves, depth)
        own, other = leaves[:middle], leaves[middle:]
        if _bit(key, depth):
            own, other = other, own
        depth += 1
        beside.append(_or_empty(subtree(other, depth)))
        leaves = own
    return beside, leaves[0][0] if leaves else None


class TagProof(Struct, frozen=True):
    """The value of a tag, with the hashes that lead from it to the root of the map.

    ``value`` is None if no event has the tag; then ``other`` is the only tag whose key has the same
    prefix, by key and value, or None if there is none. ``siblings`` are the sibling hashes of the
    path, from the bottom up.
    """

    value: TagValue | None
    siblings: tuple[bytes, ...]
    other: tuple[bytes, TagValue] | None = None

    def root_for(self, tag: bytes) -> bytes:
        """Return the root of the map in which the tag has this value.

        Raises:
            IntegrityError: the proof does not belong to this tag.

        """
        key, depth = key_of(tag), len(self.siblings)
        is_whole = depth <= KEY_BITS and all(len(one) == HASH_BYTES for one in self.siblings)
        if not is_whole or (self.value is not None and self.other is not None):
            raise _not_of(tag)
        digest = EMPTY_MAP
        if self.value is not None:
            digest = leaf_of(key, self.value)
        elif self.other is not None:
            other, value = self.other
            is_beside = len(other) == HASH_BYTES and _begin(other, depth) == _begin(key, depth)
            if other == key or not is_beside:
                raise _not_of(tag)
            digest = leaf_of(other, value)
        return climb(key, digest, self.siblings)


def climb(key: bytes, digest: bytes, siblings: Sequence[bytes]) -> bytes:
    """Return the root of a map from the hash of a key's leaf and its siblings, from the bottom."""
    for at, beside in zip(range(len(siblings) - 1, -1, -1), siblings, strict=True):
        digest = _hash_of(beside, digest) if _bit(key, at) else _hash_of(digest, beside)
    return digest


def _not_of(tag: bytes) -> IntegrityError:
    return IntegrityError(f"the proof of {tag.decode(errors='replace')} does not verify")


def _hash_of(left: bytes, right: bytes) -> bytes:
    return sha256(_NODE + left + right).digest()


def _or_empty(node: MapNode | None) -> bytes:
    return EMPTY_MAP if node is None else node.hash


def _bit(key: bytes, at: int) -> int:
    return key[at >> 3] >> (7 - (at & 7)) & 1


def _begin(key: bytes, bits: int) -> int:
    return int.from_bytes(key) >> (KEY_BITS - bits)


def _middle(leaves: Sequence[tuple[bytes, bytes]], depth: int) -> int:
    """Return the index of the first leaf whose next bit is set."""
    low, high = 0, len(leaves)
    while low < high:
        middle = (low + high) >> 1
        if _bit(leaves[middle][0], depth):
            high = middle
        else:
            low = middle + 1
    return low
