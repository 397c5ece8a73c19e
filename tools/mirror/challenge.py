"""Challenge a mirror: is what it signed still there, message by message?

What comes in: a copy as files (a folder or a URL), the key of its mirror, and how many bundles are
read. What goes out: what the mirror signed last. Guaranteed: the bundles are chosen at random, and
each of their messages is proved to be in the signed tree. Rejected: a copy with another signature,
one that is shorter than it was, and one that lacks a message.
"""

from __future__ import annotations

from dataclasses import dataclass
from secrets import SystemRandom
from typing import TYPE_CHECKING

from ledger.core.clock import SECOND
from ledger.core.errors import IntegrityError
from ledger.events.encoding import hash_of
from ledger.tlog import merkle
from ledger.tlog.notes import Note
from ledger.tlog.tiles import TILE_WIDTH

if TYPE_CHECKING:
    from ledger.log.tiles import TiledLog
    from ledger.tlog.cosigning import CosignerKey

__all__ = ["ChallengeResult", "challenge_copy"]


@dataclass(frozen=True, slots=True)
class ChallengeResult:
    """What a mirror still holds of a log, and how many of its messages were read back."""

    log: str
    size: int
    signed_at: int
    messages: int


def challenge_copy(
    copy: TiledLog, key: CosignerKey, *, bundles: int, size_min: int
) -> ChallengeResult:
    """Read random bundles of 256 messages back, and prove each in the signed tree.

    Args:
        copy: of a log, as the mirror serves it.
        key: of the mirror.
        bundles: how many are read; all of them if there are no more.
        size_min: messages that the mirror signed before.

    Raises:
        IntegrityError: the mirror did not sign, signed fewer messages, or a message is missing or
            is not in the tree.
        AvailabilityError: the copy can't be read.

    """
    note = Note.parse(copy.note)
    size, root = copy.checkpoint.size, copy.checkpoint.root
    lines = [
        key.parse_cosignature(line.signature)
        for line in note.signatures
        if (line.name, line.key_id) == (key.name, key.key_id)
    ]
    signed = [line for line in lines if key.is_cosigner_of(note.text, line)]
    if not signed:
        raise IntegrityError(f"{copy.place}/checkpoint is not signed by {key.name}")
    if size < size_min:
        raise IntegrityError(f"{copy.place} has {size} messages, and {size_min} were signed before")
    count, read = -(-size // TILE_WIDTH), 0
    for bundle in SystemRandom().sample(range(count), min(bundles, count)):
        first, end = bundle * TILE_WIDTH, min((bundle + 1) * TILE_WIDTH, size)
        subtree = merkle.CompactRange()
        for position, message in copy.read(first, end):
            leaf = hash_of(message)
            if copy.node(0, position) != leaf:
                text = f"{copy.place}: the tree has another hash than message {position}"
                raise IntegrityError(text, position=position)
            subtree.add(leaf)
            read += 1
        proof = merkle.consistency(copy.node, end, size, first)
        merkle.require_subtree(subtree, first, size, root, proof)
    return ChallengeResult(note.head.origin, size, signed[-1].seconds * SECOND, read)
