"""The files in which real brokers hold a topic."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tools.workshop.broker import Cluster, Node

SETTLED_SECONDS = 60
_HEAD_SIZE = 61
_CONTROL = 1 << 5
"""Bit of the attributes of a batch that holds the marker of a transaction."""


def segment_of(node: Node, topic: str) -> Path:
    """Return the one segment of a small topic on a node."""
    (found,) = (node.folder / "data" / f"{topic}-0").glob("*.log")
    return found


def batches(data: bytes) -> list[bytes]:
    """Split a segment; a last batch that is not whole is left out."""
    found = []
    at = 0
    while at + _HEAD_SIZE <= len(data):
        size = int.from_bytes(data[at + 8 : at + 12]) + 12
        if size < _HEAD_SIZE or at + size > len(data):
            break
        found.append(data[at : at + size])
        at += size
    return found


def settled(cluster: Cluster, topic: str) -> bytes:
    """Wait until each node holds the same, ended by a marker, and return it.

    A commit is answered once it is sure; the brokers write its marker after the answer.
    """
    deadline = time.monotonic() + SETTLED_SECONDS
    while True:
        held = {segment_of(node, topic).read_bytes() for node in cluster.nodes}
        if len(held) == 1:
            (data,) = held
            found = batches(data)
            if found and int.from_bytes(found[-1][21:23]) & _CONTROL:
                return data
        assert time.monotonic() < deadline, "the nodes hold no marker of the last transaction"
        time.sleep(0.05)
