"""The proof of one leaf as RFC 9162 defines it; ours are of several, without what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.tlog.merkle import nodes_of, root

if TYPE_CHECKING:
    from collections.abc import Sequence


def audit_path(leaves: Sequence[bytes], index: int) -> list[bytes]:
    """Return the hashes beside the way from a leaf to the root, the lowest first (2.1.3.1)."""
    if len(leaves) == 1:
        return []
    half = 1 << (len(leaves) - 1).bit_length() - 1
    left, right = leaves[:half], leaves[half:]
    inner, beside, at = (left, right, index) if index < half else (right, left, index - half)
    return [*audit_path(inner, at), root(nodes_of(beside), len(beside))]
