"""Verify a chain, from its first message or from the end of a trusted checkpoint.

What comes in: the messages, and data that the reader knows from elsewhere. What goes out: the state
of the chain, or the first fault with its position. docs/format.md states what is guaranteed and
what cannot be known.
"""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

from ledger.core.message import BLOCK
from ledger.tlog.signing import Checkpoint
from ledger.verification.chain_verifier import (
    ChainVerifier,
    IndexChecker,
    TrustedPrefix,
    UnknownSchema,
    VerificationResult,
)
from ledger.verification.duplicate_commands import DuplicateCommandCheck
from ledger.verification.self_description import CHECKPOINT_WINDOW
from ledger.verification.tag_map_check import MapCheck, MapVerifier, NoMapCheck

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from ledger.core.message import Head

__all__ = ["TrustedPrefix", "UnknownSchema", "VerificationResult", "verify"]


def verify(
    messages: Iterable[tuple[int, bytes]],
    *,
    keys: Mapping[str, bytes] | None = None,
    since: Head | Checkpoint | None = None,
    progress: Callable[[int], None] | None = None,
    index: IndexChecker | None = None,
    maps: MapVerifier | None = None,
    after: TrustedPrefix | None = None,
    reads_facts: bool = True,
) -> VerificationResult:
    """Verify a chain from its first message to its last, in one pass and in constant memory.

    Command identifiers are written to a temporary file to find duplicates; the tag map is computed
    in another one.

    Args:
        messages: (position, message) of the whole chain, as a log returns them.
        keys: public keys by name that the reader trusts from elsewhere. A chain that adds another
            key under such a name is rejected, and only checkpoints signed by these keys count for
            ``covered``. None: the keys that the chain itself adds are trusted.
        since: a head (size and hash) or signed checkpoint known from an earlier time, or None; the
            chain must contain it.
        progress: called from time to time, and at the end, with the number of verified messages.
        index: receives each message; None: no index is compared.
        maps: computes the tag map; None: in memory and a temporary file.
        after: a trusted part of the chain; ``messages`` are then those after it. A command that
            repeats one of the trusted part is not detected.
        reads_facts: if False, facts and the tag map are not checked; hashes, links, decisions, the
            tree and the self-description always are.

    Raises:
        IntegrityError: the first fault, with its position; duplicate commands and wrong tag maps
            are checked last.
        InputError: the checkpoint is of another chain.
        AvailabilityError: the temporary file can't be written.

    """
    note = since if isinstance(since, Checkpoint) else None
    map_verifier = maps or (MapCheck(CHECKPOINT_WINDOW, note) if reads_facts else NoMapCheck())
    with closing(DuplicateCommandCheck()) as repeats, closing(map_verifier):
        verifier = ChainVerifier(
            keys or {}, since, repeats, index, map_verifier, reads_facts=reads_facts
        )
        if after is not None:
            verifier.resume_from(after)
        following = iter(messages)
        for position, body in following:
            verifier.verify_message(position, body, following)
            if progress is not None and not verifier.size % BLOCK:
                progress(verifier.size)
        if progress is not None and verifier.size % BLOCK:
            progress(verifier.size)
        verifier.finish()
        repeats.require_none()
        map_verifier.finish()
    return verifier.result()
