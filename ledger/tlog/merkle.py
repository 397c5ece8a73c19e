"""The Merkle tree over messages (RFC 6962, section 2.1), with SHA-256.

What comes in: hashes of leaves, or a function that returns the hash of a full subtree. What goes
out: roots, and proofs that leaves are in a tree (:func:`inclusion_of_all`) or that one tree is a
prefix of another (:func:`consistency`). The hash of a leaf also links the chain, so one hash serves
both purposes. Pure: nothing is read or written.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable
from hashlib import sha256
from itertools import islice, pairwise
from typing import TYPE_CHECKING

from ledger.core.errors import IntegrityError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = [
    "EMPTY_ROOT",
    "HASH_BYTES",
    "CompactRange",
    "NodeHash",
    "RecentRoots",
    "compact_range_at",
    "consistency",
    "hashes_in",
    "inclusion_of_all",
    "leaf_hash",
    "node_hash",
    "nodes_of",
    "parents",
    "require_consistency",
    "require_subtree",
    "root",
    "root_from_consistency_proof",
    "root_from_multiproof",
]

HASH_BYTES = 32

EMPTY_ROOT = sha256().digest()
"""The root of the tree without leaves."""

_LEAF, _NODE = b"\x00", b"\x01"


def leaf_hash(message: bytes) -> bytes:
    """Hash a leaf; the prefix prevents a node from being presented as a leaf."""
    return sha256(_LEAF + message).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """Hash two nodes into their parent."""
    return sha256(_NODE + left + right).digest()


class CompactRange:
    """The right edge of a growing tree: enough to add leaves and to compute the root.

    Holds one hash for each full subtree, the largest first: at most 63.
    """

    __slots__ = ("_nodes", "size")

    def __init__(self, size: int = 0, nodes: Sequence[bytes] = ()) -> None:
        """Start with a tree of ``size`` leaves whose full subtrees have these hashes."""
        self.size = size
        self._nodes = list(nodes)

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        nodes, full = self._nodes, self.size
        while full & 1:
            leaf = sha256(_NODE + nodes.pop() + leaf).digest()
            full >>= 1
        nodes.append(leaf)
        self.size += 1

    def root(self) -> bytes:
        """Return the current root of the tree."""
        return _joined(self._nodes)

    @property
    def nodes(self) -> tuple[bytes, ...]:
        """The hashes of the full subtrees, the largest first."""
        return tuple(self._nodes)

    def copy(self) -> CompactRange:
        """Return an independent copy."""
        return CompactRange(self.size, self._nodes)


def parents(nodes: Sequence[bytes], levels: int) -> Sequence[bytes]:
    """Return the full nodes ``levels`` above the given nodes; an incomplete rest is ignored."""
    for _ in range(levels):
        pairs = zip(nodes[::2], nodes[1::2], strict=False)
        nodes = [sha256(_NODE + left + right).digest() for left, right in pairs]
    return nodes


class RecentRoots:
    """A growing tree that can return its root at each of its most recent sizes."""

    def __init__(self, sizes_max: int, begun: CompactRange | None = None) -> None:
        """Start empty or with an existing tree.

        Args:
            sizes_max: how many sizes before an addition stay available after it.
            begun: the existing tree; smaller sizes are not available.

        """
        self._sizes_max = sizes_max
        self._settled = begun.copy() if begun else CompactRange()
        self._recent: deque[bytes] = deque()

    def first_before(self, size: int) -> int:
        """Return the smallest size whose root was available when the tree had a given size."""
        return max(self._settled.size, size - self._sizes_max + 1)

    def add(self, leaf: bytes) -> None:
        """Add the hash of a leaf."""
        if len(self._recent) >= self._sizes_max:
            self._settled.add(self._recent.popleft())
        self._recent.append(leaf)

    def settle(self, size: int) -> bytes:
        """Return the root at a size; smaller sizes become unavailable."""
        while self._settled.size < size:
            self._settled.add(self._recent.popleft())
        return self._settled.root()

    def root(self, size: int | None = None) -> bytes:
        """Return the root at a size, by default of the current tree."""
        tree = self._settled.copy()
        for leaf in islice(self._recent, None if size is None else size - tree.size):
            tree.add(leaf)
        return tree.root()


def hashes_in(joined: bytes) -> list[bytes]:
    """Split concatenated hashes."""
    return [joined[at : at + HASH_BYTES] for at in range(0, len(joined), HASH_BYTES)]


NodeHash = Callable[[int, int], bytes]
"""Returns the hash of the full node of a level and an index."""


def root(node: NodeHash, size: int) -> bytes:
    """Return the root of the tree of the first ``size`` leaves."""
    return compact_range_at(node, size).root()


def compact_range_at(node: NodeHash, size: int) -> CompactRange:
    """Return the right edge of the tree of the first ``size`` leaves."""
    return CompactRange(size, [node(level, index) for level, index in _full_nodes(0, size)])


def consistency(node: NodeHash, old: int, size: int, first: int = 0) -> list[bytes]:
    """Return the proof that a tree of ``size`` leaves holds a subtree (RFC 9162, section 2.1.4.1).

    Args:
        node: returns the hash of a node.
        old: end of the subtree: with ``first`` of 0, the size of a tree that is a prefix.
        size: number of leaves of the tree.
        first: where the subtree begins, at a multiple of a power of two that it is no longer than
            (draft-ietf-plants-merkle-tree-certs-02, section 4.4).

    Raises:
        ValueError: there is no such subtree.

    """
    if not 0 <= first < old <= size or first % (1 << (old - first - 1).bit_length()):
        message = f"a tree of {size} leaves has no subtree from {first} to {old}"
        raise ValueError(message)
    proof, begin, end, is_known = [], 0, size, True
    while (begin, end) != (first, old):
        middle = begin + _half(end - begin)
        if old <= middle:
            proof.append(_range_root(node, middle, end))
            end = middle
            continue
        proof.append(_range_root(node, begin, middle))
        if first < middle:
            first, is_known = middle, False
        begin = middle
    if not is_known:
        proof.append(_range_root(node, begin, end))
    return proof[::-1]


def inclusion_of_all(node: NodeHash, indexes: Sequence[int], size: int) -> list[bytes]:
    """Return one proof that several leaves are in the tree of ``size`` leaves.

    The proof holds the root of each largest subtree that contains none of the leaves, from left to
    right. So it contains no hash twice, and none that can be computed from the leaves.

    Args:
        node: returns the hash of a node.
        indexes: indexes of the leaves, ascending, without duplicates.
        size: number of leaves of the tree.

    Raises:
        ValueError: a leaf does not exist, or the indexes do not ascend.

    """
    _require_ascending(indexes, size)
    return [_range_root(node, first, end) for first, end in _gaps(indexes, 0, size)]


def root_from_multiproof(leaves: Mapping[int, bytes], size: int, proof: Sequence[bytes]) -> bytes:
    """Return the root that a proof of several leaves yields.

    Args:
        leaves: hashes of leaves by their index.
        size: number of leaves of the tree.
        proof: as :func:`inclusion_of_all` returns it.

    Raises:
        IntegrityError: a leaf does not exist, or the proof has the wrong length.

    """
    indexes = sorted(leaves)
    try:
        _require_ascending(indexes, size)
        rest = iter(proof)
        root_found = _joined_with(leaves, indexes, rest, 0, size)
    except (ValueError, StopIteration):
        root_found = None
    if root_found is None or next(rest, None) is not None:
        text = f"the proof that {len(indexes)} leaves are in a tree of {size} does not fit them"
        raise IntegrityError(f"{text}: it was cut or altered")
    return root_found


def nodes_of(leaves: Sequence[bytes]) -> NodeHash:
    """Return the node function of a small tree given as the hashes of its leaves."""
    levels = [list(leaves)]
    while len(levels[-1]) > 1:
        below = levels[-1]
        levels.append([node_hash(*pair) for pair in zip(below[::2], below[1::2], strict=False)])
    return lambda level, index: levels[level][index]


def require_consistency(
    old: int, old_root: bytes, size: int, head: bytes, proof: Sequence[bytes]
) -> None:
    """Check that one tree is a prefix of another (RFC 9162, section 2.1.4.2).

    Raises:
        IntegrityError: the proof does not lead to both roots.

    """
    if not _is_consistent(old, old_root, size, head, proof):
        text = f"the tree of {size} messages is not proved to begin with that of {old}"
        raise IntegrityError(f"{text}: history was replaced, or the proof altered")


def root_from_consistency_proof(
    old: int, size: int, head: bytes, steps: Sequence[bytes]
) -> bytes | None:
    """Return the root at an earlier size of the tree with the root ``head``.

    Args:
        old: the earlier size, at least 1.
        size: the later one.
        head: root of the later tree.
        steps: the consistency proof; where ``old`` is a power of two, preceded by the earlier root,
            which such a proof leaves out.

    Returns:
        The earlier root, or None if the steps do not lead to ``head``.

    """
    if not 0 < old < size or not steps:
        return None
    is_full = not old & (old - 1)
    rest = iter(steps)
    given = next(rest) if is_full else b""
    try:
        before, after = _roots_around(given, 0, old, size, rest, is_known=is_full)
    except StopIteration:
        return None
    return before if after == head and next(rest, None) is None else None


def require_subtree(
    subtree: CompactRange, first: int, size: int, head: bytes, proof: Sequence[bytes]
) -> None:
    """Check that a tree holds a subtree (draft-ietf-plants-merkle-tree-certs-02, section 4.4.3).

    Args:
        subtree: its leaves; at least one.
        first: index of its first leaf in the tree.
        size: number of leaves of the tree.
        head: root of the tree.
        proof: as :func:`consistency` returns it.

    Raises:
        IntegrityError: the proof does not lead from the subtree to the root.

    """
    rest = iter(proof)
    given = subtree.root()
    try:
        roots = _roots_around(given, first, first + subtree.size, size, rest, is_known=True)
    except StopIteration:
        roots = None
    if roots != (given, head) or next(rest, None) is not None:
        end = first + subtree.size
        text = f"the messages from {first} to {end} are not proved to be in the tree of {size}"
        raise IntegrityError(f"{text}: they were replaced, or the proof altered", position=first)


def _roots_around(
    given: bytes, first: int, end: int, size: int, rest: Iterator[bytes], *, is_known: bool
) -> tuple[bytes, bytes]:
    """Return the root of a subtree that a proof yields, and that of the tree around it."""
    if (first, end) == (0, size):
        root_found = given if is_known else next(rest)
        return root_found, root_found
    half = _half(size)
    if end <= half:
        subtree, left = _roots_around(given, first, end, half, rest, is_known=is_known)
        return subtree, node_hash(left, next(rest))
    if half <= first:
        subtree, right = _roots_around(
            given, first - half, end - half, size - half, rest, is_known=is_known
        )
        return subtree, node_hash(next(rest), right)
    subtree, right = _roots_around(given, 0, end - half, size - half, rest, is_known=False)
    left = next(rest)
    return node_hash(left, subtree), node_hash(left, right)


def _is_consistent(
    old: int, old_root: bytes, size: int, head: bytes, proof: Sequence[bytes]
) -> bool:
    if old == size:
        return not proof and old_root == head
    if not proof:
        return False
    steps = proof if old & (old - 1) else [old_root, *proof]
    return root_from_consistency_proof(old, size, head, steps) == old_root


def _require_ascending(indexes: Sequence[int], size: int) -> None:
    ends = [-1, *indexes, size]
    if any(one >= other for one, other in pairwise(ends)):
        message = f"indexes of leaves ascend from 0 to below {size}"
        raise ValueError(message)


def _holds(indexes: Sequence[int], first: int, end: int) -> bool:
    at = bisect_left(indexes, first)
    return at < len(indexes) and indexes[at] < end


def _gaps(indexes: Sequence[int], first: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the largest subtrees without any of the leaves, as ranges, from left to right."""
    if first == end:
        return
    if not _holds(indexes, first, end):
        yield first, end
    elif end - first > 1:
        middle = first + _half(end - first)
        yield from _gaps(indexes, first, middle)
        yield from _gaps(indexes, middle, end)


def _joined_with(
    leaves: Mapping[int, bytes], indexes: Sequence[int], rest: Iterator[bytes], first: int, end: int
) -> bytes:
    if first == end:
        return EMPTY_ROOT
    if not _holds(indexes, first, end):
        return next(rest)
    if end - first == 1:
        return leaves[first]
    middle = first + _half(end - first)
    left = _joined_with(leaves, indexes, rest, first, middle)
    return node_hash(left, _joined_with(leaves, indexes, rest, middle, end))


def _range_root(node: NodeHash, first: int, end: int) -> bytes:
    return _joined([node(level, index) for level, index in _full_nodes(first, end)])


def _full_nodes(first: int, end: int) -> Iterator[tuple[int, int]]:
    """Return the full nodes that make up a range, the largest first."""
    while first < end:
        level = (end - first).bit_length() - 1
        yield level, first >> level
        first += 1 << level


def _joined(nodes: Sequence[bytes]) -> bytes:
    """Hash full nodes, the largest first, into their root."""
    if not nodes:
        return EMPTY_ROOT
    joined_hash = nodes[-1]
    for node in reversed(nodes[:-1]):
        joined_hash = node_hash(node, joined_hash)
    return joined_hash


def _half(size: int) -> int:
    """Return the largest power of two below a size."""
    return 1 << (size - 1).bit_length() - 1
