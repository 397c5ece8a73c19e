"""The map over the balances of all accounts at the close of a period (ADR 0058).

What comes in: the balance of each account, in haléř. What goes out: its leaves by key, and the root
that a ``BalancesClosed`` records. The map has the form of the tag map (docs/evidence.md).
"""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING

from ledger.tlog.tag_map import EMPTY_MAP, key_of, subtree

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["balance_leaf", "balance_leaves", "balances_root"]

_LEAF = b"\x04"


def balance_leaf(key: bytes, amount: int) -> bytes:
    """Return the leaf of an account by its key in the map."""
    return sha256(_LEAF + key + amount.to_bytes(8, signed=True)).digest()


def balance_leaves(balances: Mapping[str, int]) -> list[tuple[bytes, bytes]]:
    """Return the leaves of all accounts, by their keys."""
    keys = ((key_of(account.encode()), amount) for account, amount in balances.items())
    return sorted((key, balance_leaf(key, amount)) for key, amount in keys)


def balances_root(balances: Mapping[str, int]) -> bytes:
    """Return the root of the map over the balances of accounts, in haléř."""
    node = subtree(balance_leaves(balances), 0)
    return EMPTY_MAP if node is None else node.hash
