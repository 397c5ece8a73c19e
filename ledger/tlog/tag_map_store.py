"""The tag map in an SQLite database, updated as the chain grows.

What comes in: the events of messages by their tags, in order. What goes out: the root that a
checkpoint names, and proofs of the value of a tag; ``ledger.tlog.tag_map`` defines both. Only
changed parts are hashed again: tags whose keys have the same first bits share a bucket of about 16
tags, and above the buckets there is a node for every four bits.

A damaged file must not lead to a wrong root: data that are read for an update are compared with the
hash above them, up to the root; ``ledger.log.index.tag_map_file`` compares the root with the log.
"""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from ledger.core.errors import InputError, IntegrityError
from ledger.tlog.merkle import HASH_BYTES, CompactRange
from ledger.tlog.tag_map import (
    EMPTY_MAP,
    KEY_BITS,
    KINDS,
    MapNode,
    TagProof,
    TagTree,
    TagValue,
    above,
    is_mapped,
    joined,
    key_of,
    leaf_of,
    siblings_in,
    subtree,
)

if TYPE_CHECKING:
    from ledger.tlog.tag_entries import TagEntries

__all__ = ["TABLES", "TagMap"]

TABLES = (
    """CREATE TABLE tag (
    key BLOB PRIMARY KEY, count INTEGER NOT NULL, last INTEGER NOT NULL,
    edge BLOB NOT NULL, leaf BLOB NOT NULL
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE node (
    depth INTEGER NOT NULL, place INTEGER NOT NULL, hash BLOB NOT NULL, is_leaf INTEGER NOT NULL,
    PRIMARY KEY (depth, place)
) STRICT, WITHOUT ROWID""",
    """CREATE TABLE watermark (
    size INTEGER NOT NULL, tags INTEGER NOT NULL, depth INTEGER NOT NULL
) STRICT""",
    "INSERT INTO watermark VALUES (0, 0, 0)",
)

_STEP_BITS = 4
_STEP = 1 << _STEP_BITS
_BUCKET_TAGS = 16
"""Maximum average number of tags per bucket; beyond it the map gets four bits deeper."""

_WAITING_MAX = 32_768
"""Tags buffered in memory before they are written to the file; each takes some 600 bytes.

The more there are, the more of them share a bucket that is hashed again.
"""

_TAG = "SELECT count, last, edge, leaf FROM tag WHERE key = ?"
_BUCKET = "SELECT key, leaf FROM tag WHERE key >= ? AND key < ? ORDER BY key"
_LAST_BUCKET = "SELECT key, leaf FROM tag WHERE key >= ? ORDER BY key"
_NODES = "SELECT place, hash, is_leaf FROM node WHERE depth = ? AND place BETWEEN ? AND ?"
_PUT_TAG = "REPLACE INTO tag VALUES (?, ?, ?, ?, ?)"
_PUT_NODE = "REPLACE INTO node VALUES (?, ?, ?, ?)"


_ALONE = ("BEGIN IMMEDIATE", "COMMIT", "ROLLBACK")
_NESTED = ("SAVEPOINT fold", "RELEASE fold", "ROLLBACK TO fold")


class TagMap:
    """The tag map of the messages added so far; may be used by one thread only."""

    def __init__(self, connection: sqlite3.Connection, name: str = "the tag map") -> None:
        """Continue from the content of a file with ``TABLES``; errors call it ``name``."""
        self._connection = connection
        self._name = name
        watermark = connection.execute("SELECT size, tags, depth FROM watermark").fetchone()
        if watermark is None:
            raise self._damaged()
        self.size, self._tags, self._depth = watermark
        self._folded = self.size
        self._waiting: dict[bytes, TagTree] = {}

    @classmethod
    def temporary(cls) -> TagMap:
        """Create a temporary map, deleted when closed; it spills to disk."""
        connection = sqlite3.connect("", isolation_level=None)
        connection.execute("PRAGMA journal_mode = OFF")
        for statement in TABLES:
            connection.execute(statement)
        return cls(connection)

    def copy(self) -> TagMap:
        """Return a temporary copy, deleted when closed."""
        connection = sqlite3.connect("", isolation_level=None)
        self._connection.backup(connection)
        return TagMap(connection)

    def add(self, entries: TagEntries) -> None:
        """Add the next messages."""
        waiting = self._waiting
        for tag in entries.tags:
            if tag not in waiting:
                waiting[tag] = self._load(tag)
        entries.grow([waiting[tag] for tag in entries.tags])
        self.size = entries.end
        if len(waiting) >= _WAITING_MAX:
            self.fold()

    def root(self) -> bytes:
        """Return the root over all tags of the added messages."""
        self.fold()
        top = self._nodes(0, 0, 0).get(0)
        return EMPTY_MAP if top is None else top.hash

    def prove(self, tag: bytes) -> TagProof:
        """Return the proof of the value of a tag.

        Raises:
            InputError: tags of this kind are not in the map.

        """
        if not is_mapped(tag):
            raise InputError(f"the tag map holds tags of {', '.join(KINDS)} alone")
        self.fold()
        key = key_of(tag)
        leaves = self._bucket(_first_bits(key, self._depth))
        down, end = siblings_in(leaves, self._depth, key)
        siblings = down[::-1]
        own = subtree(leaves, self._depth)
        for depth in range(self._depth, 0, -_STEP_BITS):
            place = _first_bits(key, depth)
            first = place & -_STEP
            nodes_below = self._nodes(depth, first, first + _STEP - 1)
            nodes = [nodes_below.get(first + at) for at in range(_STEP)]
            if nodes[place - first] != own:
                raise self._damaged()
            for level in range(_STEP_BITS):
                at = (place - first) >> level
                beside, own_before = nodes[at ^ 1], nodes[at]
                nodes = [above(*pair) for pair in zip(nodes[::2], nodes[1::2], strict=True)]
                own = nodes[at >> 1]
                if own_before is None and own is not None and own.is_leaf:
                    end = self._only_key(depth - level, (place >> level) ^ 1)
                elif own is not None and not own.is_leaf:
                    siblings.append(EMPTY_MAP if beside is None else beside.hash)
        if self._nodes(0, 0, 0).get(0) != own:
            raise self._damaged()
        if end == key:
            return TagProof(self._value(key), tuple(siblings))
        other = None if end is None else (end, self._value(end))
        return TagProof(None, tuple(siblings), other)

    def fold(self) -> None:
        """Write buffered tags and the hashes above them to the file, in one transaction.

        Within a transaction of the caller, such as that of :meth:`freeze`, they are lost on close.

        Raises:
            IntegrityError: the file contradicts itself.
            sqlite3.Error: it cannot be used.

        """
        if self._folded == self.size:
            return
        connection = self._connection
        changed: dict[int, dict[bytes, bytes]] = {}
        rows = []
        for tag, tree in self._waiting.items():
            key, value = key_of(tag), tree.value()
            leaf = leaf_of(key, value)
            rows.append((key, value.count, value.last, b"".join(tree.compact_range.nodes), leaf))
        begin, commit, rollback = _NESTED if connection.in_transaction else _ALONE
        before = self._tags, self._depth
        connection.execute(begin)
        try:
            for key, *_, leaf in rows:
                changed.setdefault(_first_bits(key, self._depth), {})[key] = leaf
            self._rehash(changed)
            connection.executemany(_PUT_TAG, rows)
            while self._tags > _BUCKET_TAGS << self._depth:
                self._deepen()
            connection.execute(
                "UPDATE watermark SET size = ?, tags = ?, depth = ?",
                (self.size, self._tags, self._depth),
            )
            connection.execute(commit)
        except BaseException:
            if connection.in_transaction:  # a full disk ends it, and is the cause to be raised
                connection.execute(rollback)
            self._tags, self._depth = before
            raise
        self._waiting, self._folded = {}, self.size

    def freeze(self) -> None:
        """Keep reading the current content of the file, even if another process updates it."""
        self._connection.execute("BEGIN")
        self._connection.execute("SELECT size FROM watermark").fetchone()

    def close(self) -> None:
        """Close the file; buffered tags are dropped."""
        self._connection.close()

    def _load(self, tag: bytes) -> TagTree:
        return self._stored(key_of(tag)) or TagTree()

    def _value(self, key: bytes) -> TagValue:
        tree = self._stored(key)
        if tree is None:
            raise self._damaged()
        return tree.value()

    def _stored(self, key: bytes) -> TagTree | None:
        row = self._connection.execute(_TAG, (key,)).fetchone()
        if row is None:
            return None
        count, last, edge, leaf = row
        nodes = [bytes(edge[at : at + HASH_BYTES]) for at in range(0, len(edge), HASH_BYTES)]
        tree = TagTree(last, CompactRange(count, nodes))
        if len(nodes) != count.bit_count() or leaf_of(key, tree.value()) != bytes(leaf):
            raise self._damaged()
        return tree

    def _rehash(self, changed: dict[int, dict[bytes, bytes]]) -> None:
        """Hash the changed buckets and all nodes above them again."""
        nodes: dict[int, MapNode | None] = {}
        before: dict[int, MapNode | None] = {}
        for place, leaves in changed.items():
            old = self._bucket(place)
            new = dict(old)
            new.update(leaves)
            self._tags += len(new) - len(old)
            before[place] = subtree(old, self._depth)
            nodes[place] = subtree(sorted(new.items()), self._depth)
        for depth in range(self._depth, 0, -_STEP_BITS):
            nodes, before = self._step_up(depth, nodes, before)
        if before and self._nodes(0, 0, 0).get(0) != before[0]:
            raise self._damaged()
        self._put(0, nodes)

    def _step_up(
        self, depth: int, nodes: dict[int, MapNode | None], before: dict[int, MapNode | None]
    ) -> tuple[dict[int, MapNode | None], dict[int, MapNode | None]]:
        """Store changed nodes of a depth; return the nodes four bits above, new and former."""
        above_nodes: dict[int, MapNode | None] = {}
        above_before: dict[int, MapNode | None] = {}
        for parent in {place >> _STEP_BITS for place in nodes}:
            first = parent << _STEP_BITS
            stored = self._nodes(depth, first, first + _STEP - 1)
            places = range(first, first + _STEP)
            if any(stored.get(place) != before[place] for place in places if place in before):
                raise self._damaged()
            above_before[parent] = joined([stored.get(place) for place in places])
            above_nodes[parent] = joined([nodes.get(place, stored.get(place)) for place in places])
        self._put(depth, nodes)
        return above_nodes, above_before

    def _deepen(self) -> None:
        """Split each bucket by four more bits; its nodes are computed from the new buckets."""
        depth = self._depth + _STEP_BITS
        for parent in range(1 << self._depth):
            leaves = self._bucket(parent)
            nodes: dict[int, list[tuple[bytes, bytes]]] = {}
            for key, leaf in leaves:
                nodes.setdefault(_first_bits(key, depth), []).append((key, leaf))
            self._put(depth, {place: subtree(part, depth) for place, part in nodes.items()})
        self._depth = depth

    def _put(self, depth: int, nodes: dict[int, MapNode | None]) -> None:
        rows = ((depth, place, *node) for place, node in nodes.items() if node is not None)
        self._connection.executemany(_PUT_NODE, rows)

    def _nodes(self, depth: int, first: int, last: int) -> dict[int, MapNode]:
        rows = self._connection.execute(_NODES, (depth, first, last))
        return {place: MapNode(bytes(digest), bool(leaf)) for place, digest, leaf in rows}

    def _bucket(self, place: int, depth: int | None = None) -> list[tuple[bytes, bytes]]:
        shift = KEY_BITS - (self._depth if depth is None else depth)
        first, end = place << shift, (place + 1) << shift
        if end >> KEY_BITS:
            rows = self._connection.execute(_LAST_BUCKET, (first.to_bytes(HASH_BYTES),))
        else:
            ends = (first.to_bytes(HASH_BYTES), end.to_bytes(HASH_BYTES))
            rows = self._connection.execute(_BUCKET, ends)
        return [(bytes(key), bytes(leaf)) for key, leaf in rows]

    def _only_key(self, depth: int, place: int) -> bytes:
        leaves = self._bucket(place, depth)
        if len(leaves) != 1:
            raise self._damaged()
        return leaves[0][0]

    def _damaged(self) -> IntegrityError:
        return IntegrityError(
            f"{self._name} does not agree with itself: delete it, it is made again from the log"
        )


def _first_bits(key: bytes, bits: int) -> int:
    return int.from_bytes(key) >> (KEY_BITS - bits)
