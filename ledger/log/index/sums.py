"""Count and sum of the hashed keys of an index, to compare the index with the messages.

What comes in: verified messages of a chain, or the entries of an index. What goes out: the number
of keys and the sum of their hashes under a random secret of this verification. Different results
prove a difference; equal results are wrong with a probability of about 1 in 2^64, even if an
attacker wrote the index. The stand-alone verifier computes the same sums of the messages
(``verifier/src/index_keys.rs``).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from hashlib import sha256
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Self

import numpy as np
from msgspec import Struct

from ledger.log.index.entries import iterate_blocks
from ledger.log.index.search import (
    COMMAND,
    COMMAND_KEY_BYTES,
    DISTANCE_BYTES,
    POSITION_BYTES,
    TYPE_BYTES,
    escaped,
)

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

    Words = NDArray[np.uint64]

__all__ = ["IndexedMessage", "KeySums", "Keys"]

_MODULUS = 1 << 64
_WORD_BYTES = 8

_BEHIND_TAG = itemgetter(slice(-TYPE_BYTES - POSITION_BYTES, None))
_TAG = itemgetter(slice(None, -TYPE_BYTES - POSITION_BYTES - 1))
"""A tag as encoded in a key, without the byte that ends it."""


class KeySums(Struct, frozen=True):
    """Number and sum of keys."""

    number: int = 0
    total: int = 0

    def __add__(self, other: Self) -> Self:
        """Add the sums of later keys."""
        return type(self)(self.number + other.number, (self.total + other.total) % _MODULUS)


class IndexedMessage(NamedTuple):
    """The data of a message from which its index entries follow.

    Attributes:
        position: of the message.
        type: number of its event type.
        tags: in UTF-8; one may stand twice.
        command: identifier of the command; empty unless the message begins its decision.
        decision_size: number of events of the decision.

    """

    position: int
    type: int
    tags: Sequence[bytes]
    command: bytes
    decision_size: int


class Keys(Struct, frozen=True):
    """Computes sums of the keys of the first ``size`` messages under a secret."""

    secret: bytes
    size: int

    def expected_sums(self, messages: Sequence[IndexedMessage]) -> KeySums:
        """Return the sums that messages require, all of them among the first ``size``."""
        numbers: dict[bytes, int] = {}
        runs = [
            (numbers.setdefault(tag, len(numbers)), message.type, message.position)
            for message in messages
            for tag in {b"", *message.tags}
        ]
        tag_of, types, positions = np.array(runs, np.int64).reshape(-1, 3).T
        sums = self._runs(self._hashes(map(escaped, numbers))[tag_of], types, positions)
        begun = [message for message in messages if message.command]
        identifiers = np.frombuffer(b"".join(message.command for message in begun), np.uint8)
        return sums + self._commands(
            identifiers,
            np.array([message.position for message in begun], np.int64),
            np.array([message.decision_size for message in begun], np.int64),
        )

    def stored_sums(self, connection: sqlite3.Connection) -> KeySums:
        """Return the sums of the entries of an index.

        Raises:
            DamagedEntriesError: its entries contradict each other.

        """
        sums = KeySums()
        for keys, mores in iterate_blocks(connection):
            start, end = bisect_right(keys, b""), bisect_left(keys, COMMAND)
            sums += self._held_runs(keys[start:end], mores[start:end])
            sums += self._held_commands(keys[end:])
        return sums

    def _held_runs(self, keys: Sequence[bytes], mores: Sequence[bytes]) -> KeySums:
        numbers: dict[bytes, int] = {}
        tags = map(_TAG, keys)
        tag_of = np.array([numbers.setdefault(tag, len(numbers)) for tag in tags], np.int64)
        ends = np.frombuffer(b"".join(map(_BEHIND_TAG, keys)), np.uint8)
        ends = ends.reshape(len(keys), TYPE_BYTES + POSITION_BYTES)
        types, firsts = _number(ends[:, :TYPE_BYTES]), _number(ends[:, TYPE_BYTES:])
        widths = np.fromiter(map(len, mores), np.int64, len(mores)) // DISTANCE_BYTES
        distances = np.frombuffer(b"".join(mores), np.uint16).astype(np.int64)
        owners = np.concatenate([np.arange(len(keys)), np.repeat(np.arange(len(keys)), widths)])
        positions = np.concatenate([firsts, np.repeat(firsts, widths) + distances])
        is_before = positions < self.size
        owners, positions = owners[is_before], positions[is_before]
        return self._runs(self._hashes(numbers)[tag_of[owners]], types[owners], positions)

    def _held_commands(self, keys: Sequence[bytes]) -> KeySums:
        if any(len(key) != COMMAND_KEY_BYTES for key in keys):
            return KeySums(len(keys))
        rows = np.frombuffer(b"".join(keys), np.uint8).reshape(len(keys), COMMAND_KEY_BYTES)
        identifiers, rest = np.split(rows[:, len(COMMAND) :], [2 * _WORD_BYTES], axis=1)
        positions = _number(rest[:, :POSITION_BYTES])
        is_before = positions < self.size
        sizes = _number(rest[:, POSITION_BYTES:])
        return self._commands(identifiers[is_before], positions[is_before], sizes[is_before])

    def _runs(self, tags: Words, types: NDArray[np.int64], positions: NDArray[np.int64]) -> KeySums:
        a, b, *_ = self._factors()
        mixed = _mixed(tags + types.astype(np.uint64) * a + positions.astype(np.uint64) * b)
        return KeySums(len(tags), int(mixed.sum(dtype=np.uint64)))

    def _commands(
        self,
        identifiers: NDArray[np.uint8],
        positions: NDArray[np.int64],
        sizes: NDArray[np.int64],
    ) -> KeySums:
        a, b, c, d = self._factors()
        words = np.ascontiguousarray(identifiers).view("<u8").reshape(len(positions), 2)
        mixed = _mixed(words[:, 0] * c) + _mixed(words[:, 1] * d) * c
        mixed += positions.astype(np.uint64) * b + sizes.astype(np.uint64) * a + d
        return KeySums(len(positions), int(_mixed(mixed).sum(dtype=np.uint64)))

    def _hashes(self, tags: Iterable[bytes]) -> Words:
        """Hash encoded tags under the secret."""
        digests = [sha256(self.secret + tag).digest()[:_WORD_BYTES] for tag in tags]
        return np.frombuffer(b"".join(digests), "<u8")

    def _factors(self) -> Words:
        digest = sha256(self.secret + b"factors").digest()
        return np.frombuffer(digest, "<u8") | np.uint64(1)


def _mixed(words: Words) -> Words:
    """Mix the bits of each word (SplitMix64)."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return words ^ (words >> np.uint64(31))


def _number(columns: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Read big-endian numbers, one per row."""
    value = np.zeros(len(columns), np.int64)
    for column in columns.T:
        value = (value << 8) | column
    return value
