"""Read what is needed to continue a verification from a trusted checkpoint.

What comes in: a log, and a checkpoint that the reader trusts from elsewhere. What goes out:
everything that the verification of the rest depends on, each part proved by the root of the
checkpoint. Rejected: a log whose beginning does not match the checkpoint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ledger.core.errors import InputError, IntegrityError
from ledger.core.phrases import Phrase
from ledger.events.encoding import decode, decode_envelope, hash_of
from ledger.events.event_types import ChainOpened, CheckpointSigned
from ledger.log.port import Query
from ledger.tlog import merkle
from ledger.verification.self_description import CHECKPOINT_WINDOW
from ledger.verification.verify import TrustedPrefix

if TYPE_CHECKING:
    from ledger.log.port import Log
    from ledger.tlog.signing import Checkpoint

__all__ = ["read_trusted_prefix"]

SELF_DESCRIPTION = Query(
    types=(
        "ChainOpened",
        "SchemaPublished",
        "SigningKeyAdded",
        "SigningKeyRevoked",
        "SourceRegistered",
    )
)
CHECKPOINTS = Query(types=(CheckpointSigned.__name__,))


def read_trusted_prefix(log: Log, note: Checkpoint) -> TrustedPrefix:
    """Return the part of a log that a checkpoint covers, as far as it is needed to continue.

    The index is searched for schemas and keys. A hidden schema is detected; a hidden revocation of
    a key is detected only by a full verification.

    Raises:
        IntegrityError: the log is shorter, or its messages do not yield the root of the checkpoint.
        InputError: the checkpoint is of another chain, or ends within a decision.

    """
    size = note.size
    if log.head().size < size:
        end = log.head().size
        raise IntegrityError(Phrase("LOG_ENDS_BEFORE_NOTE", size=end, other=size), position=end)
    self_description = log.find(SELF_DESCRIPTION, before=size)
    signed = log.find(CHECKPOINTS, before=size, limit=1, backwards=True)
    positions = sorted({0, *self_description, *signed, size - 1})
    read = {at: body for position in positions for at, body in log.read(position, position + 1)}
    opened = decode(read[0]).event
    if isinstance(opened, ChainOpened) and opened.chain != note.chain:
        raise InputError(f"the note is of the chain {note.chain}, and this is {opened.chain}")
    hashes = {at: hash_of(body) for at, body in read.items()}
    proof = merkle.inclusion_of_all(log.node, positions, size)
    if merkle.root_from_multiproof(hashes, size, proof) != note.root:
        raise IntegrityError(Phrase("NOTE_ROOT_WRONG", size=size), position=size - 1)
    envelope = decode_envelope(read[size - 1])
    if envelope.decision_index + 1 != envelope.decision_size:
        raise InputError(f"the note of size {size} ends within a decision: verify the whole log")
    last_signed = decode(read[signed[0]]).event if signed else None
    covered = last_signed.size if isinstance(last_signed, CheckpointSigned) else 0
    begun = max(covered, size - CHECKPOINT_WINDOW)
    tree = merkle.compact_range_at(log.node, begun)
    leaves = tuple(log.node(0, at) for at in range(begun, size))
    whole = tree.copy()
    for leaf in leaves:
        whole.add(leaf)
    if whole.root() != note.root:
        raise IntegrityError(Phrase("NOTE_ROOT_WRONG", size=size), position=size - 1)
    described = tuple((at, read[at]) for at in self_description)
    return TrustedPrefix(note, tree, leaves, read[size - 1], described)
