"""What an index holds, read without the code that compares it."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from ledger.log.index.entries import END, iterate_keys
from ledger.log.index.search import COMMAND, POSITION_BYTES

if TYPE_CHECKING:
    import sqlite3

__all__ = ["keys_held"]


def keys_held(connection: sqlite3.Connection) -> list[bytes]:
    """Return each run with each of its positions, and the key of each command."""
    found = []
    for key, more in iterate_keys(connection, b"\0", END):
        if key:
            found.append(key)
        if key and not key.startswith(COMMAND):
            run, first = key[:-POSITION_BYTES], int.from_bytes(key[-POSITION_BYTES:], "big")
            places = [first + distance for distance in array("H", more)]
            found += [run + place.to_bytes(POSITION_BYTES, "big") for place in places]
    return sorted(found)
